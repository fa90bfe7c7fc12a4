// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffHTTP
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// How an event stream's connections follow each other, and end.
@Suite(.timeLimit(.minutes(5))) struct ServerSentEventStreamLifeTests {
    private static let address = HTTPRequest(method: .post, scheme: "http", authority: "a.example", path: "/events")

    private static func stream(_ text: String, failure: (any Error)? = nil) -> ScriptedHTTPTransport.Reply {
        let head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"])
        return .response(head, chunks: [Array(text.utf8)], failure: failure)
    }

    private static let end = ScriptedHTTPTransport.Reply.response(HTTPResponse(status: .noContent), chunks: [])

    @Test func `the body is sent with every connection, also behind one that was sent elsewhere without it`()
        async throws
    {
        let elsewhere = HTTPResponse(status: .seeOther, headerFields: [.location: "/b"])
        let http = ScriptedHTTPTransport([
            Self.stream("data: a\n\n"), .response(elsewhere, chunks: []), Self.stream("data: b\n\n"),
            Self.stream("data: c\n\n"), Self.end,
        ])
        let clock = ManualClock(advancesItself: true)
        var events: [String] = []
        for try await event in ServerSentEventStream(Self.address, body: [1, 2, 3], over: http, clock: clock) {
            events.append(event.data)
        }
        #expect(events == ["a", "b", "c"])
        #expect(http.requests.map(\.head.method) == [.post, .post, .get, .post, .post])
        #expect(http.requests.map(\.head.path) == ["/events", "/events", "/b", "/events", "/events"])
        #expect(http.requests.map(\.body) == [[1, 2, 3], [1, 2, 3], [], [1, 2, 3], [1, 2, 3]])
        #expect(clock.waits.prefix(3) == [.seconds(3), .seconds(3), .seconds(3)])
    }

    @Test func `silence that the transport gives up is followed by another connection`() async throws {
        let clock = ManualClock()
        let http = try AsyncHTTPTransport(clock: clock)
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
        let result: Result<Void, any Error>
        do {
            try await RawHTTPServer.withServer(
                [.readHead, .send(head + "id: 1\ndata: one\n\n: alive\n"), .awaitClose],
                [.readHead, .send(head + "data: two\n\n"), .awaitClose]
            ) { server in
                let request = try HTTPBaseURL("http://127.0.0.1:\(server.port)").request(.get, "/")
                let stream = ServerSentEventStream(
                    request,
                    over: http,
                    policy: ServerSentEventStream.Policy(retry: .milliseconds(1), longestWait: .milliseconds(20)),
                    deadlines: HTTPDeadlines(idle: .seconds(30))
                )
                var events = stream.makeAsyncIterator()
                #expect(try await events.next()?.data == "one")
                // Until the next connection is there, nothing happens for half a minute again and again.
                let time = Task {
                    while true {
                        await clock.sleepers(1)
                        if Task.isCancelled { return }
                        clock.advance(by: .seconds(30))
                    }
                }
                let next = Task {
                    defer { time.cancel() }
                    try await server.reached(step: 0, on: 1)
                }
                #expect(try await events.next()?.data == "two")
                try await next.value
                #expect(
                    String(decoding: server.received(on: 1), as: UTF8.self).lowercased().contains("last-event-id: 1")
                )
            }
            result = .success(())
        } catch { result = .failure(error) }
        await http.shutdown()
        try result.get()
    }

    @Test func `what a transport gives up is followed by another connection, what is not of it is thrown`() async throws
    {
        struct Foreign: Error {}
        let http = ScriptedHTTPTransport([
            Self.stream("data: a\n\n", failure: TransportError(.timeout, "Silence.")),
            Self.stream("data: b\n\n", failure: Foreign()), Self.stream("data: c\n\n"),
        ])
        let stream = ServerSentEventStream(Self.address, over: http, clock: ManualClock(advancesItself: true))
        var events = stream.makeAsyncIterator()
        #expect(try await events.next()?.data == "a")
        #expect(try await events.next()?.data == "b")
        await #expect(throws: Foreign.self) { try await events.next() }
        // It has ended: nothing is waited for, and nothing asked.
        #expect(try await events.next() == nil)
        #expect(http.requests.count == 2)
    }

    @Test(arguments: [false, true])
    func `who is cancelled while it waits leaves nothing behind, and gets nothing more`(connects: Bool) async throws {
        let clock = ManualClock()
        // It waits to come back, or for the first event of a connection.
        let http = ScriptedHTTPTransport([connects ? .never : Self.stream(": bye\n")])
        let policy = ServerSentEventStream.Policy(firstEvent: connects ? .seconds(60) : nil)
        let task = Task {
            var events = ServerSentEventStream(Self.address, over: http, policy: policy, clock: clock)
                .makeAsyncIterator()
            await #expect(throws: CancellationError.self) { try await events.next() }
            let asked = http.requests.count
            let next = try await events.next()
            return (next == nil, http.requests.count - asked)
        }
        await clock.sleepers(1)
        task.cancel()
        let (isOver, requests) = try await task.value
        #expect(isOver && requests == 0)
        #expect(clock.sleeperCount == 0)
    }
}

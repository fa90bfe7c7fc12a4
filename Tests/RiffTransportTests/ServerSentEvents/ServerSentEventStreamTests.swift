// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffHTTP
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// Event streams over sockets of this machine.
@Suite(.timeLimit(.minutes(5))) struct ServerSentEventStreamTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
    private static let none = "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"

    private static func with(
        _ scripts: [[RawHTTPServer.Step]],
        _ body: @Sendable (RawHTTPServer, ServerSentEventStream) async throws -> Void
    ) async throws {
        let http = try AsyncHTTPTransport()
        let run: @Sendable (RawHTTPServer) async throws -> Void = { server in
            let address = try HTTPBaseURL("http://127.0.0.1:\(server.port)")
            let policy = ServerSentEventStream.Policy(retry: .milliseconds(1), longestWait: .milliseconds(20))
            try await body(
                server,
                ServerSentEventStream(address.request(.get, "/events"), over: http, policy: policy)
            )
        }
        let result: Result<Void, any Error>
        do {
            switch scripts.count {
            case 1: try await RawHTTPServer.withServer(scripts[0], body: run)
            case 2: try await RawHTTPServer.withServer(scripts[0], scripts[1], body: run)
            default: try await RawHTTPServer.withServer(scripts[0], scripts[1], scripts[2], body: run)
            }
            result = .success(())
        } catch { result = .failure(error) }
        await http.shutdown()
        try result.get()
    }

    @Test func `a stream that breaks comes back with its last event, and ends where there is no more`() async throws {
        try await Self.with([
            [.readHead, .send(Self.head + "id: 7\ndata: one\n\n: hello\ndata: two\n\ndata: lost"), .close],
            [.readHead, .send(Self.head + "data: three\n\n"), .reset], [.readHead, .send(Self.none), .close],
        ]) { server, stream in
            var events: [ServerSentEvent] = []
            for try await event in stream { events.append(event) }
            #expect(events.map(\.data) == ["one", "two", "three"])
            #expect(events.map(\.lastEventID) == ["7", "7", "7"])
            let asked = (0..<3).map { String(decoding: server.received(on: $0), as: UTF8.self).lowercased() }
            #expect(asked.allSatisfy { $0.contains("accept: text/event-stream") })
            #expect(!asked[0].contains("last-event-id") && asked[1].contains("last-event-id: 7"))
            #expect(asked[2].contains("last-event-id: 7"))
        }
    }

    @Test func `what is no event stream is refused, and not asked again`() async throws {
        let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\n<>"
        try await Self.with([[.readHead, .send(page), .awaitClose]]) { server, stream in
            let error = await #expect(throws: TransportError.self) { for try await _ in stream {} }
            #expect(error?.code == .eventStreamRefused)
            #expect(server.connectionCount == 1)
        }
    }

    @Test func `who stops reading closes the connection, and asks no more`() async throws {
        try await Self.with([[.readHead, .send(Self.head + "data: one\n\n"), .awaitClose]]) { server, stream in
            let came = EventualValue<Void>()
            let task = Task {
                for try await _ in stream { came.resolve(()) }
            }
            try await came.cancellableValue()
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            try await server.closed()
            #expect(server.connectionCount == 1)
        }
    }

    @Test func `comments are no event: a connection that brings nothing else is made anew`() async throws {
        let http = try AsyncHTTPTransport()
        let result: Result<Void, any Error>
        do {
            result = .success(
                try await RawHTTPServer.withServer(
                    [.readHead, .send(Self.head + ": wait\n\n"), .awaitClose],
                    [.readHead, .send(Self.head + "data: there\n\n"), .awaitClose]
                ) { server in
                    let policy = ServerSentEventStream.Policy(retry: .milliseconds(1), firstEvent: .seconds(3))
                    let address = try HTTPBaseURL("http://127.0.0.1:\(server.port)")
                    let request = address.request(.get, "/")
                    var events = ServerSentEventStream(request, over: http, policy: policy).makeAsyncIterator()
                    #expect(try await events.next()?.data == "there")
                    #expect(server.connectionCount == 2)
                }
            )
        } catch { result = .failure(error) }
        await http.shutdown()
        try result.get()
    }
}

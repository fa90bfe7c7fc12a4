// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffHTTP
import RiffTesting
import RiffTransport
import TestSupport
import Testing

@Suite struct HTTPRedirectingTests {
    private static func redirect(to location: String, status: Int = 307) -> ScriptedHTTPTransport.Reply {
        .response(HTTPResponse(status: .init(code: status), headerFields: [.location: location]), chunks: [])
    }

    private static func request(_ method: HTTPRequest.Method = .get, scheme: String = "https") -> HTTPRequest {
        let fields: HTTPFields = [.authorization: "Bearer secret", .accept: "text/plain"]
        return HTTPRequest(method: method, scheme: scheme, authority: "a.example", path: "/", headerFields: fields)
    }

    @Test func `the answer is that of the last address, and another origin sees no secret`() async throws {
        let base = ScriptedHTTPTransport([
            Self.redirect(to: "/next"), Self.redirect(to: "https://b.example/"),
            Self.redirect(to: "https://a.example/"),
            .json("{}"),
        ])
        let answer = try await base.followingRedirects().answer(to: Self.request(), upTo: 100)
        #expect(answer.body == Array("{}".utf8))
        #expect(base.requests.map(\.head.authority) == ["a.example", "a.example", "b.example", "a.example"])
        // What was taken away does not come back, though the last address is the first one's origin.
        #expect(base.requests.map { $0.head.headerFields[.authorization] != nil } == [true, true, false, false])
        #expect(base.requests.allSatisfy { $0.head.headerFields[.accept] == "text/plain" })
    }

    @Test func `nothing goes from https to http`() async throws {
        let base = ScriptedHTTPTransport([Self.redirect(to: "http://a.example/")])
        let reply = try await base.followingRedirects().send(Self.request(), body: .none, deadlines: HTTPDeadlines())
        #expect(reply.head.status.code == 307)
        #expect(base.requests.count == 1)
    }

    @Test(arguments: [(303, HTTPRequest.Method.get, 0), (307, .post, 3)])
    func `a body is sent again where the method stays`(status: Int, method: HTTPRequest.Method, count: Int) async throws
    {
        let base = ScriptedHTTPTransport([Self.redirect(to: "/next", status: status), .json("{}")])
        _ = try await base.followingRedirects().answer(to: Self.request(.post), body: .bytes([1, 2, 3]), upTo: 100)
        #expect(base.requests.last?.head.method == method)
        #expect(base.requests.last?.body.count == count)
    }

    @Test func `a stream is not sent twice`() async throws {
        let base = ScriptedHTTPTransport([Self.redirect(to: "/next")])
        let (stream, writer) = ByteStream.makeStream()
        writer.finish()
        let reply = try await base.followingRedirects().send(
            Self.request(.post),
            body: .stream(stream, length: nil),
            deadlines: HTTPDeadlines()
        )
        #expect(reply.head.status.code == 307)
    }

    @Test func `redirects that do not end are an error`() async throws {
        let base = ScriptedHTTPTransport((0..<9).map { Self.redirect(to: "/\($0)") })
        let error = await #expect(throws: TransportError.self) {
            _ = try await base.followingRedirects(upTo: 3).answer(to: Self.request(), upTo: 100)
        }
        #expect(error?.code == .httpTooManyRedirects)
        #expect(base.requests.count == 4)
    }

    @Test func `the total deadline is one for all`() async throws {
        let base = ScriptedHTTPTransport([Self.redirect(to: "/next"), .json("{}")])
        let clock = ManualClock()
        let slow = Slowed(base: base, clock: clock)
        let deadlines = HTTPDeadlines(total: .seconds(10))
        _ = try await slow.followingRedirects(clock: clock).answer(to: Self.request(), deadlines: deadlines, upTo: 100)
        #expect(base.requests.map(\.deadlines.total) == [.seconds(10), .seconds(6)])
    }

    /// Takes four seconds for every request.
    private struct Slowed: HTTPTransport {
        let base: ScriptedHTTPTransport
        let clock: ManualClock

        func send(_ request: HTTPRequest, body: HTTPBody, deadlines: HTTPDeadlines) async throws -> HTTPReply {
            let reply = try await base.send(request, body: body, deadlines: deadlines)
            clock.advance(by: .seconds(4))
            return reply
        }
    }
}

extension InTurn {
    @Suite(.timeLimit(.minutes(1)))
    struct HTTPRedirectsOnTheWireTests {
        enum Kind: CaseIterable {
            #if HTTPClient
            case asyncHTTPClient
            #endif
            #if URLSession
            case urlSession
            #endif
        }

        @Test(arguments: Kind.allCases)
        func `another port sees no secret`(kind: Kind) async throws {
            let end = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 3\r\n\r\nend"
            try await RawHTTPServer.withServer([.readHead, .send(end), .awaitClose]) { second in
                let head = "HTTP/1.1 302 Found\r\nConnection: close\r\nContent-Length: 0\r\n"
                let start = head + "Location: http://127.0.0.1:\(second.port)/there?q=1\r\n\r\n"
                try await RawHTTPServer.withServer([.readHead, .send(start), .awaitClose]) { first in
                    let http = try Self.transport(kind)
                    let fields: HTTPFields = [.authorization: "Bearer secret", .cookie: "a=secret"]
                    let request = HTTPRequest(
                        method: .get,
                        scheme: "http",
                        authority: "127.0.0.1:\(first.port)",
                        path: "/",
                        headerFields: fields
                    )
                    let answer = try await http.followingRedirects().answer(to: request, upTo: 100)
                    #expect(answer.body == Array("end".utf8))
                    #expect(String(decoding: first.received(), as: UTF8.self).contains("Bearer secret"))
                    let sent = String(decoding: second.received(), as: UTF8.self)
                    #expect(sent.hasPrefix("GET /there?q=1 HTTP/1.1\r\n"))
                    #expect(!sent.contains("secret"))
                }
            }
        }

        private static func transport(_ kind: Kind) throws -> any HTTPTransport {
            switch kind {
            #if HTTPClient
            case .asyncHTTPClient: return try AsyncHTTPTransport()
            #endif
            #if URLSession
            case .urlSession: return try URLSessionTransport()
            #endif
            }
        }
    }
}

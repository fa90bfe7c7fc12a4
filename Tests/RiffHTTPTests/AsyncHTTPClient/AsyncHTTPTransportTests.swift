// Riff
// SPDX-License-Identifier: Apache-2.0

#if HTTPClient
import HTTPTypes
import RiffCore
import RiffHTTP
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct AsyncHTTPTransportTests {
        @Test(arguments: HTTPTransportConformance.checks)
        func `keeps the contract`(check: HTTPTransportConformance.Check) async throws {
            try await AsyncHTTPTransport.withTransport { try await check.run($0) }
        }

        @Test func `a transport that was shut down refuses requests`() async throws {
            let http = try AsyncHTTPTransport()
            await http.shutdown()
            await http.shutdown()
            let error = await #expect(throws: TransportError.self) {
                _ = try await http.send(Self.request(port: 1), body: .none, deadlines: HTTPDeadlines())
            }
            #expect(error?.code == .closed)
        }

        @Test func `shutting down ends what is under way`() async throws {
            try await RawHTTPServer.withServer([.readHead, .awaitClose]) { server in
                let http = try AsyncHTTPTransport()
                let port = server.port
                let answer = Task {
                    try await http.send(Self.request(port: port), body: .none, deadlines: HTTPDeadlines())
                }
                try await server.reached(step: 1)
                await http.shutdown()
                await #expect(throws: CancellationError.self) { _ = try await answer.value }
                try await server.closed()
            }
        }

        @Test func `a transport that is dropped does not trap`() async throws {
            try await RawHTTPServer.withServer([.readHead, .send("HTTP/1.1 204 No Content\r\n\r\n"), .awaitClose]) {
                server in
                do {
                    let http = try AsyncHTTPTransport()
                    _ = try await http.send(Self.request(port: server.port), body: .none, deadlines: HTTPDeadlines())
                }
                try await server.closed()
            }
        }

        @Test func `two answers come over one connection`() async throws {
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
            try await RawHTTPServer.withServer([.readHead, .send(answer), .readHead, .send(answer), .awaitClose]) {
                server in
                try await AsyncHTTPTransport.withTransport { http in
                    for _ in 0..<2 {
                        let request = Self.request(port: server.port)
                        let result = try await http.answer(to: request, upTo: 100)
                        #expect(result.body == Array("ok".utf8))
                    }
                }
                #expect(server.connectionCount == 1)
            }
        }

        @Test func `a larger answer than the caller keeps is refused and closes the connection`() async throws {
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345"
            try await RawHTTPServer.withServer([.readHead, .send(answer), .awaitClose]) { server in
                try await AsyncHTTPTransport.withTransport { http in
                    let error = await #expect(throws: TransportError.self) {
                        _ = try await http.answer(to: Self.request(port: server.port), upTo: 3)
                    }
                    #expect(error?.code == .outputTooLarge)
                    try await server.closed()
                }
            }
        }

        @Test func `errors do not show the query`() async throws {
            try await LoopbackPort.withRefusing { port in
                try await AsyncHTTPTransport.withTransport { http in
                    let error = await #expect(throws: TransportError.self) {
                        let request = Self.request(port: port, path: "/path?token=hunter2")
                        _ = try await http.send(request, body: .none, deadlines: HTTPDeadlines())
                    }
                    let shown = "\(try #require(error))"
                    #expect(!shown.contains("hunter2"))
                    #expect(shown.contains("GET http://127.0.0.1:\(port)/path"))
                }
            }
        }

        @Test func `a trust root that cannot be read is refused`() {
            let error = #expect(throws: TransportError.self) {
                _ = try AsyncHTTPTransport(.init(additionalTrustRoots: ["/nonexistent/root.pem"]))
            }
            #expect(error?.code == .httpTrustRoots)
            #expect(error?.recovery == .openSettings(.trustRoots))
        }

        private static func request(port: Int, path: String = "/") -> HTTPRequest {
            HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(port)", path: path)
        }
    }
}
#endif

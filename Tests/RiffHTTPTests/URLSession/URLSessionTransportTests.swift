// Riff
// SPDX-License-Identifier: Apache-2.0

#if URLSession
import HTTPTypes
import RiffCore
import RiffHTTP
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct URLSessionTransportTests {
        @Test(arguments: HTTPTransportConformance.checks(for: URLSessionTransport.capabilities))
        func `keeps what it declares of the contract`(check: HTTPTransportConformance.Check) async throws {
            try await URLSessionTransport.withTransport { try await check.run($0) }
        }

        @Test func `more than may be held of an unread answer ends it`() async throws {
            let script: [RawHTTPServer.Step] = [
                .readHead, .send("HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n"), .sendPattern(100_000_000),
                .awaitClose,
            ]
            try await RawHTTPServer.withServer(script) { server in
                try await URLSessionTransport.withTransport(.init(heldBodyBytes: 1 << 20)) { http in
                    let request = Self.request(port: server.port)
                    let reply = try await http.send(request, body: .none, deadlines: HTTPDeadlines())
                    if URLSessionTransport.capabilities.contains(.responseBackPressure) { return }
                    try await server.closed()
                    var count = 0
                    let error = await #expect(throws: TransportError.self) {
                        for try await chunk in reply.body { count += chunk.count }
                    }
                    #expect(error?.code == .outputTooLarge)
                    #expect(count < 4 << 20)
                }
            }
        }

        @Test(.enabled(if: !URLSessionTransport.capabilities.contains(.requestStreaming)))
        func `a larger body than may be gathered is refused before anything is sent`() async throws {
            try await RawHTTPServer.withServer([.readHead, .awaitClose]) { server in
                try await URLSessionTransport.withTransport(.init(heldBodyBytes: 1000)) { http in
                    let form = MultipartBody(
                        file: .init(name: "a", filename: "b", type: "c", bytes: Array(repeating: 1, count: 1000))
                    )
                    let error = await #expect(throws: TransportError.self) {
                        var request = Self.request(port: server.port)
                        request.method = .post
                        _ = try await http.send(request, body: form.body, deadlines: HTTPDeadlines())
                    }
                    #expect(error?.code == .outputTooLarge)
                    #expect(server.connectionCount == 0)
                }
            }
        }

        @Test func `what comes compressed all the same is decompressed, and the head says nothing else`() async throws {
            let zipped: [UInt8] = [
                0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0xd7, 0x51,
                0x48,
                0xce, 0xcf, 0x2d, 0x28, 0x4a, 0x2d, 0x2e, 0x4e, 0x4d, 0x51, 0x28, 0xcf, 0x2f, 0xca, 0x49, 0xe1, 0x02,
                0x00,
                0x3f, 0xba, 0x39, 0x3c, 0x18, 0x00, 0x00, 0x00,
            ]
            let head =
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: \(zipped.count)\r\nServer: a\r\n\r\n"
            try await RawHTTPServer.withServer([.readHead, .send(head), .send(zipped), .awaitClose]) { server in
                try await URLSessionTransport.withTransport { http in
                    let request = Self.request(port: server.port)
                    let reply = try await http.send(request, body: .none, deadlines: HTTPDeadlines())
                    #expect(reply.head.headerFields[.contentEncoding] == nil)
                    #expect(reply.head.headerFields[.contentLength] == nil)
                    #expect(reply.head.headerFields[.server] == "a")
                    let body = try await reply.decodedBody().collect(upTo: 1000)
                    #expect(String(decoding: body, as: UTF8.self) == "hello, compressed world\n")
                    let sent = String(decoding: server.received(), as: UTF8.self).lowercased()
                    #expect(sent.contains("\r\naccept-encoding: identity\r\n"))
                }
            }
        }

        @Test func `fields of one name go out joined, cookies as cookies`() async throws {
            try await RawHTTPServer.withServer([.readHead, .send("HTTP/1.1 204 No Content\r\n\r\n"), .awaitClose]) {
                server in
                try await URLSessionTransport.withTransport { http in
                    var request = Self.request(port: server.port)
                    request.headerFields.append(HTTPField(name: .accept, value: "a"))
                    request.headerFields.append(HTTPField(name: .accept, value: "b"))
                    request.headerFields.append(HTTPField(name: .cookie, value: "a=b"))
                    request.headerFields.append(HTTPField(name: .cookie, value: "c=d"))
                    request.headerFields[.contentLength] = "7"
                    _ = try await http.answer(to: request, upTo: 1000)
                    let sent = String(decoding: server.received(), as: UTF8.self).lowercased()
                    #expect(sent.contains("\r\naccept: a, b\r\n"))
                    #expect(sent.contains("\r\ncookie: a=b; c=d\r\n"))
                    #expect(!sent.contains("content-length"))
                }
            }
        }

        @Test func `a body without a type is not called a form`() async throws {
            let script: [RawHTTPServer.Step] = [
                .readHead, .readBody(2), .send("HTTP/1.1 204 No Content\r\n\r\n"), .awaitClose,
            ]
            try await RawHTTPServer.withServer(script) { server in
                try await URLSessionTransport.withTransport { http in
                    var request = Self.request(port: server.port)
                    request.method = .post
                    _ = try await http.answer(to: request, body: .bytes([1, 2]), upTo: 1000)
                    let sent = String(decoding: server.received(), as: UTF8.self).lowercased()
                    #expect(sent.contains("\r\ncontent-type: application/octet-stream\r\n"))
                    #expect(!sent.contains("\r\nexpect:"))
                }
            }
        }

        @Test func `a GET with a body is refused`() async throws {
            try await URLSessionTransport.withTransport { http in
                let error = await #expect(throws: TransportError.self) {
                    _ = try await http.send(Self.request(port: 1), body: .bytes([1]), deadlines: HTTPDeadlines())
                }
                #expect(error?.code == .httpInvalidRequest)
            }
        }

        @Test func `silence before the head counts from the end of the connect deadline`() async throws {
            try await LoopbackPort.withFullBacklog { port in
                try await URLSessionTransport.withTransport { http in
                    let deadlines = HTTPDeadlines(connect: .milliseconds(200), idle: .milliseconds(200))
                    let error = await #expect(throws: TransportError.self) {
                        _ = try await http.send(Self.request(port: port), body: .none, deadlines: deadlines)
                    }
                    #expect(error?.code == .timeout)
                }
            }
        }

        @Test func `a transport that was shut down ends what is under way and refuses requests`() async throws {
            try await RawHTTPServer.withServer([.readHead, .awaitClose]) { server in
                let http = try URLSessionTransport()
                let port = server.port
                let answer = Task {
                    try await http.send(Self.request(port: port), body: .none, deadlines: HTTPDeadlines())
                }
                try await server.reached(step: 1)
                await http.shutdown()
                await #expect(throws: CancellationError.self) { _ = try await answer.value }
                try await server.closed()
                let error = await #expect(throws: TransportError.self) {
                    _ = try await http.send(Self.request(port: port), body: .none, deadlines: HTTPDeadlines())
                }
                #expect(error?.code == .closed)
            }
        }

        @Test func `errors do not show the query`() async throws {
            try await LoopbackPort.withRefusing { port in
                try await URLSessionTransport.withTransport { http in
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

        #if !canImport(Darwin)
        @Test(arguments: [
            URLSessionTransport.Configuration(additionalTrustRoots: ["/root.pem"]),
            URLSessionTransport.Configuration(pinnedCertificates: ["/pin.pem"]),
            URLSessionTransport.Configuration(proxy: .direct),
            URLSessionTransport.Configuration(proxy: .http(host: "proxy.example", port: 8080)),
            URLSessionTransport.Configuration(proxy: .socks(host: "proxy.example", port: 1080)),
        ])
        func `what this system cannot do is refused and not ignored`(configuration: URLSessionTransport.Configuration) {
            let error = #expect(throws: TransportError.self) { _ = try URLSessionTransport(configuration) }
            #expect(error?.code == .httpUnsupported)
        }
        #endif

        private static func request(port: Int, path: String = "/") -> HTTPRequest {
            HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(port)", path: path)
        }
    }
}
#endif

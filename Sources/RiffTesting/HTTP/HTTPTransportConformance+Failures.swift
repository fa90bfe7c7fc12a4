// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
internal import RiffTransport

extension HTTPTransportConformance {
    /// The checks of the ways that the peer fails, and of the errors for them.
    static let failures: [Check] = [
        Check("a refused connection is told at once as never connected, not at the connect deadline") { http in
            try await LoopbackPort.withRefusing { port in
                let start = ContinuousClock.now
                let deadlines = HTTPDeadlines(connect: .seconds(40))
                let error = try await expect(.httpNeverConnected) { try await get(http, port, deadlines: deadlines) }
                try expect(!error.message.contains("connect deadline"), "The message is \(error.message)")
                let span = ContinuousClock.now - start
                try expect(span < atOnce, "It took \(span).")
            }
        },
        Check("a name that does not exist is told as never connected") { http in
            var request = request(port: 80)
            // RFC 6761 section 6.4: this name never resolves.
            request.authority = "riff.invalid"
            try await expect(.httpNeverConnected) {
                _ = try await http.send(request, body: .none, deadlines: HTTPDeadlines(connect: .seconds(5)))
            }
        },
        Check("TLS to a server without TLS is told as such", needs: .exactFailures) { http in
            try await RawHTTPServer.withServer([.send("SSH-2.0-not-tls\r\n"), .awaitClose]) { server in
                var request = request(server)
                request.scheme = "https"
                try await expect(.tlsFailed) {
                    _ = try await http.send(request, body: .none, deadlines: HTTPDeadlines())
                }
            }
        },
        failure("a reset before the head", .connectionLost, [.readHead, .reset]),
        failure("a close before the head", .connectionLost, [.readHead, .close]),
        failure(
            "a close inside the head",
            .connectionLost,
            needs: .brokenHeads,
            [.readHead, .send("HTTP/1.1 200 OK\r\nConte"), .close]
        ),
        failure("a reset inside the body", .connectionLost, [.readHead, .send(ten + "12345"), .reset]),
        failure("a close inside the body", .connectionLost, [.readHead, .send(ten + "12345"), .close]),
        failure("a close inside a chunk", .connectionLost, [.readHead, .send(chunked + "a\r\n12345"), .close]),
        failure("a close between chunks", .connectionLost, [.readHead, .send(chunked + "2\r\n12\r\n"), .close]),
        cut("with a length", "Content-Length: 1000000", frame: { $0 }),
        cut("in chunked coding", "Transfer-Encoding: chunked") {
            [UInt8](String($0.count, radix: 16).utf8) + crlf + $0 + crlf
        },
        cut("to its end", "Connection: close", isEnd: true, frame: { $0 }),
        failure("what is not HTTP", .httpMalformed, [.readHead, .send("220 mail.example ESMTP\r\n\r\n"), .awaitClose]),
        failure("a chunk size that is no number", .httpMalformed, [.readHead, .send(chunked + "zz\r\n"), .awaitClose]),
        failure("a head of 1 MB", .httpMalformed, [.readHead, .send(megabyteHead), .awaitClose]),
        Check("what the request's body throws comes out as it is") { http in
            struct Broken: Error {}
            try await RawHTTPServer.withServer([.readHead, .awaitClose]) { server in
                let (stream, writer) = ByteStream.makeStream()
                try await writer.write([1, 2, 3])
                writer.finish(throwing: Broken())
                do {
                    let body = HTTPBody.stream(stream, length: 10)
                    _ = try await http.send(request(server, .post), body: body, deadlines: HTTPDeadlines())
                    throw ConformanceFailure(check: "", message: "It succeeded.")
                } catch is Broken {}
            }
        },
        Check("a request's body that breaks closes the connection", needs: .requestStreaming) { http in
            struct Broken: Error {}
            try await RawHTTPServer.withServer([.readHead, .awaitClose]) { server in
                let (stream, writer) = ByteStream.makeStream()
                try await writer.write([1, 2, 3])
                async let broken: Void = {
                    // Not before the head is there: a connection without a request may be kept for the next one.
                    try await server.reached(step: 1)
                    writer.finish(throwing: Broken())
                }()
                do {
                    let body = HTTPBody.stream(stream, length: nil)
                    _ = try await http.send(request(server, .post), body: body, deadlines: HTTPDeadlines())
                    throw ConformanceFailure(check: "", message: "It succeeded.")
                } catch is Broken {}
                try await broken
                try await server.closed()
            }
        },
        Check("a body of another length than announced is refused") { http in
            try await RawHTTPServer.withServer([.readHead, .awaitClose]) { server in
                let (stream, writer) = ByteStream.makeStream()
                try await writer.write([1, 2, 3])
                writer.finish()
                try await expect(.httpInvalidRequest) {
                    let body = HTTPBody.stream(stream, length: 10)
                    _ = try await http.send(request(server, .post), body: body, deadlines: HTTPDeadlines())
                }
            }
        },
    ]

    static let ten = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n"
    static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    static let megabyteHead = "HTTP/1.1 200 OK\r\nX-Long: \(String(repeating: "a", count: 1 << 20))\r\n\r\n"

    /// The whole exchange ends in this code: at the head or in the body.
    private static func failure(
        _ name: String,
        _ code: TransportError.Code,
        needs: HTTPCapabilities = [],
        _ script: [RawHTTPServer.Step]
    ) -> Check {
        let needs = code == .httpMalformed ? needs.union(.exactFailures) : needs
        return Check("\(name) is told as \(code.rawValue)", needs: needs) { http in
            try await RawHTTPServer.withServer(script) { server in
                try await expect(code) { try await get(http, server.port) }
                try expect(server.connectionCount == 1, "It connected \(server.connectionCount) times.")
            }
        }
    }

    private static let crlf = [UInt8]("\r\n".utf8)

    /// All that came before the connection ended is given: to a reader that comes late, when most of it is still with
    /// the system or the transport, and to one that reads while the end comes, which is a race and takes many tries.
    private static func cut(
        _ name: String,
        _ field: String,
        isEnd: Bool = false,
        frame: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> Check {
        Check("what came of an answer \(name) before the connection ended is given, however it is read") { http in
            for (count, size, tries) in [(1, 2000, 1), (100, 2000, 1), (300, 2000, 1), (48, 40, 200)] {
                let pieces = (0..<count).map { [UInt8](repeating: UInt8($0 % 251), count: size) }
                let head = RawHTTPServer.Step.send("HTTP/1.1 200 OK\r\n\(field)\r\n\r\n")
                try await RawHTTPServer.withServer([.readHead, head] + pieces.map { .send(frame($0)) } + [.close]) {
                    server in
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for number in 0..<tries {
                            if number >= 8 { try await group.next() }
                            group.addTask {
                                let reply = try await http.send(
                                    request(server),
                                    body: .none,
                                    deadlines: HTTPDeadlines()
                                )
                                if tries == 1 { try await ContinuousClock().sleep(for: .milliseconds(200)) }
                                try await expectCut(reply, after: pieces.flatMap { $0 }, isEnd: isEnd)
                            }
                        }
                        try await group.waitForAll()
                    }
                }
            }
        }
    }

    private static func expectCut(_ reply: HTTPReply, after whole: [UInt8], isEnd: Bool) async throws {
        var received: [UInt8] = []
        do {
            for try await chunk in reply.body { received += chunk }
            try expect(isEnd, "The answer ended as if it were whole.")
        } catch let error as TransportError {
            try expect(!isEnd && error.code == .connectionLost, "It threw \(error).")
        }
        try expect(received == whole, "\(received.count) bytes of \(whole.count) are there, or they are others.")
    }

    static func get(_ http: any HTTPTransport, _ port: Int, deadlines: HTTPDeadlines = HTTPDeadlines()) async throws {
        let reply = try await http.send(request(port: port), body: .none, deadlines: deadlines)
        _ = try await reply.body.collect(upTo: 1 << 20)
    }
}

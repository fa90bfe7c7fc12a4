// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
internal import RiffCore
internal import RiffTransport
internal import Synchronization

extension HTTPTransportConformance {
    /// The deadlines, each told apart.
    static let deadlines: [Check] = [
        Check("a connection that is not made in time is told as never connected", needs: .connectDeadline) { http in
            try await LoopbackPort.withFullBacklog { port in
                let deadlines = HTTPDeadlines(connect: .milliseconds(500), idle: nil, total: nil)
                let error = try await expect(.httpNeverConnected) { try await get(http, port, deadlines: deadlines) }
                try expect(error.message.contains("connect deadline"), "The message is \(error.message)")
            }
        },
        Check(
            "a total deadline that ends before there is a connection is told as never connected",
            needs: .connectDeadline
        ) { http in
            try await LoopbackPort.withFullBacklog { port in
                let deadlines = HTTPDeadlines(
                    connect: .seconds(40),
                    idle: .milliseconds(100),
                    total: .milliseconds(500)
                )
                let error = try await expect(.httpNeverConnected) { try await get(http, port, deadlines: deadlines) }
                try expect(error.message.contains("total deadline"), "The message is \(error.message)")
            }
        },
        late("silence before the head", .init(idle: .seconds(1)), "idle deadline", []),
        late("silence in the body", .init(idle: .seconds(1)), "idle deadline", [.send(ten + "12")]),
        late("no head in time", .init(total: .seconds(3)), "total deadline", []),
        late("no end in time", .init(total: .seconds(3)), "total deadline", [.send(ten + "12")]),
        Check("a peer that takes nothing of the request's body ends in the idle deadline", needs: .requestStreaming) {
            http in
            let produced = try await upload(http, deadlines: HTTPDeadlines(idle: .seconds(1)))
            try expect(
                produced < 12 << 20,
                "\(produced >> 20) MB were taken from the body though the peer read nothing."
            )
        },
        Check("a caller that reads slowly does not run into the idle deadline") { http in
            let script: [RawHTTPServer.Step] = [
                .readHead, .send(head(of: 4 << 20)), .sendPattern(4 << 20), .awaitClose,
            ]
            try await RawHTTPServer.withServer(script) { server in
                let deadlines = HTTPDeadlines(idle: .seconds(5).patient)
                let reply = try await http.send(request(server), body: .none, deadlines: deadlines)
                var chunks = reply.body.makeAsyncIterator()
                var count = try await chunks.next()?.count ?? 0
                // Longer than the idle deadline, without reading.
                _ = try await server.stalled(quiet: .seconds(8).patient)
                while let chunk = try await chunks.next() { count += chunk.count }
                try expect(count == 4 << 20, "\(count) bytes came.")
            }
        },
    ]

    /// The checks of a cancelled caller's result, and of the connection being closed.
    static let cancellation: [Check] = [
        Check("cancelling before the head closes the connection") { http in
            try await RawHTTPServer.withServer([.readHead, .awaitClose]) { server in
                let port = server.port
                try await expectCancellation {
                    try await get(http, port)
                } when: {
                    try await server.reached(step: 1)
                }
                try await server.closed()
            }
        },
        Check("cancelling in the body closes the connection") { http in
            try await RawHTTPServer.withServer([.readHead, .send(ten + "12"), .awaitClose]) { server in
                let port = server.port
                let (started, writer) = ByteStream.makeStream()
                try await expectCancellation {
                    let reply = try await http.send(request(port: port), body: .none, deadlines: HTTPDeadlines())
                    for try await chunk in reply.body { try await writer.write(chunk) }
                } when: {
                    var chunks = started.makeAsyncIterator()
                    _ = try await chunks.next()
                }
                try await server.closed()
            }
        },
        Check("cancelling while connecting returns at once") { http in
            try await LoopbackPort.withFullBacklog { port in
                let deadlines = HTTPDeadlines(connect: .seconds(40))
                try await expectCancellation {
                    try await get(http, port, deadlines: deadlines)
                } when: {
                    for _ in 0..<100 { await Task.yield() }
                }
            }
        },
        Check("a task that is already cancelled sends nothing") { http in
            try await RawHTTPServer.withServer([.readHead, .send(empty), .awaitClose]) { server in
                let port = server.port
                try await expectCancellation {
                    withUnsafeCurrentTask { $0?.cancel() }
                    try await get(http, port)
                } when: {
                }
                try expect(server.connectionCount == 0, "It connected all the same.")
            }
        },
        Check(
            "cancelling while the request's body waits lets the body go and closes the connection",
            needs: .requestStreaming
        ) { http in
            try await RawHTTPServer.withServer([.readHead, .awaitClose]) { server in
                let port = server.port
                let (stream, _) = ByteStream.makeStream()
                try await expectCancellation {
                    let body = HTTPBody.stream(stream, length: 10)
                    _ = try await http.send(request(port: port, .post), body: body, deadlines: HTTPDeadlines())
                } when: {
                    try await server.reached(step: 1)
                }
                try await server.closed()
            }
        },
        Check("dropping an answer before its end closes the connection") { http in
            try await RawHTTPServer.withServer([.readHead, .send(ten + "12"), .awaitClose]) { server in
                do {
                    let reply = try await http.send(request(server), body: .none, deadlines: HTTPDeadlines())
                    try expect(reply.head.status == .ok, "The status is \(reply.head.status).")
                }
                try await server.closed()
            }
        },
    ]

    /// Bounded memory both ways.
    static let backPressure: [Check] = [
        Check("a reader that stops reading stops the peer, and gets everything later", needs: .responseBackPressure) {
            http in
            let size = 32 << 20
            let script: [RawHTTPServer.Step] = [.readHead, .send(head(of: size)), .sendPattern(size), .awaitClose]
            try await RawHTTPServer.withServer(script) { server in
                let reply = try await http.send(request(server), body: .none, deadlines: HTTPDeadlines())
                let sent = try await server.stalled()
                try expect(sent < 12 << 20, "\(sent >> 20) MB left the server though nothing was read.")
                var count = 0
                for try await chunk in reply.body {
                    let isRight =
                        chunk.first == UInt8(count % 251) && chunk.last == UInt8((count + chunk.count - 1) % 251)
                    try expect(isRight, "The body is wrong near byte \(count).")
                    count += chunk.count
                }
                try expect(count == size, "\(count) bytes came, not \(size).")
            }
        },
        Check("a peer that stops reading stops the producer of the request's body", needs: .requestStreaming) { http in
            let produced = try await upload(http, deadlines: HTTPDeadlines(idle: .seconds(1)))
            try expect(
                produced < 12 << 20,
                "\(produced >> 20) MB were taken from the body though the peer read nothing."
            )
        },
    ]

    private static func head(of size: Int) -> String { "HTTP/1.1 200 OK\r\nContent-Length: \(size)\r\n\r\n" }

    private static func late(
        _ name: String,
        _ deadlines: HTTPDeadlines,
        _ which: String,
        _ answer: [RawHTTPServer.Step]
    ) -> Check {
        Check("\(name) ends in the \(which)") { http in
            try await RawHTTPServer.withServer([.readHead] + answer + [.awaitClose]) { server in
                let error = try await expect(.timeout) { try await get(http, server.port, deadlines: deadlines) }
                try expect(error.message.contains(which), "The message is \(error.message)")
                try await server.closed()
                try expect(server.connectionCount == 1, "It connected \(server.connectionCount) times.")
            }
        }
    }

    /// Uploads 64 MB to a peer that stops reading, until the idle deadline; returns how many bytes were taken.
    private static func upload(_ http: any HTTPTransport, deadlines: HTTPDeadlines) async throws -> Int {
        let body = CountingBody(total: 64 << 20)
        try await RawHTTPServer.withServer([.readHead, .stopReading]) { server in
            let error = try await expect(.timeout) {
                let request = request(server, .post)
                _ = try await http.send(request, body: .stream(body, length: 64 << 20), deadlines: deadlines)
            }
            try expect(error.message.contains("idle deadline"), "The message is \(error.message)")
        }
        return body.produced.withLock(\.self)
    }
}

/// A body that counts what was taken from it.
private final class CountingBody: AsyncSequence, Sendable {
    typealias Element = [UInt8]
    typealias Failure = any Error

    let total: Int
    let produced = Mutex(0)

    init(total: Int) { self.total = total }

    struct Iterator: AsyncIteratorProtocol {
        let body: CountingBody

        mutating func next() async throws -> [UInt8]? {
            try Task.checkCancellation()
            let isLeft = body.produced.withLock { count in
                guard count < body.total else { return false }
                count += 64 * 1024
                return true
            }
            return isLeft ? [UInt8](repeating: 7, count: 64 * 1024) : nil
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(body: self) }
}

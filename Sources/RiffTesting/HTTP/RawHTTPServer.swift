// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOPosix

/// A server on the loopback interface that answers with exactly the bytes of its script, and misbehaves on demand; for
/// tests of HTTP clients. It knows no HTTP but the ends of heads and bodies.
public final class RawHTTPServer: Sendable {
    /// A step of the server on a connection, in order.
    public enum Step: Sendable, Hashable {
        /// Reads until the blank line after a request's head; what follows it is kept for the next step.
        case readHead
        /// Reads this many bytes after the head.
        case readBody(Int)
        /// Reads until the last chunk of a body in chunked coding (seen as its closing bytes).
        case readChunkedBody
        /// Writes these bytes.
        case send([UInt8])
        /// Writes this many bytes that count up from 0 to 250, again and again.
        case sendPattern(Int)
        /// Neither reads nor writes until the client closes or the server ends. A closing client is not noticed.
        case stopReading
        /// Reads and drops until the client closes.
        case awaitClose
        /// Closes properly.
        case close
        /// Closes with a reset (RST).
        case reset

        /// Writes a text.
        public static func send(_ text: String) -> Step { .send(Array(text.utf8)) }
    }

    /// The port on 127.0.0.1.
    public let port: Int
    private let log: RawHTTPLog

    private init(port: Int, log: RawHTTPLog) {
        self.port = port
        self.log = log
    }

    /// A server for the time of `body`.
    ///
    /// - Parameters:
    ///   - scripts: What to do on the first, the second, ... connection; the last one is repeated.
    ///   - body: What uses it.
    /// - Returns: What `body` returned.
    /// - Throws: What `body` threw, or what kept the server from listening.
    public static func withServer<Value: Sendable>(
        _ scripts: [Step]...,
        body: @Sendable (RawHTTPServer) async throws -> Value
    ) async throws -> Value {
        let (accepted, arrivals) = AsyncStream<RawHTTPConnection>.makeStream()
        let log = RawHTTPLog()
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            // Small buffers, so that a peer that does not read is felt early.
            .childChannelOption(.socketOption(.so_sndbuf), value: 64 * 1024)
            .childChannelOption(.socketOption(.so_rcvbuf), value: 64 * 1024)
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let connection = RawHTTPConnection(number: log.open(), channel: channel, log: log)
                    try channel.pipeline.syncOperations.addHandler(RawHTTPFeed(connection))
                    // Unbounded, but a test makes few connections.
                    arrivals.yield(connection)
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let server = RawHTTPServer(port: listener.localAddress?.port ?? 0, log: log)
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                await withDiscardingTaskGroup { connections in
                    for await connection in accepted {
                        let script = scripts.isEmpty ? [] : scripts[min(connection.number, scripts.count - 1)]
                        connections.addTask { await connection.run(script) }
                    }
                    connections.cancelAll()
                }
            }
            let result: Result<Value, any Error>
            do { result = .success(try await body(server)) } catch { result = .failure(error) }
            // The listener has no other owner; closing it cannot fail in a way that matters.
            try? await listener.close().get()
            arrivals.finish()
            group.cancelAll()
            return try result.get()
        }
    }

    /// The number of connections that were accepted.
    public var connectionCount: Int { log.snapshot.count }

    /// Returns the bytes that a connection has sent so far.
    public func received(on connection: Int = 0) -> [UInt8] {
        let all = log.snapshot
        return connection < all.count ? all[connection].received : []
    }

    /// Returns when a connection's script came to its `step`th step (0 is the first), or its end.
    public func reached(step: Int, on connection: Int = 0) async throws {
        try await log.wait { $0.count > connection && $0[connection].step >= step }
    }

    /// Returns when a connection is closed, by whomever.
    public func closed(_ connection: Int = 0) async throws {
        try await log.wait { $0.count > connection && $0[connection].isClosed }
    }

    /// Returns when a write has made no progress for this long: the client does not read.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - quiet: How long nothing may move.
    /// - Returns: How many bytes of the body were handed to the network by then, or all when the write went through.
    /// - Throws: `CancellationError`.
    public func stalled(_ connection: Int = 0, quiet: Duration = .milliseconds(300)) async throws -> Int {
        while true {
            let before = log.snapshot
            let known = connection < before.count ? before[connection] : nil
            if let known, known.isPatternSent { return known.patternBytes }
            // The quiet time is what is asked for, not a wait for something else to happen.
            try await ContinuousClock().sleep(for: quiet)
            let after = log.snapshot
            guard let known, after.count > connection, known.patternBytes > 0 else { continue }
            if after[connection].patternBytes == known.patternBytes { return known.patternBytes }
        }
    }
}

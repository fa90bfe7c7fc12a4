// Riff
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
internal import NIOCore
internal import NIOPosix
internal import RiffCore
public import RiffTransport
internal import Synchronization

// sample:
/// A web server on 127.0.0.1 that answers plain requests and opens WebSockets on one port, as a test scripts it.
///
/// ```swift
/// try await LoopbackWebServer.withServer { request in
///     switch request.head.path {
///     case "/api/sessions": .json("[]")
///     case "/ws": .webSocket { socket in
///             while let message = try await socket.receive() { try await socket.send(message) }
///         }
///     default: .json(#"{"detail":"Not Found"}"#, status: .notFound)
///     }
/// } body: { server in
///     // connect to ws://127.0.0.1:\(server.port)/ws
/// }
/// ```
public final class LoopbackWebServer: Sendable {
    /// A request with its whole body.
    public struct Request: Sendable {
        /// Method, path with its query, and fields.
        public let head: HTTPRequest
        /// The body of the request.
        public let body: [UInt8]
        /// Whether it asks for a WebSocket.
        public let asksForWebSocket: Bool
        /// The subprotocols that it offers.
        public let subprotocols: [String]
    }

    /// The answer to a request.
    public enum Answer: Sendable {
        /// An answer with its length; the connection stays open.
        case response(HTTPResponse, body: [UInt8] = [])
        /// Opens a WebSocket and plays its other end. It closes normally when the closure returns, and without a close
        /// frame when it throws.
        case webSocket(
            subprotocol: String? = nil,
            compression: WebSocketRequest.Compression? = nil,
            limits: WebSocketRequest.Limits = WebSocketRequest.Limits(),
            _ play: @Sendable (any WebSocketConnection) async throws -> Void
        )
        /// These bytes, whatever they are; then the script for the bytes that come, until it returns.
        case raw([UInt8], then: @Sendable (RawWebConnection) async throws -> Void = { _ in })
        /// Closes the connection without an answer.
        case drop

        /// A JSON answer.
        public static func json(_ text: String, status: HTTPResponse.Status = .ok) -> Answer {
            .response(
                HTTPResponse(status: status, headerFields: [.contentType: "application/json"]),
                body: Array(text.utf8)
            )
        }
    }

    /// Answers requests; called once for each, on many connections at once.
    public typealias Handler = @Sendable (Request) async throws -> Answer

    private struct State {
        var connections: [Int: (channel: any Channel, task: Task<Void, Never>?)] = [:]
        var requests: [Request] = []
        var lastNumber = 0
        var isStopped = false
    }

    /// The port, on 127.0.0.1.
    public let port: Int
    private let listener: any Channel
    private let state: SharedState

    private init(listener: any Channel, port: Int, state: SharedState) {
        self.listener = listener
        self.port = port
        self.state = state
    }

    /// The state that listener and connections share.
    final class SharedState: Sendable {
        let handler: Handler
        private let state = Mutex(State())

        init(_ handler: @escaping Handler) { self.handler = handler }

        var requests: [Request] { state.withLock { $0.requests } }
        func note(_ request: Request) { state.withLock { $0.requests.append(request) } }

        /// Starts a connection's task, unless the server is over.
        func open(_ channel: any Channel, _ pipe: BytePipe) {
            let number = state.withLock { state -> Int? in
                guard !state.isStopped else { return nil }
                state.lastNumber += 1
                state.connections[state.lastNumber] = (channel, nil)
                return state.lastNumber
            }
            guard let number else { return channel.close(promise: nil) }
            let task = Task {
                await LoopbackWebConnection(channel, pipe, self).run()
                self.state.withLock { _ = $0.connections.removeValue(forKey: number) }
            }
            state.withLock { state in
                if state.connections[number] != nil { state.connections[number]?.task = task }
                if state.isStopped { task.cancel() }
            }
        }

        func cutAll() { for (channel, _) in connections { channel.close(promise: nil) } }

        func stop() async {
            state.withLock { $0.isStopped = true }
            let connections = connections
            for (channel, task) in connections {
                task?.cancel()
                channel.close(promise: nil)
            }
            for (_, task) in connections { await task?.value }
        }

        private var connections: [(channel: any Channel, task: Task<Void, Never>?)] {
            state.withLock { Array($0.connections.values) }
        }
    }

    /// Starts a server on a free port, or on the one given.
    ///
    /// - Throws: ``TestingError`` with `portUnavailable`.
    public static func start(port: Int = 0, _ handler: @escaping Handler) async throws -> LoopbackWebServer {
        let state = SharedState(handler)
        do {
            let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.backlog, value: 256)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
                .childChannelOption(
                    .recvAllocator,
                    value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 16_384, maximum: 262_144)
                )
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let loop = channel.eventLoop
                        let pipe = BytePipe(onDrain: {
                            loop.execute {
                                channel.setOption(.autoRead, value: true).whenFailure { _ in }
                                channel.read()
                            }
                        })
                        try channel.pipeline.syncOperations.addHandler(LoopbackWebFeed(pipe))
                        state.open(channel, pipe)
                    }
                }
                .bind(host: "127.0.0.1", port: port).get()
            return LoopbackWebServer(listener: listener, port: listener.localAddress?.port ?? 0, state: state)
        } catch {
            throw TestingError(.portUnavailable, "No port of 127.0.0.1 can be listened on.", cause: error)
        }
    }

    /// A server for the time of `body`, stopped on every way out.
    public static func withServer<Value>(
        port: Int = 0,
        _ handler: @escaping Handler,
        body: (LoopbackWebServer) async throws -> Value
    ) async throws -> Value {
        let server = try await start(port: port, handler)
        do {
            let value = try await body(server)
            await server.stop()
            return value
        } catch {
            await server.stop()
            throw error
        }
    }

    /// Everything that was asked so far, WebSockets too.
    public var requests: [Request] { state.requests }

    /// Closes every connection without a word, and continues to accept new ones.
    public func cutAll() { state.cutAll() }

    /// Ends everything and returns when it is over.
    public func stop() async {
        // It fails only where it is closed already.
        try? await listener.close()
        await state.stop()
    }
}

/// A connection of a ``LoopbackWebServer`` as it is, for answers that no server should give.
public struct RawWebConnection: Sendable {
    let channel: any Channel
    let pipe: BytePipe

    /// The next bytes of the peer; `nil` at its end.
    public func receive() async throws -> [UInt8]? { try await pipe.next() }

    /// Sends bytes.
    public func send(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get() }
}

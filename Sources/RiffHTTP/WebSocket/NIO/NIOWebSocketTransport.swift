// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOPosix
#if HTTPClient
internal import NIOSSL
#endif
public import RiffCore
public import RiffTransport
internal import Synchronization

// sample:
/// WebSockets over TCP and TLS, on SwiftNIO: the ``WebSocketTransport`` for macOS, Linux and iOS.
///
/// ```swift
/// let sockets = try NIOWebSocketTransport()
/// let socket = try await sockets.connect(WebSocketRequest(WebSocketURL("ws://127.0.0.1:3460/ws")))
/// try await socket.send(.text("hello"))
/// while let message = try await socket.receive() { print(message) }
/// print(try await socket.ending())
/// ```
///
/// Connections share nothing, and each lives until it is closed or nobody holds it.
public final class NIOWebSocketTransport: WebSocketTransport {
    /// The configuration of a transport's connections.
    public struct Configuration: Sendable, Hashable {
        /// Paths of PEM files with certificates to trust beside the system's, for servers with a private authority.
        public var additionalTrustRoots: [String]

        /// The system's trust roots, unless said otherwise.
        public init(additionalTrustRoots: [String] = []) { self.additionalTrustRoots = additionalTrustRoots }
    }

    #if HTTPClient
    private let tls: TLSConfiguration
    #endif

    private let dialer: any HostDialer

    /// Creates a transport; no connection is made yet.
    ///
    /// - Parameters:
    ///   - configuration: How it connects.
    ///   - dialer: Who opens the connections: sockets of the system, unless another one is given. TLS and the WebSocket
    ///     go over what it opens.
    /// - Throws: `TransportError` with `httpTrustRoots` when a trust root cannot be read.
    public init(
        _ configuration: Configuration = Configuration(),
        dialer: any HostDialer = .network
    ) throws(TransportError) {
        self.dialer = dialer
        #if HTTPClient
        var tls = TLSConfiguration.makeClientConfiguration()
        // RFC 8996: the versions before are not to be used.
        tls.minimumTLSVersion = .tlsv12
        tls.additionalTrustRoots = try AsyncHTTPTransport.trustRoots(configuration.additionalTrustRoots)
        tls.applicationProtocols = ["http/1.1"]
        self.tls = tls
        #endif
    }

    /// Opens a connection; see ``WebSocketTransport/connect(_:)``.
    public func connect(_ request: WebSocketRequest) async throws -> any WebSocketConnection {
        try Task.checkCancellation()
        try request.validate()
        let outcome = EventualValue<Result<NIOWebSocketConnection, any Error>>()
        let attempt = WebSocketAttempt()
        let (host, port) = request.url.endpoint
        let initialize: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
            attempt.add(channel)
                ? channel.eventLoop.makeSucceededVoidFuture()
                : channel.eventLoop.makeFailedFuture(CancellationError())
        }
        let handlers = try opening(request, host: host, outcome)
        guard dialer is NetworkDialer else {
            return try await connect(request, attempt, initialize, handlers, outcome)
        }
        var bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.socketOption(.tcp_nodelay), value: 1)
            .channelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 65_536, maximum: 262_144)
            )
            .channelInitializer(initialize)
        bootstrap = bootstrap.connectTimeout(request.connectDeadline.map { TimeAmount(webSocket: $0) } ?? .hours(24))
        bootstrap.connect(host: host, port: port).whenComplete { result in
            switch result {
            case .success(let channel): handlers(channel)
            case .failure(let error):
                outcome.resolve(.failure(TransportError(webSocketNeverConnected: error, request)))
            }
        }
        do {
            return try await outcome.cancellableValue().get()
        } catch {
            // Cancelled: what there is, or will be, goes.
            attempt.abandon()
            try Task.checkCancellation()
            throw error
        }
    }

    /// Connects over what the dialer opens.
    private func connect(
        _ request: WebSocketRequest,
        _ attempt: WebSocketAttempt,
        _ initialize: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>,
        _ handlers: @Sendable (any Channel) -> Void,
        _ outcome: EventualValue<Result<NIOWebSocketConnection, any Error>>
    ) async throws -> any WebSocketConnection {
        let (channel, failure) = try await WebSocketDial(dialer: dialer, request: request).connect(initialize)
        handlers(channel)
        do {
            return try await outcome.cancellableValue().get()
        } catch {
            attempt.abandon()
            try Task.checkCancellation()
            // What carried it may know better than the handshake why it ended, which may not even have begun.
            let known = error as? TransportError
            if known == nil || known?.code == .connectionLost, let reason = failure.current {
                throw TransportError(webSocketNeverConnected: reason, request)
            }
            throw known ?? TransportError(webSocket: error, request.url)
        }
    }

    /// Puts the handlers onto a connected channel.
    private func opening(
        _ request: WebSocketRequest,
        host: String,
        _ outcome: EventualValue<Result<NIOWebSocketConnection, any Error>>
    ) throws -> @Sendable (any Channel) -> Void {
        #if HTTPClient
        let ssl: NIOSSLContext?
        do {
            ssl = request.url.isSecure ? try NIOSSLContext(configuration: tls) : nil
        } catch {
            throw TransportError(.tlsFailed, "\(request.url): TLS cannot be set up.", cause: error)
        }
        #else
        guard !request.url.isSecure else {
            throw TransportError(.tlsFailed, "\(request.url): this build has no TLS (trait HTTPClient).")
        }
        #endif
        let deadline = request.connectDeadline.map { NIODeadline.now() + TimeAmount(webSocket: $0) }
        return { channel in
            channel.eventLoop.execute {
                do {
                    let pipeline = channel.pipeline.syncOperations
                    #if HTTPClient
                    if let ssl {
                        // An address cannot be a name in the handshake; the certificate is then checked for it.
                        let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
                        try pipeline.addHandler(
                            NIOSSLClientHandler(context: ssl, serverHostname: isAddress ? nil : host)
                        )
                    }
                    #endif
                    try pipeline.addHandler(WebSocketOpening(request, deadline: deadline, outcome))
                } catch {
                    outcome.resolve(.failure(error))
                    channel.close(promise: nil)
                }
            }
        }
    }
}

/// The channels of one attempt to connect, to close them when it is not waited for any more.
private final class WebSocketAttempt: Sendable {
    private let state = Mutex((channels: [any Channel](), isAbandoned: false))

    /// Adds a channel, and returns whether the attempt continues.
    func add(_ channel: any Channel) -> Bool {
        state.withLock { state in
            guard !state.isAbandoned else { return false }
            state.channels.append(channel)
            return true
        }
    }

    func abandon() {
        let channels = state.withLock { state in
            state.isAbandoned = true
            defer { state.channels = [] }
            return state.channels
        }
        for channel in channels { channel.close(promise: nil) }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOPosix
internal import RiffCore

/// Connects one socket: the options that all connections of this target have, the limit, and cancellation.
struct SocketDial {
    /// The address to connect to.
    enum Target {
        /// A port; the addresses stand in for the system's resolver.
        case port(HostAddress, FixedAddresses? = nil)
        /// A socket of this machine, by its path.
        case unixSocket(String)
    }

    private let target: Target
    private let loop: any EventLoop
    private let limit: Duration

    /// - Parameters:
    ///   - target: Where to.
    ///   - loop: Where the socket lives.
    ///   - limit: How long it may take, the look-up of the name included.
    init(_ target: Target, on loop: any EventLoop, within limit: Duration) {
        self.target = target
        self.loop = loop
        self.limit = limit
    }

    /// Connects to the target. Nothing is read before it is asked for.
    ///
    /// - Parameters:
    ///   - isHalfCloseable: Whether the end of the peer's bytes leaves our way open.
    ///   - make: Adds a handler to the socket's channel, on the event loop; once for each address that is tried.
    /// - Returns: What was made for the socket that came up first.
    /// - Throws: What SwiftNIO throws; `ChannelError.connectTimeout` past the limit; `CancellationError`.
    func connect<End: Sendable>(
        isHalfCloseable: Bool = false,
        _ make: @escaping @Sendable (any Channel) throws -> End
    ) async throws -> End {
        // Kept apart from the pipelines, which a server that closes at once empties before they can be asked; several,
        // because a name may have several addresses that are tried at once.
        let ends = NIOLoopBoundBox<[ObjectIdentifier: End]>.makeBoxSendingValue([:], eventLoop: loop)
        let bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(limit))
            .channelOption(.autoRead, value: false)
            .channelOption(.allowRemoteHalfClosure, value: isHalfCloseable)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { ends.value[ObjectIdentifier(channel)] = try make(channel) }
            }
        let outcome = EventualValue<Result<(any Channel, End), any Error>>()
        start(Self.tuned(bootstrap)).flatMapThrowing { channel in
            guard let end = ends.value[ObjectIdentifier(channel)] else { throw ChannelError.alreadyClosed }
            ends.value = [:]
            return (channel, end)
        }.whenComplete { result in
            // Nobody waits any more.
            if !outcome.resolve(result), case .success(let (channel, _)) = result { channel.close(promise: nil) }
        }
        // NIO's own limit begins only when the name was found.
        let deadline = loop.scheduleTask(in: TimeAmount(limit)) {
            _ = outcome.resolve(.failure(ChannelError.connectTimeout(TimeAmount(limit))))
        }
        defer { deadline.cancel() }
        do {
            return try await outcome.cancellableValue().get().1
        } catch is CancellationError {
            // A cancelled dial does not wait for the socket, which is closed when it comes up.
            if !outcome.resolve(.failure(CancellationError())), case .success(let (channel, _))? = outcome.current {
                channel.close(promise: nil)
            }
            throw CancellationError()
        }
    }

    private func start(_ bootstrap: ClientBootstrap) -> EventLoopFuture<any Channel> {
        switch target {
        case .port(let address, let addresses):
            Self.withOptionsOfTCP(bootstrap).resolver(addresses.map { FixedResolver($0, on: loop) })
                .connect(host: address.name, port: address.port)
        case .unixSocket(let path): bootstrap.connect(unixDomainSocketPath: path)
        }
    }

    private static func tuned(_ bootstrap: ClientBootstrap) -> ClientBootstrap {
        bootstrap
            // One read a turn: between two, the loop looks at keystrokes, which so wait for 64 KiB at most.
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(.writeBufferWaterMark, value: .init(low: 64 * 1024, high: 256 * 1024))
            .channelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 4096, maximum: 64 * 1024)
            )
    }

    private static func withOptionsOfTCP(_ bootstrap: ClientBootstrap) -> ClientBootstrap {
        let bootstrap =
            bootstrap
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.socketOption(.so_keepalive), value: 1)
        #if os(Linux)
        // Tells of a dead peer when our bytes are not acknowledged for 30 s; in milliseconds (tcp(7)).
        return bootstrap.channelOption(
            ChannelOptions.Types.SocketOption(level: .tcp, name: NIOBSDSocket.Option(rawValue: 18)),
            value: 30_000
        )
        #else
        return bootstrap
        #endif
    }
}

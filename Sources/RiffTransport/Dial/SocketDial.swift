// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOPosix
internal import RiffCore

/// A channel handler at the end of a socket that is being connected.
protocol SocketEnd: ChannelHandler, SendableMetatype {
    /// Closes the socket; called on its event loop.
    func close()
}

/// Connects one socket: the options that all connections of this target have, the limit, and cancellation.
struct SocketDial {
    private let address: HostAddress
    private let loop: any EventLoop
    private let limit: Duration
    private let addresses: FixedAddresses?

    /// - Parameters:
    ///   - address: Where to.
    ///   - loop: Where the socket lives.
    ///   - limit: How long it may take, the look-up of the name included.
    ///   - addresses: Stands in for the system's resolver.
    init(
        _ address: HostAddress,
        on loop: any EventLoop,
        within limit: Duration,
        addresses: FixedAddresses? = nil
    ) {
        self.address = address
        self.loop = loop
        self.limit = limit
        self.addresses = addresses
    }

    /// Connects.
    ///
    /// - Parameters:
    ///   - isHalfCloseable: Whether the end of the peer's bytes leaves our way open.
    ///   - readsAtOnce: Whether it is read before somebody asks for it.
    ///   - make: Makes the handler, on the event loop; once for each address that is tried.
    /// - Returns: The handler of the socket that came up first.
    /// - Throws: `TransportError` with `hostNotFound`, `connectionRefused` or `unreachable`; `CancellationError`.
    func connect<End: SocketEnd>(
        isHalfCloseable: Bool = false,
        readsAtOnce: Bool = true,
        _ make: @escaping @Sendable () -> End
    ) async throws -> NIOLoopBound<End> {
        // Kept apart from the pipelines, which a server that closes at once empties before they can be asked; several,
        // because a name may have several addresses that are tried at once.
        let ends = NIOLoopBoundBox<[ObjectIdentifier: End]>.makeBoxSendingValue([:], eventLoop: loop)
        let attempt = Self.bootstrap(on: loop)
            .connectTimeout(TimeAmount(limit))
            .resolver(addresses.map { FixedResolver($0, on: loop) })
            .channelOption(.autoRead, value: readsAtOnce)
            .channelOption(.allowRemoteHalfClosure, value: isHalfCloseable)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let end = make()
                    ends.value[ObjectIdentifier(channel)] = end
                    try channel.pipeline.syncOperations.addHandler(end)
                }
            }.connect(host: address.name, port: address.port)
        let connected = attempt.flatMapThrowing { channel in
            guard let end = ends.value[ObjectIdentifier(channel)] else { throw ChannelError.alreadyClosed }
            ends.value = [:]
            return NIOLoopBound(end, eventLoop: channel.eventLoop)
        }
        let outcome = EventualValue<Result<NIOLoopBound<End>, any Error>>()
        connected.whenComplete { result in
            // Nobody waits any more.
            if !outcome.resolve(result), case .success(let end) = result { end.value.close() }
        }
        // NIO's own limit begins only when the name was found.
        let deadline = loop.scheduleTask(in: TimeAmount(limit)) {
            _ = outcome.resolve(.failure(ChannelError.connectTimeout(TimeAmount(limit))))
        }
        defer { deadline.cancel() }
        do {
            return try await outcome.cancellableValue().get()
        } catch is CancellationError {
            // A cancelled dial does not wait for the socket, which is closed when it comes up.
            if !outcome.resolve(.failure(CancellationError())), case .success(let end)? = outcome.current {
                loop.execute { end.value.close() }
            }
            throw CancellationError()
        } catch {
            throw TransportError.dialFailure(error, address: address, limit: limit)
        }
    }

    private static func bootstrap(on loop: any EventLoop) -> ClientBootstrap {
        let bootstrap = ClientBootstrap(group: loop)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            // One read a turn: between two, the loop looks at keystrokes, which so wait for 64 KiB at most.
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(.writeBufferWaterMark, value: .init(low: 64 * 1024, high: 256 * 1024))
            .channelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 4096, maximum: 64 * 1024)
            )
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

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOPosix
public import RiffCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A TCP connection as a wire: hands what arrives to its SSH connection, on the event loop.
final class SSHSocketWire: SSHWire, ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private weak var connection: SSHConnection?
    private var channel: (any Channel)?
    /// What came before there was a connection. Nothing is asked for before, but a socket that the server closes at
    /// once hands over what it said.
    private var early: [ByteBuffer] = []
    private var hasEnded = false
    private var pacing = SSHReadPacing()
    private var context: ChannelHandlerContext?
    /// Ends a pause in reading.
    private var resumption: Scheduled<Void>?

    /// The connection this wire works for; set once, on the event loop. Nothing is read before, so that no byte of the
    /// server's greeting can come too early.
    func attach(_ connection: SSHConnection) {
        self.connection = connection
        for buffer in early { deliver(buffer) }
        early = []
        if hasEnded { return connection.assumeIsolated { $0.receiveEnd() } }
        channel?.setOption(.autoRead, value: true).whenFailure { [weak connection] _ in
            // The socket was closed in the meantime.
            connection?.assumeIsolated { $0.receiveEnd() }
        }
    }

    var isWritable: Bool { channel?.isWritable ?? false }

    func send(_ bytes: [UInt8]) {
        guard let channel else { return }
        var buffer = channel.allocator.buffer(capacity: bytes.count)
        buffer.writeBytes(bytes)
        channel.writeAndFlush(buffer, promise: nil)
        pacing.didSend()
        resumeReading()
    }

    func close() {
        channel?.close(promise: nil)
        channel = nil
        connection = nil
    }

    func abort() {
        // Else the system goes on sending what was not acknowledged, and keys of this connection could reach their
        // program after those of the next one: socket(7), SO_LINGER.
        let now = linger(l_onoff: 1, l_linger: 0)
        // A socket that is closed already has nothing to send.
        (channel as? any SocketOptionProvider)?.setSoLinger(now).whenFailure { _ in }
        close()
    }

    // MARK: ChannelDuplexHandler

    func handlerAdded(context: ChannelHandlerContext) {
        channel = context.channel
        self.context = context
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        resumption?.cancel()
        self.context = nil
    }

    /// Asked for after each read.
    func read(context: ChannelHandlerContext) {
        let isTyping = connection?.assumeIsolated { $0.engine.isTyping } ?? true
        guard pacing.isFlooded, !isTyping else { return context.read() }
        guard resumption == nil else { return }
        let loop = context.eventLoop.assumeIsolated()
        resumption = loop.scheduleTask(in: TimeAmount(SSHReadPacing.pause)) { [weak self] in self?.resumeReading() }
    }

    private func resumeReading() {
        guard let resumption else { return }
        resumption.cancel()
        self.resumption = nil
        context?.read()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let buffer = unwrapInboundIn(data)
        pacing.didRead(buffer.readableBytes, at: NIODeadline.now().uptimeNanoseconds)
        if connection == nil, channel != nil { early.append(buffer) } else { deliver(buffer) }
    }

    private func deliver(_ buffer: ByteBuffer) {
        connection?.assumeIsolated { connection in
            buffer.withUnsafeReadableBytes { connection.receive($0) }
        }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) { connection?.assumeIsolated { $0.pump() } }

    func channelInactive(context: ChannelHandlerContext) {
        hasEnded = true
        let connection = connection
        connection?.assumeIsolated { $0.receiveEnd() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A reset by the peer arrives here before the channel becomes inactive; it is an end like any other.
        let connection = connection
        connection?.assumeIsolated { $0.receiveEnd() }
        context.close(promise: nil)
    }

    // MARK: Dialing

    /// Connects a socket.
    ///
    /// - Throws: `TransportError` with `hostNotFound`, `connectionRefused`, `unreachable` or `timeout`.
    static func connect(
        to address: HostAddress,
        on loop: any EventLoop,
        within limit: Duration
    ) async throws -> NIOLoopBound<SSHSocketWire> {
        let bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(limit))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            // One read a turn: between two, the loop looks at keystrokes, which so wait for 64 KiB at most.
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(.autoRead, value: false)
            .channelOption(.writeBufferWaterMark, value: .init(low: 64 * 1024, high: 256 * 1024))
            .channelOption(
                .recvAllocator,
                value: AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: 4096, maximum: 64 * 1024)
            )
        #if os(Linux)
        // Tells of a dead peer when our bytes are not acknowledged for 30 s; in milliseconds (tcp(7)).
        let bootstrapWithTimeout = bootstrap.channelOption(
            ChannelOptions.Types.SocketOption(level: .tcp, name: NIOBSDSocket.Option(rawValue: 18)),
            value: 30_000
        )
        #else
        let bootstrapWithTimeout = bootstrap
        #endif
        // Kept apart from the pipelines, which a server that closes at once empties before they can be asked; several,
        // because a name may have several addresses that are tried at once.
        let wires = NIOLoopBoundBox<[ObjectIdentifier: SSHSocketWire]>.makeBoxSendingValue([:], eventLoop: loop)
        let attempt = bootstrapWithTimeout.channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                let wire = SSHSocketWire()
                wires.value[ObjectIdentifier(channel)] = wire
                try channel.pipeline.syncOperations.addHandler(wire)
            }
        }.connect(host: address.name, port: address.port)
        let connected = attempt.flatMapThrowing { channel in
            guard let wire = wires.value[ObjectIdentifier(channel)] else { throw ChannelError.alreadyClosed }
            wires.value = [:]
            return NIOLoopBound(wire, eventLoop: channel.eventLoop)
        }
        let outcome = EventualValue<Result<NIOLoopBound<SSHSocketWire>, any Error>>()
        connected.whenComplete { result in
            // Nobody waits any more.
            if !outcome.resolve(result), case .success(let wire) = result { wire.value.close() }
        }
        // NIO's own limit begins only when the name was found.
        let deadline = loop.scheduleTask(in: TimeAmount(limit)) {
            _ = outcome.resolve(.failure(ChannelError.connectTimeout(TimeAmount(limit))))
        }
        defer { deadline.cancel() }
        do {
            do {
                return try await outcome.cancellableValue().get()
            } catch is CancellationError {
                // A cancelled dial does not wait for the socket, which is closed when it comes up.
                if !outcome.resolve(.failure(CancellationError())), case .success(let wire)? = outcome.current {
                    loop.execute { wire.value.close() }
                }
                throw CancellationError()
            }
        } catch let error as CancellationError {
            throw error
        } catch {
            throw TransportError.dialFailure(error, address: address, limit: limit)
        }
    }
}

extension TransportError {
    /// Says why a socket could not be connected.
    static func dialFailure(_ error: any Error, address: HostAddress, limit: Duration) -> TransportError {
        guard let failure = error as? NIOConnectionError else {
            if case ChannelError.connectTimeout = error {
                return unreachable(address, "it did not answer in \(limit)", error)
            }
            if let io = error as? IOError { return refusal(io, address) }
            return unreachable(address, "\(error)", error)
        }
        if let single = failure.connectionErrors.first {
            return dialFailure(single.error, address: address, limit: limit)
        }
        let problem = ConnectionProblem.unknownHost(host: address)
        return TransportError(.hostNotFound, problem, cause: failure.dnsAError ?? error)
    }

    private static func refusal(_ error: IOError, _ address: HostAddress) -> TransportError {
        guard error.errnoCode == ECONNREFUSED else { return unreachable(address, error.localizedReason, error) }
        return TransportError(.connectionRefused, ConnectionProblem.refused(host: address), cause: error)
    }

    private static func unreachable(_ address: HostAddress, _ reason: String, _ cause: any Error) -> TransportError {
        TransportError(.unreachable, ConnectionProblem.unreachable(host: address, reason: reason), cause: cause)
    }

    /// An error in the words that all front ends share.
    init(_ code: Code, _ problem: ConnectionProblem, cause: (any Error)? = nil) {
        self.init(code, problem.message, recovery: problem.recovery, cause: cause)
    }
}

extension IOError {
    /// The system's words for the error number.
    fileprivate var localizedReason: String { String(cString: strerror(errnoCode)) }
}

extension TransportErrorCode {
    /// The host's name could not be resolved.
    public static let hostNotFound = TransportError.Code(rawValue: "hostNotFound")
    /// Nothing listens on the host's port.
    public static let connectionRefused = TransportError.Code(rawValue: "connectionRefused")
    /// The host does not answer, or there is no way to it.
    public static let unreachable = TransportError.Code(rawValue: "unreachable")
}

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
final class SSHSocketWire: SSHWire, SocketEnd, ChannelDuplexHandler {
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
    /// - Throws: `TransportError` with `hostNotFound`, `connectionRefused` or `unreachable`; `CancellationError`.
    static func connect(
        to address: HostAddress,
        on loop: any EventLoop,
        within limit: Duration,
        addresses: FixedAddresses? = nil
    ) async throws -> NIOLoopBound<SSHSocketWire> {
        try await SocketDial(address, on: loop, within: limit, addresses: addresses)
            .connect(readsAtOnce: false) { SSHSocketWire() }
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
        // Several addresses may have failed in several ways. One that refuses is a machine that is on, which says more
        // than that there is no IPv6 here.
        let errors = failure.connectionErrors.map(\.error)
        if let telling = errors.first(where: { ($0 as? IOError)?.errnoCode == ECONNREFUSED }) ?? errors.first {
            return dialFailure(telling, address: address, limit: limit)
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

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOPosix
internal import RiffCore

/// A connected socket of this machine as a byte channel.
///
/// Letting go of it closes the socket. The socket's pipeline knows it by its two pipes alone.
final class SocketChannel: ByteChannel {
    let output: ByteStream
    let diagnostics: ByteStream
    private let incoming: BytePipe
    private let outgoing: BytePipe
    private let channel: any Channel
    private let ends: SocketChannelHandler.Ends

    private init(_ channel: any Channel, _ handler: SocketChannelHandler) {
        self.channel = channel
        ends = handler.ends
        incoming = handler.incoming
        outgoing = handler.outgoing
        output = ByteStream(incoming)
        let none = BytePipe()
        none.finish()
        diagnostics = ByteStream(none)
    }

    deinit {
        let channel = channel
        // Later, also on the event loop itself: an abort may have its steps waiting there.
        channel.eventLoop.execute { channel.close(promise: nil) }
    }

    /// Takes a socket's channel over: on its event loop, before anything was read from it. It must not read by itself,
    /// and let each way end alone.
    static func make(on channel: any Channel) throws -> SocketChannel {
        let pump: @Sendable () -> Void = { request(.pump, of: channel) }
        let handler = SocketChannelHandler(
            incoming: BytePipe(onDrain: pump),
            outgoing: BytePipe(onReadable: pump)
        )
        try channel.pipeline.syncOperations.addHandler(handler)
        return SocketChannel(channel, handler)
    }

    /// Takes a connected socket over, which is closed with the channel; also where this throws.
    static func adopt(_ descriptor: CInt) async throws -> SocketChannel {
        try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.autoRead, value: false)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .withConnectedSocket(descriptor) { channel in
                channel.eventLoop.makeCompletedFuture { try make(on: channel) }
            }
    }

    /// Connects to a target within a time limit.
    ///
    /// - Throws: As ``SocketDial/connect(isHalfCloseable:_:)``.
    static func connect(to target: SocketDial.Target, within limit: Duration) async throws -> SocketChannel {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        return try await SocketDial(target, on: loop, within: limit)
            .connect(isHalfCloseable: true) { try make(on: $0) }
    }

    private static func request(_ request: SocketChannelHandler.Request, of channel: any Channel) {
        channel.triggerUserOutboundEvent(request, promise: nil)
    }

    // MARK: Pipes of others

    /// For pipes that become the socket's own (``splice(incoming:outgoing:)``).
    var hooks: SSHTunnelHooks {
        let channel = channel
        let pump: @Sendable () -> Void = { Self.request(.pump, of: channel) }
        return SSHTunnelHooks(onOutput: pump, onDrain: pump)
    }

    /// Moves bytes between the socket and two pipes from now on, without a task in between; both must have its
    /// ``hooks``. ``output`` and ``write(_:)`` are over with that.
    ///
    /// - Parameters:
    ///   - incoming: Takes what the peer of the socket sends.
    ///   - outgoing: Has what goes to it. At its failure the socket stays as it is.
    func splice(incoming: BytePipe, outgoing: BytePipe) {
        Self.request(.splice(incoming: incoming, outgoing: outgoing), of: channel)
    }

    // MARK: Bytes

    func write(_ bytes: [UInt8]) async throws { try await outgoing.send(bytes) }

    func finishWriting() async throws { outgoing.finish() }

    // MARK: The end

    /// Closes both ways after what was written, and no later than a second from now.
    func close() async {
        finishPipes("The connection was closed on this side.")
        Self.request(.close, of: channel)
        _ = await ends.closed.value()
    }

    /// Ends the writing, waits until all of it was handed to the system, and closes; a cancelled task does not wait.
    func finish() async {
        outgoing.finish()
        // A cancelled task closes at once.
        guard (try? await ends.flushed.cancellableValue()) != nil else { return }
        await close()
    }

    /// Resets a socket that is open, on any thread: its peer is not to take it for a proper end.
    func reset() {
        guard !isBroken else { return }
        finishPipes("The connection was given up on this side.")
        channel.reset()
    }

    func abort() async {
        reset()
        _ = await ends.closed.value()
    }

    private func finishPipes(_ words: String) {
        let failure = TransportError(.closed, words)
        incoming.finish(throwing: failure)
        outgoing.finish(throwing: failure)
    }

    /// Whether the socket is gone.
    var isBroken: Bool { ends.closed.current != nil }

    /// Waits until the socket is gone; the end of what the peer sends is not the end of it.
    ///
    /// - Throws: What broke the connection; `CancellationError`.
    func waitUntilClosed() async throws {
        if let failure = try await ends.closed.cancellableValue() { throw failure }
    }

    /// There is no command: the peer has closed when it sends no more.
    func exitStatus() async throws -> ExitStatus? { try await ends.ended.cancellableValue().get() }
}

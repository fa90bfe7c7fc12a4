// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOPosix
internal import RiffCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// A connected socket of this machine as a byte channel.
///
/// Letting go of it closes the socket. The socket's pipeline knows it by its two pipes alone.
final class ForwardSocket: ByteChannel {
    /// Bytes that the peer sent and nobody took yet, and bytes that wait for the peer.
    private static let bufferedBytes = 256 * 1024

    let output: ByteStream
    let diagnostics: ByteStream
    private let incoming: BytePipe
    private let outgoing: BytePipe
    private let channel: any Channel
    private let end: EventualValue<TransportError?>
    /// Comes when all that was written was handed to the system, and the end of it.
    private let flushed: EventualValue<Void>

    private init(_ channel: any Channel, _ handler: ForwardSocketHandler) {
        self.channel = channel
        incoming = handler.incoming
        outgoing = handler.outgoing
        end = handler.end
        flushed = handler.flushed
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

    /// Takes a socket's channel over: on its event loop, before anything was read from it.
    static func make(on channel: any Channel) throws -> ForwardSocket {
        let pump: @Sendable () -> Void = { channel.triggerUserOutboundEvent(ForwardSocketHandler.Pump(), promise: nil) }
        let handler = ForwardSocketHandler(
            incoming: BytePipe(highWater: bufferedBytes, onDrain: pump),
            outgoing: BytePipe(highWater: bufferedBytes, onReadable: pump)
        )
        try channel.pipeline.syncOperations.addHandler(handler)
        return ForwardSocket(channel, handler)
    }

    /// For pipes that become the socket's own (``splice(incoming:outgoing:)``).
    var hooks: SSHTunnelHooks {
        let channel = channel
        let pump: @Sendable () -> Void = { channel.triggerUserOutboundEvent(ForwardSocketHandler.Pump(), promise: nil) }
        return SSHTunnelHooks(onOutput: pump, onDrain: pump)
    }

    /// Moves bytes between the socket and two pipes from now on, without a task in between; both must have its
    /// ``hooks``. ``next()`` and ``write(_:)`` are over with that.
    ///
    /// - Parameters:
    ///   - incoming: Takes what the peer of the socket sends.
    ///   - outgoing: Has what goes to it. At its failure the socket stays as it is.
    func splice(incoming: BytePipe, outgoing: BytePipe) {
        let splice = ForwardSocketHandler.Splice(incoming: incoming, outgoing: outgoing)
        channel.triggerUserOutboundEvent(splice, promise: nil)
    }

    /// Whether the socket is gone.
    var isBroken: Bool { end.current != nil }

    /// The next bytes; `nil` at the peer's end.
    func next() async throws -> [UInt8]? { try await incoming.next() }

    func write(_ bytes: [UInt8]) async throws { try await outgoing.send(bytes) }

    func finishWriting() async throws { outgoing.finish() }

    func close() async {
        outgoing.finish()
        channel.close(promise: nil)
        _ = await end.value()
    }

    /// Ends the writing, waits until all of it was handed to the system, and closes; a cancelled task does not wait.
    func finish() async {
        outgoing.finish()
        // A cancelled task closes at once.
        guard (try? await flushed.cancellableValue()) != nil else { return }
        await close()
    }

    /// Resets a socket that is open: its peer is not to take it for a proper end.
    func reset() {
        guard end.current == nil else { return }
        // Closed at once, and what was not acknowledged is dropped: socket(7), SO_LINGER.
        let now = linger(l_onoff: 1, l_linger: 0)
        (channel as? any SocketOptionProvider)?.setSoLinger(now).whenFailure { _ in }
        channel.close(promise: nil)
    }

    func abort() async {
        reset()
        await close()
    }

    /// Waits until the socket is gone; the end of what the peer sends is not the end of it.
    func waitUntilClosed() async {
        // A cancelled task does not wait.
        _ = try? await end.cancellableValue()
    }

    func exitStatus() async throws -> ExitStatus? {
        if let error = try await end.cancellableValue() { throw error }
        return nil
    }
}

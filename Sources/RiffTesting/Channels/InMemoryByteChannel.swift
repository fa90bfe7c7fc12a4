// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffTransport

/// One end of a pair of channels in memory: what one end writes, the other reads.
public final class InMemoryByteChannel: ByteChannel {
    /// The bytes that the other end wrote. Throws `connectionLost` where the other end used ``cut()``.
    public let output: ByteStream
    /// The bytes that the other end wrote with ``writeDiagnostics(_:)``.
    public let diagnostics: ByteStream

    private let incoming: BytePipe
    private let outgoing: BytePipe
    private let incomingDiagnostics: BytePipe
    private let outgoingDiagnostics: BytePipe
    /// The way that this end's command ended, reported to the other end; and the other way round.
    private let ownStatus: EventualValue<Result<ExitStatus?, TransportError>>
    private let peerStatus: EventualValue<Result<ExitStatus?, TransportError>>

    private init(
        incoming: (BytePipe, BytePipe),
        outgoing: (BytePipe, BytePipe),
        ownStatus: EventualValue<Result<ExitStatus?, TransportError>>,
        peerStatus: EventualValue<Result<ExitStatus?, TransportError>>
    ) {
        (self.incoming, incomingDiagnostics) = incoming
        (self.outgoing, outgoingDiagnostics) = outgoing
        output = ByteStream(incoming.0)
        diagnostics = ByteStream(incoming.1)
        self.ownStatus = ownStatus
        self.peerStatus = peerStatus
    }

    /// Two ends.
    ///
    /// - Parameter bufferedBytes: How much may wait on either way before its writer suspends.
    /// - Returns: Both, alike.
    public static func makePair(
        bufferedBytes: Int = 64 * 1024
    ) -> (InMemoryByteChannel, InMemoryByteChannel) {
        let there = (BytePipe(highWater: bufferedBytes), BytePipe(highWater: bufferedBytes))
        let back = (BytePipe(highWater: bufferedBytes), BytePipe(highWater: bufferedBytes))
        let first = EventualValue<Result<ExitStatus?, TransportError>>()
        let second = EventualValue<Result<ExitStatus?, TransportError>>()
        return (
            InMemoryByteChannel(incoming: back, outgoing: there, ownStatus: first, peerStatus: second),
            InMemoryByteChannel(incoming: there, outgoing: back, ownStatus: second, peerStatus: first)
        )
    }

    /// Sends bytes to the other end; suspends while it does not read them.
    public func write(_ bytes: [UInt8]) async throws { try await outgoing.send(bytes) }

    /// Ends the other end's `output`.
    public func finishWriting() async throws { outgoing.finish() }

    /// Closes both ways: the other end sees the end, and writes of either throw `closed`.
    public func close() async { end(nil) }

    /// Suspends until the other end was closed or ended.
    public func exitStatus() async throws -> ExitStatus? { try await peerStatus.cancellableValue().get() }

    // MARK: Playing a command

    /// Sends bytes to the other end's `diagnostics`; what is too much there is dropped, oldest first.
    public func writeDiagnostics(_ bytes: [UInt8]) { outgoingDiagnostics.offerDroppingOldest(bytes) }

    /// Ends as a command does: the other end sees the end of both streams, then this status.
    public func end(_ status: ExitStatus?) {
        outgoing.finish()
        outgoingDiagnostics.finish()
        let failure = TransportError(.closed, "The other end of the channel in memory was closed.")
        incoming.finish(throwing: failure)
        incomingDiagnostics.finish(throwing: failure)
        ownStatus.resolve(.success(status))
    }

    /// Breaks the connection: everything at both ends throws `connectionLost` after what was sent before.
    public func cut() {
        let failure = TransportError(.connectionLost, "The channel in memory was cut.")
        for pipe in [incoming, outgoing, incomingDiagnostics, outgoingDiagnostics] { pipe.finish(throwing: failure) }
        ownStatus.resolve(.failure(failure))
        peerStatus.resolve(.failure(failure))
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffTransport

/// A seam: whole lines both ways between a client and an agent.
///
/// To the implementer: the channel is open when the caller gets it. Lines keep their order and arrive whole; a line
/// that is too long is reported and skipped, and never ends the channel. ``receive()`` has one caller at a time, and
/// nothing is read ahead of it beyond a fixed number of bytes, so that a slow reader slows the other side down. A
/// connection that broke makes it throw, so that a cut never looks like a proper end.
public protocol ACPChannel: Sendable {
    /// The next lines, at least one, in order; `nil` at the end.
    func receive() async throws -> [ACPFrame]?

    /// Sends whole lines, each with its end; suspends while the other side does not take them. Throws `TransportError`
    /// with `closed` or `connectionLost`; `CancellationError`, in which case nothing was sent.
    func send(_ lines: [UInt8]) async throws

    /// Tells the other side that no more lines will come.
    func finishSending() async throws

    /// The bytes that the other side writes beside its messages (standard error); ends at once if there are none.
    var diagnostics: ByteStream { get }

    /// Closes both directions and releases what is held: an agent's process is gone when it returns. May be called at
    /// any time and more than once.
    func close() async

    /// Suspends until the other side has ended, then tells how: `nil` where that is unknown.
    func exitStatus() async throws -> ExitStatus?
}

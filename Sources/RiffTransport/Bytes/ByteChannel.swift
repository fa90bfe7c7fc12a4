// Riff
// SPDX-License-Identifier: Apache-2.0

/// A seam: bytes both ways to one peer (a command on a host, a local process, the other half of an in-memory pair).
///
/// To the implementer: the channel is open when the caller gets it. Bytes are 8-bit clean and in order. `output` and
/// `diagnostics` are bounded; a consumer that reads one but never the other must not stall: what exceeds the bound of
/// `diagnostics` is dropped from its front. Both end after the peer closed its side, and `output` throws when the
/// connection beneath was lost, so that a cut never looks like a proper end.
public protocol ByteChannel: Sendable {
    /// The bytes that the peer wrote (a command's standard output).
    var output: ByteStream { get }

    /// The bytes that the peer wrote apart from its output (a command's standard error); ends at once if there are
    /// none.
    var diagnostics: ByteStream { get }

    /// Sends bytes; suspends while the peer does not take them. Throws `TransportError` with `closed` or
    /// `connectionLost`, or `CancellationError`, in which case none of these bytes were sent.
    func write(_ bytes: [UInt8]) async throws

    /// Tells the peer that no more bytes will come, and keeps reading. Returns when it was handed on.
    func finishWriting() async throws

    /// Closes both directions and releases what is held. May be called at any time and more than once.
    func close() async

    /// Closes as ``close()`` does, and drops what was written and did not leave yet: for a peer that is taken for dead,
    /// to which nothing may arrive later. The same as ``close()`` unless said otherwise.
    func abort() async

    /// Suspends until the peer has closed, then tells how its command ended: `nil` where it has no command.
    /// Throws what broke the connection, or `CancellationError`.
    func exitStatus() async throws -> ExitStatus?
}

extension ByteChannel {
    /// Closes both directions, with what was written.
    public func abort() async { await close() }
}

/// The way that a command ended.
public enum ExitStatus: Sendable, Hashable {
    /// It returned this status; 0 means success.
    case exited(Int32)
    /// A signal killed it; the name has no `SIG` prefix (`TERM`, `KILL`), as in RFC 4254 section 6.10.
    case signaled(String)

    /// Whether it returned 0.
    public var isSuccess: Bool { self == .exited(0) }
}

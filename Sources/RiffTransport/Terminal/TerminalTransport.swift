// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A seam: one terminal somewhere, for one connection: connect, write, resize, disconnect; bytes out; one end.
///
/// A transport is used once: after its end a new one is made. To the implementer:
/// - ``connect(size:)`` is called first and once, and returns when input is taken; it throws a ``RiffError`` and then
///   the transport is ended.
/// - ``output`` is what the program drew, standard error merged, in order and 8-bit clean. It is bounded: when nobody
///   reads, the program is made to wait. It finishes after the last byte, before ``closure()`` returns.
/// - there is exactly one end with one reason, whoever caused it, also when the peer vanishes in the middle of a call;
///   no call hangs past it.
public protocol TerminalTransport: Sendable {
    /// The output that the program drew, for any number of readers.
    var output: TerminalOutput { get }

    /// Opens the terminal at a size and starts the program.
    func connect(size: TerminalSize) async throws

    /// Sends keys. Suspends while the program does not take them. Throws `TransportError` with `closed` after the end,
    /// `CancellationError` when cancelled before the bytes were taken; bytes are taken whole or not at all.
    func write(_ bytes: [UInt8]) async throws

    /// Sends keys if that needs no wait: whole, and after all that was written before. Returns whether they were taken;
    /// where not, nothing was sent, and ``write(_:)`` says why.
    ///
    /// It makes a key cheap and need not be implemented: without it every key goes by ``write(_:)``.
    func writeAtOnce(_ bytes: [UInt8]) -> Bool

    /// Suspends until the host has all that was written before, as far as it can tell: bytes that were only sent may be
    /// lost with their connection. Throws if that cannot be known, such as when the connection is lost meanwhile.
    ///
    /// A transport that hands its bytes over at once need not implement it.
    func confirm() async throws

    /// Tells the program a new size. A size that is not usable is ignored. Throws `closed` after the end.
    func resize(to size: TerminalSize) async throws

    /// Ends the terminal on purpose; the end's reason is then ``TerminalClosure/Reason/disconnected``.
    func disconnect() async

    /// Suspends until the end, however it came, and tells it; returns at once afterwards, the same to every caller.
    func closure() async -> TerminalClosure
}

extension TerminalTransport {
    /// Returns at once: for transports whose ``write(_:)`` hands the bytes over.
    public func confirm() async throws {}

    /// Returns `false`: for transports whose keys all go by ``write(_:)``.
    public func writeAtOnce(_ bytes: [UInt8]) -> Bool { false }
}

/// Why a terminal ended.
public struct TerminalClosure: Sendable {
    /// The open set of reasons.
    public struct Reason: RawRepresentable, Sendable, Hashable {
        /// The name itself.
        public let rawValue: String

        /// Any name, also one this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The program ended by itself; ``TerminalClosure/exit`` tells how.
        public static let exited = Reason(rawValue: "exited")
        /// `disconnect()` was called, or the task that connected it was cancelled.
        public static let disconnected = Reason(rawValue: "disconnected")
        /// The connection beneath was lost, or could not be made; ``TerminalClosure/error`` tells why.
        public static let lost = Reason(rawValue: "lost")
    }

    /// The one reason.
    public let reason: Reason
    /// The way that the program ended, if that is known.
    public let exit: ExitStatus?
    /// The error that broke the terminal, for ``Reason/lost``; for ``Reason/exited``, the reason why the program could
    /// not even be started by the host's shell (`unsupportedShell`, `programNotFound`), if that is known.
    public let error: (any RiffError)?

    /// Creates an end of a terminal.
    public init(_ reason: Reason, exit: ExitStatus? = nil, error: (any RiffError)? = nil) {
        self.reason = reason
        self.exit = exit
        self.error = error
    }

    /// Creates the end of an attempt that failed: given up by its caller, or lost, with the error that broke it.
    public init(failing error: any Error) {
        if error is CancellationError {
            self.init(.disconnected)
        } else {
            self.init(.lost, error: error.asRiffError)
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// The treatment of one connection by a ``ChaosProxy``. Without changes it passes everything on at once.
public struct ChaosRules: Sendable, Hashable {
    /// A fault of a connection.
    public enum Fault: Sendable, Hashable {
        /// Both sides see the end of the stream, as when the peer closed; what they still send is thrown away.
        case cut
        /// Both sides see a connection reset (TCP RST).
        case reset
        /// Nothing more is passed on in this direction, which fills up like a stopped process, until
        /// ``ChaosProxy/resumeAll()``.
        case stall
        /// No bytes are passed on any more in either direction, without a report: both sides can write and never get an
        /// answer, as behind a router that lost its state.
        case vanish
    }

    /// The treatment of the bytes of one direction.
    public struct Direction: Sendable, Hashable {
        /// The time that each chunk takes to arrive. Later chunks travel at the same time.
        public var delay: Duration = .zero
        /// A random addition to ``delay``, from zero to this; the order of bytes is kept.
        public var jitter: Duration = .zero
        /// The most bytes a second that pass; `nil` for no limit.
        public var bytesPerSecond: Int?
        /// The number of bytes that pass before ``fault`` comes; exactly so many. 0 means at the first byte that is
        /// sent.
        public var faultAfterBytes: Int?
        /// The fault that comes after ``faultAfterBytes``.
        public var fault: Fault = .cut

        /// Everything passes at once.
        public init() {}
    }

    /// The direction from the proxy's client to the target.
    public var toTarget = Direction()
    /// The direction from the target to the proxy's client.
    public var toClient = Direction()
    /// Closes a connection as soon as it is accepted, before any byte.
    public var closesOnAccept = false

    /// Passes everything on.
    public init() {}

    /// Returns rules with one fault, after exactly so many bytes from the target to the proxy's client.
    public static func fault(_ fault: Fault, afterBytesToClient bytes: Int) -> ChaosRules {
        var rules = ChaosRules()
        rules.toClient.faultAfterBytes = bytes
        rules.toClient.fault = fault
        return rules
    }

    /// Returns rules with one fault, after exactly so many bytes from the proxy's client to the target.
    public static func fault(_ fault: Fault, afterBytesToTarget bytes: Int) -> ChaosRules {
        var rules = ChaosRules()
        rules.toTarget.faultAfterBytes = bytes
        rules.toTarget.fault = fault
        return rules
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// How a host is, in one word and with its reason: what a front end shows as a pill.
public struct HostStatus: Sendable, Hashable {
    /// The words, from good to bad.
    public enum Level: Sendable, Hashable, CaseIterable {
        /// Everything works.
        case connected
        /// A connection is being made, for the first time or again.
        case connecting
        /// The host is reached, and something on it does not work; ``HostStatus/cause`` says what.
        case degraded
        /// The host is not reached; ``HostStatus/cause`` says why.
        case error
    }

    /// Why it is not simply connected.
    public struct Cause: Sendable, Hashable {
        /// A name that never changes, such as an error's stable code; safe to switch on.
        public let code: String
        /// What to tell the person.
        public let message: String
        /// What to offer them.
        public let recovery: Recovery?

        /// A cause.
        public init(code: String, message: String, recovery: Recovery? = nil) {
            self.code = code
            self.message = message
            self.recovery = recovery
        }

        /// The cause that an error is.
        public init(_ error: any RiffError) {
            self.init(code: error.stableCode, message: error.message, recovery: error.recovery)
        }
    }

    /// The word.
    public let level: Level
    /// The reason, for every level but `connected`, as far as there is one.
    public let cause: Cause?
    /// How long the host took for its last answer, where it was asked.
    public let answerTime: Duration?

    /// A status.
    public init(_ level: Level, cause: Cause? = nil, answerTime: Duration? = nil) {
        self.level = level
        self.cause = cause
        self.answerTime = answerTime
    }

    /// Everything works.
    public static let connected = HostStatus(.connected)
}

/// What a look at a host's health brought.
public enum HostBeat: Sendable, Hashable {
    /// It answered, and all is well; how long it took.
    case well(Duration)
    /// It answered, and something does not work.
    case ill(HostStatus.Cause, Duration)
    /// It did not answer.
    case silent(HostStatus.Cause)
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The status of a host, in one word and with its reason: a front end shows it as a pill.
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

    /// The status in one word.
    public let level: Level
    /// The reason, for every level but `connected`, as far as there is one.
    public let cause: Problem?
    /// The time that the host took for its last answer, if it was asked.
    public let answerTime: Duration?

    /// Creates a status.
    public init(_ level: Level, cause: Problem? = nil, answerTime: Duration? = nil) {
        self.level = level
        self.cause = cause
        self.answerTime = answerTime
    }

    /// Everything works.
    package static let connected = HostStatus(.connected)
}

/// The result of a look at a host's health.
package enum ProbeResult: Sendable, Hashable {
    /// It answered, and all is well; how long it took.
    case healthy(Duration)
    /// It answered, and something does not work.
    case degraded(Problem, Duration)
    /// It did not answer.
    case unanswered(Problem)
}

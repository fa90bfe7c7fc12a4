// Riff
// SPDX-License-Identifier: Apache-2.0

/// The rules for asking for permission by voice.
public struct SpokenApprovalPolicy: Sendable, Hashable {
    /// The outcome of a request without a plain answer.
    public enum Unanswered: Sendable, Hashable {
        /// It is denied.
        case denied
        /// It stays open, to be answered by hand.
        case pending
    }

    /// The outcome of a request without a plain answer.
    public var unanswered: Unanswered
    /// The time to answer after each reading.
    public var answerTime: Duration
    /// The number of readings: one more after each answer that is neither a yes nor a no.
    public var readings: Int
    /// The least time from the end of a reading to a yes: one that begins sooner was not an answer to it.
    public var settling: Duration

    /// Denied after two readings of 20 s each, with a yes from 0.3 s on, unless said otherwise.
    public init(
        unanswered: Unanswered = .denied,
        answerTime: Duration = .seconds(20),
        readings: Int = 2,
        settling: Duration = .milliseconds(300)
    ) {
        self.unanswered = unanswered
        self.answerTime = answerTime
        self.readings = readings
        self.settling = settling
    }
}

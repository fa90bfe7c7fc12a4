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
    /// How long an answer is waited for after each reading.
    public var answerTime: Duration
    /// How often the question is read: again after each answer that is neither a yes nor a no.
    public var readings: Int
    /// How long after the end of the reading a yes must begin: what begins sooner was not said to what was read.
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

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffVoice

/// What a voice server needs to hold conversations with an agent.
public struct ConversationService: Sendable {
    /// What is kept of a turn that took too long, in the place of its answer.
    package static let timeoutReply = "(timed out)"

    let responder: any ConversationResponder
    let records: ServerRecords
    let timeout: Duration
    let concurrentTurns: Int
    let windowLength: Int
    let summary: @Sendable (RiffIdentifier) async -> String?
    let push: PushSender?
    let replied: @Sendable (ConversationTurn, String) async -> Void

    /// A service.
    ///
    /// - Parameters:
    ///   - responder: What answers.
    ///   - records: Where it is kept.
    ///   - timeout: How long the agent may take for an answer.
    ///   - concurrentTurns: How many turns are served at a time; further ones are answered with 503 and `Retry-After`.
    ///   - windowLength: How many messages are replayed for a turn.
    ///   - summary: What was said in a conversation before those, in short; none unless said otherwise.
    ///   - push: What notifies the devices of `records` of an answer, after its client got it; none unless said
    ///     otherwise.
    ///   - replied: Called with each answer, after it was kept and given to its client.
    public init(
        responder: any ConversationResponder,
        records: ServerRecords,
        timeout: Duration = RiffContract.replyTimeout,
        concurrentTurns: Int = 8,
        windowLength: Int = 30,
        summary: @escaping @Sendable (RiffIdentifier) async -> String? = { _ in nil },
        push: PushSender? = nil,
        replied: @escaping @Sendable (ConversationTurn, String) async -> Void = { _, _ in }
    ) {
        self.push = push
        (self.responder, self.records, self.timeout) = (responder, records, timeout)
        (self.concurrentTurns, self.windowLength) = (concurrentTurns, windowLength)
        (self.summary, self.replied) = (summary, replied)
    }
}

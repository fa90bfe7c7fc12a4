// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// What an agent is asked for a client.
public struct ConversationTurn: Sendable, Hashable {
    /// Its name: that of the message, or of the recording.
    public let id: RiffIdentifier
    /// The conversation; `nil` for a question that stands alone.
    public let conversation: RiffIdentifier?
    /// Which device asks, where that is known.
    public let device: RiffIdentifier?
    /// What was said last.
    public let text: String
    /// What was said before, with the last words at its end, as one text for an agent that remembers nothing.
    public let prompt: String

    /// A turn.
    public init(
        id: RiffIdentifier,
        conversation: RiffIdentifier?,
        device: RiffIdentifier?,
        text: String,
        prompt: String
    ) {
        (self.id, self.conversation, self.device) = (id, conversation, device)
        (self.text, self.prompt) = (text, prompt)
    }
}

/// A seam: what answers the turns of a Riff server's conversations.
///
/// To the implementer: ``reply(to:)`` ends soon after its task is cancelled, which it is when the time is over. It may
/// be called for several turns at a time.
public protocol ConversationResponder: Sendable {
    /// The agent's answer.
    func reply(to turn: ConversationTurn) async throws -> String
}

/// Answers with a closure.
public struct ClosureResponder: ConversationResponder {
    private let body: @Sendable (ConversationTurn) async throws -> String

    /// Creates a responder that answers with what a closure returns.
    public init(_ body: @escaping @Sendable (ConversationTurn) async throws -> String) { self.body = body }

    /// What the closure returns.
    public func reply(to turn: ConversationTurn) async throws -> String { try await body(turn) }
}

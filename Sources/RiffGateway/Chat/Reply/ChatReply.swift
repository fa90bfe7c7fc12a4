// Riff
// SPDX-License-Identifier: Apache-2.0

/// A reply of a chat model, as far as it came.
///
/// A copy costs little, whatever its size, but who keeps one while the reply grows makes the next piece copy its texts
/// once: to show a growing reply, add up the ``ChatDelta``s.
public struct ChatReply: Sendable, Hashable {
    /// One of the answers of a reply; nearly always there is one.
    public struct Choice: Sendable, Hashable {
        /// Its number, from 0.
        public var index: Int
        /// What is said.
        public var content = ""
        /// The model's thoughts before the answer, if it shows them; never a part of ``content``.
        public var reasoning = ""
        /// Why the model does not answer, where it says so in a place of its own.
        public var refusal = ""
        /// The calls of tools, in the order in which they began.
        public var toolCalls: [ChatToolCall] = []
        /// Why it ended; `nil` where it did not.
        public var finishReason: ChatReply.FinishReason?

        /// A choice; for tests and previews.
        public init(index: Int = 0, content: String = "") {
            self.index = index
            self.content = content
        }
    }

    /// The answers, by their number.
    public var choices: [Choice] = []
    /// The reply's name at the gateway.
    public var id: String?
    /// The model that answers, by its own account; it may be another than was asked.
    public var model: String?
    /// The usage of the reply, if the gateway reports it.
    public var usage: ChatReply.Usage?
    /// The last event of the stream that was understood, as it came: JSON.
    public var lastEvent: String?

    /// A reply; for tests and previews.
    package init(choices: [Choice] = []) { self.choices = choices }

    /// The first answer; an empty one where none came yet.
    public var first: Choice { choices.first { $0.index == 0 } ?? choices.first ?? Choice() }
    /// The text of the first answer.
    public var content: String { first.content }
    /// The thoughts before the first answer.
    package var reasoning: String { first.reasoning }
    /// Why the model does not answer.
    package var refusal: String { first.refusal }
    /// The tools that the first answer calls.
    public var toolCalls: [ChatToolCall] { first.toolCalls }
    /// Why the first answer ended.
    package var finishReason: ChatReply.FinishReason? { first.finishReason }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// What is new in a reply. All that was added to a text, in order, is the text.
public enum ChatDelta: Sendable, Hashable {
    /// More of what is said.
    case content(String, choice: Int)
    /// More of what is thought.
    case reasoning(String, choice: Int)
    /// More of why the model does not answer.
    case refusal(String, choice: Int)
    /// More of a tool's call.
    case toolCall(ChatToolCall.Delta, choice: Int)
    /// A choice ended.
    case finish(ChatReply.FinishReason, choice: Int)
    /// The usage so far, which replaces the earlier one.
    case usage(ChatReply.Usage)
}

extension ChatToolCall {
    /// What is new in a tool's call.
    public struct Delta: Sendable, Hashable {
        /// The call's place in ``ChatReply/Choice/toolCalls``; one that was not there before begins a call.
        public var place: Int
        /// The call's name, where it became known.
        public var id: String?
        /// The text that was added to the tool's name.
        public var name: String
        /// The text that was added to the arguments.
        public var arguments: String

        /// A piece of a call.
        package init(place: Int, id: String? = nil, name: String = "", arguments: String = "") {
            self.place = place
            self.id = id
            self.name = name
            self.arguments = arguments
        }
    }
}

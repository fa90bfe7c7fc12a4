// Riff
// SPDX-License-Identifier: Apache-2.0

extension ChatReply {
    /// Why a model stopped: an open set, since gateways have words of their own.
    public struct FinishReason: RawRepresentable, Sendable, Hashable {
        /// The word on the wire.
        public let rawValue: String

        /// Any word, also one this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// It had said everything, or came to a stop text.
        public static let stop = ChatReply.FinishReason(rawValue: "stop")
        /// It came to the most tokens that it may write.
        public static let length = ChatReply.FinishReason(rawValue: "length")
        /// It waits for what tools return.
        public static let toolCalls = ChatReply.FinishReason(rawValue: "tool_calls")
        /// A filter took something out.
        package static let contentFilter = ChatReply.FinishReason(rawValue: "content_filter")
        /// It failed: no end, but an error.
        public static let error = ChatReply.FinishReason(rawValue: "error")
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension ChatReply {
    /// The number of tokens that a reply cost, as the gateway counts them. Zeros may mean that it does not count.
    public struct Usage: Sendable, Hashable {
        /// Everything that was said: gateways add details and prices of their own.
        public let json: JSONObject

        /// The count as it came.
        package init(json: JSONObject) { self.json = json }

        /// Tokens of what was asked, the conversation before it included.
        package var promptTokens: Int? { count("prompt_tokens") }
        /// Tokens of the reply, thoughts included.
        public var completionTokens: Int? { count("completion_tokens") }
        /// All tokens.
        package var totalTokens: Int? { count("total_tokens") }

        private func count(_ key: String) -> Int? { json[key]?.integer.flatMap { Int(exactly: $0) } }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension ChatRequest {
    /// The number of messages that are sent unless said otherwise.
    package static let standardHistory = 50
    /// The number of bytes that older hosts take.
    package static let standardLimitBytes = 1 << 20

    /// The same request with no more of the conversation than is wanted and fits. What says how to answer stays, and
    /// stays in its place, as does the last message; the oldest of the others go first, and an answer of a tool goes
    /// with the call it answers.
    ///
    /// - Parameters:
    ///   - history: How many messages beside those.
    ///   - limitBytes: How large the request may be, in bytes; one whose last message alone is larger stays so.
    /// - Returns: The request.
    package func limited(
        toHistory history: Int = Self.standardHistory,
        bytes limitBytes: Int = Self.standardLimitBytes
    ) -> ChatRequest {
        func isRule(_ message: ChatMessage) -> Bool { message.role == .system || message.role == .developer }
        var talk = messages.indices.filter { !isRule(messages[$0]) }.suffix(max(1, history))
        var request = self
        request.messages = messages.filter(isRule)
        var size = request.body(streaming: true).count
        let sizes = talk.map { messages[$0].json.bytes().count + 1 }
        size += sizes.reduce(0, +)
        var place = 0
        while talk.count > 1, size > limitBytes || talk.first.map({ messages[$0].role == .tool }) == true {
            size -= sizes[place]
            place += 1
            talk = talk.dropFirst()
        }
        let first = talk.first ?? messages.endIndex
        request.messages = messages.indices.filter { $0 >= first || isRule(messages[$0]) }.map { messages[$0] }
        return request
    }
}

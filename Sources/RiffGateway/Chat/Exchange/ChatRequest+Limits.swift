// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension ChatRequest {
    /// How many messages are sent unless said otherwise.
    public static let standardHistory = 50
    /// How many bytes older hosts take.
    public static let standardLimitBytes = 1 << 20

    /// The same request with no more of the conversation than is wanted and fits. What says how to answer stays, as does
    /// the last message; the oldest of the others go first, and an answer of a tool goes with the call it answers.
    ///
    /// - Parameters:
    ///   - history: How many messages beside those.
    ///   - limitBytes: How large the request may be, in bytes; one whose last message alone is larger stays so.
    /// - Returns: The request.
    public func limited(
        toHistory history: Int = Self.standardHistory,
        bytes limitBytes: Int = Self.standardLimitBytes
    ) -> ChatRequest {
        func isRule(_ message: ChatMessage) -> Bool { message.role == .system || message.role == .developer }
        let rules = messages.filter(isRule)
        var talk = messages.filter { !isRule($0) }.suffix(max(1, history))
        let sizes = talk.map { $0.json.bytes().count + 1 }
        var request = self
        request.messages = rules
        var size = request.body(streaming: true).count + sizes.reduce(0, +)
        var place = 0
        while talk.count > 1, size > limitBytes || talk.first?.role == .tool {
            size -= sizes[place]
            place += 1
            talk = talk.dropFirst()
        }
        request.messages = rules + talk
        return request
    }
}

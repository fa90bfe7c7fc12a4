// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffGateway
import TestSupport
import Testing

/// Models that write their thoughts into the answer.
@Suite struct ThinkingTests {
    private static func chunk(_ text: String) -> String {
        let json = JSONValue.string(text).description
        return #"data: {"choices":[{"index":0,"delta":{"content":\#(json)}}]}"# + "\n\n"
    }

    private static func read(_ pieces: [String], separates: Bool, isReset: Bool = false) -> ChatReading {
        var reader = ChatReplyReader(ChatReading.head(), separatesThinking: separates)
        var deltas: [ChatDelta] = []
        for piece in pieces { reader.feed(Array(chunk(piece).utf8), into: &deltas) }
        if !isReset {
            let end = #"data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"# + "\n\n"
            reader.feed(Array(end.utf8), into: &deltas)
        }
        let outcome = reader.end(isReset ? ChatReading.lost : nil, into: &deltas)
        let reading = ChatReading(outcome: outcome, deltas: deltas)
        reading.expectDeltasMakeTheReply()
        return reading
    }

    @Test(arguments: [
        ("<think>a\u{1F600}b</think>\n\nYes.", "a\u{1F600}b", "Yes."), ("<think>\n</think>Yes.", "\n", "Yes."),
        ("\n<think>a</think> Yes <think>no</think>", "a", "\nYes <think>no</think>"),
        ("<thinking>a < b </think> c</thinking>Yes.", "a < b </think> c", "Yes."),
        ("<think>never ended </thin", "never ended </thin", ""), ("<think></think>", "", ""),
        // No thoughts.
        ("<thinker> is a word", "", "<thinker> is a word"), ("<thi", "", "<thi"), ("Yes, <think>", "", "Yes, <think>"),
        ("Yes</think>", "", "Yes</think>"), ("", "", ""), ("<<think>a</think>", "", "<<think>a</think>"),
        ("<think>a<</think>b", "a<", "b"), ("<think>a</</think>b", "a</", "b"),
        ("<think>e\u{301}</think>\u{301}", "e\u{301}", "\u{301}"),
    ])
    func `thoughts are parted from the answer, wherever the pieces are split`(
        text: String,
        thought: String,
        answer: String
    ) {
        let scalars = Array(text.unicodeScalars)
        for size in 1...max(1, scalars.count) {
            let pieces = stride(from: 0, to: scalars.count, by: size).map { start in
                String(String.UnicodeScalarView(scalars[start..<min(start + size, scalars.count)]))
            }
            let reading = Self.read(pieces, separates: true)
            #expect(Array(reading.reply.content.unicodeScalars) == Array(answer.unicodeScalars), "\(size)")
            #expect(Array(reading.reply.reasoning.unicodeScalars) == Array(thought.unicodeScalars), "\(size)")
            // What was lost on the way loses nothing of what came.
            let cut = Self.read(pieces, separates: true, isReset: true)
            #expect(cut.reply.content == reading.reply.content && cut.reply.reasoning == reading.reply.reasoning)
            // As it came, where nobody asked.
            #expect(Self.read(pieces, separates: false).reply.content.unicodeScalars.elementsEqual(scalars))
        }
    }

    @Test func `half a character of thoughts waits for its other half`() {
        let parts = [#""<think>\ud83d""#, #""\ude00</think>ok \ud83d""#, #""\ude00""#]
        var reader = ChatReplyReader(ChatReading.head(), separatesThinking: true)
        var deltas: [ChatDelta] = []
        for part in parts {
            let chunk = #"data: {"choices":[{"index":0,"delta":{"content":\#(part)}}]}"# + "\n\n"
            reader.feed(Array(chunk.utf8), into: &deltas)
        }
        let reply = reader.end(into: &deltas).reply
        #expect(reply.reasoning == "\u{1F600}" && reply.content == "ok \u{1F600}")
    }

    @Test func `a whole reply is parted as well, and the gateway's own member stays`() {
        let body =
            #"{"choices":[{"message":{"content":"<think>b</think>c","reasoning_content":"a"},"finish_reason":"stop"}]}"#
        var reader = ChatReplyReader(ChatReading.head(200, "application/json"), separatesThinking: true)
        var deltas: [ChatDelta] = []
        reader.feed(Array(body.utf8), into: &deltas)
        let reply = reader.end(into: &deltas).reply
        #expect(reply.content == "c")
        #expect(reply.reasoning.contains("a") && reply.reasoning.contains("b"))
    }
}

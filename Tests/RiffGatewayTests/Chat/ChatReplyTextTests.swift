// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffGateway
import Testing

/// Rules 8, 9 and 11 of design/streaming.md, section 1.3: the texts of a reply.
@Suite struct ChatReplyTextTests {
    @Test(arguments: [
        (#"{"reasoning_content":"hm"}"#, "hm"), (#"{"reasoning":"hm"}"#, "hm"),
        (#"{"reasoning_details":[{"type":"reasoning.text","text":"h"},{"text":"m"},{"data":"x"}]}"#, "hm"),
        (#"{"reasoning":"hm","reasoning_content":"hm"}"#, "hm"), (#"{"reasoning_content":"","reasoning":"hm"}"#, "hm"),
        (#"{"reasoning_content":null,"reasoning":"hm"}"#, "hm"),
        (#"{"reasoning":"hm","reasoning_details":[{"type":"reasoning.text","text":"hm"}]}"#, "hm"),
        (#"{"reasoning":{"effort":1},"reasoning_details":7}"#, ""),
    ])
    func `thoughts are kept apart, and counted once`(delta: String, expected: String) {
        let reading = ChatReading.deltas(delta, #"{"content":"ok"}"#)
        #expect(reading.reply.reasoning == expected)
        #expect(reading.reply.content == "ok")
    }

    @Test(arguments: [
        (#"{"refusal":"I "}"#, #"{"refusal":"cannot","content":null}"#, "", "I cannot"),
        (#"{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}"#, #"{"content":"c"}"#, "abc", ""),
        (#"{"content":["a",{"text":"b"},{"type":"output_text","text":"c"}]}"#, "{}", "abc", ""),
        (#"{"content":[{"text":"no","type":"refusal","refusal":"r"},{"type":"image_url"},7]}"#, "{}", "", "r"),
        (#"{"content":[]}"#, #"{"content":{"text":"no"}}"#, "", ""),
        (#"{"content":null}"#, #"{"content":"a"}"#, "a", ""),
    ])
    func `refusals and lists of parts are read`(first: String, second: String, content: String, refusal: String) {
        let reading = ChatReading.deltas(first, second)
        #expect(reading.reply.content == content)
        #expect(reading.reply.refusal == refusal)
    }

    @Test func `choices are kept apart by their number, in its order`() {
        let reading = ChatReading.stream(
            #"{"choices":[{"index":1,"delta":{"content":"b"}},{"index":0,"delta":{"content":"a"}}]}"#,
            #"{"choices":[{"index":1,"delta":{"content":"B"},"finish_reason":"length"}]}"#,
            #"{"choices":[{"index":-7,"delta":{"content":"x"}},{"index":9000000000000000000,"delta":{"content":"y"}}]}"#,
            #"{"choices":[{"delta":{"content":"A"}},{"delta":{"content":"!"}}]}"#,
            "[DONE]"
        )
        #expect(reading.kind == "complete")
        #expect(reading.reply.choices.map(\.index) == [-7, 0, 1, 9_000_000_000_000_000_000])
        #expect(reading.reply.choices.map(\.content) == ["x", "aA", "bB!", "y"])
        #expect(reading.reply.content == "aA")
        #expect(reading.reply.choices[2].finishReason == .length)
    }

    @Test func `a choice that did not end is not complete without the end of the stream`() {
        let one = #"{"choices":[{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}"#
        let other = #"{"choices":[{"index":1,"delta":{"content":"b"}}]}"#
        #expect(ChatReading.stream(one, other).kind == "truncated")
        #expect(ChatReading.stream(one, other, "[DONE]").kind == "complete")
    }

    // MARK: 11: cut characters

    @Test(arguments: [
        ([#""\ud83d""#, #""\ude00""#], "\u{1F600}"), ([#""a\ud83d""#, #""\ude00b""#], "a\u{1F600}b"),
        ([#""\uD83D""#, #""""#, "null", #""\uDE00""#], "\u{1F600}"),
        ([#""\ud83d""#, #""\ude00\ud83d""#, #""\ude01""#], "\u{1F600}\u{1F601}"),
        // Without its other half it is none, at once or at the end.
        ([#""\ud83d""#, #""a""#], "\u{FFFD}a"), ([#""a""#, #""\ude00""#], "a\u{FFFD}"), ([#""a\ud83d""#], "a\u{FFFD}"),
        ([#""\ud83d""#, #""\ud83d""#, #""\ude00""#], "\u{FFFD}\u{1F600}"),
        ([#""\ude00""#, #""\ud83d""#], "\u{FFFD}\u{FFFD}"), ([#""\\ud83d""#, #""\\ude00""#], #"\ud83d\ude00"#),
        // Graphemes and flags.
        ([#""e""#, #""\u0301""#], "e\u{301}"),
        ([#""\ud83c\udde9\ud83c""#, #""\uddf0""#], "\u{1F1E9}\u{1F1F0}"),
    ])
    func `halves of a character are joined across pieces`(pieces: [String], expected: String) {
        for member in ["content", "reasoning", "refusal"] {
            let chunks = pieces.map { #"{"choices":[{"delta":{"\#(member)":\#($0)}}]}"# }
            let body = (chunks + ["[DONE]"]).map { "data: \($0)\n\n" }.joined()
            let reading = ChatReading.read(body)
            let choice = reading.choice
            let text = member == "content" ? choice.content : member == "refusal" ? choice.refusal : choice.reasoning
            #expect(Array(text.unicodeScalars) == Array(expected.unicodeScalars))
        }
        let calls = pieces.map { #"{"tool_calls":[{"index":0,"id":"t","function":{"name":"f","arguments":\#($0)}}]}"# }
        let body = calls.map { #"data: {"choices":[{"delta":\#($0)}]}"# + "\n\n" }.joined() + "data: [DONE]\n\n"
        let arguments = ChatReading.read(body).reply.toolCalls.first?.arguments ?? ""
        #expect(Array(arguments.unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test func `halves of different texts are not joined`() {
        let reading = ChatReading.deltas(#"{"content":"\ud83d"}"#, #"{"reasoning":"\ude00"}"#, #"{"content":"\ude00"}"#)
        #expect(reading.reply.content == "\u{1F600}")
        #expect(reading.reply.reasoning == "\u{FFFD}")
    }

    @Test func `half a character at a cut is not shown`() {
        let reading = ChatReading.deltas(#"{"content":"a\ud83d"}"#, finish: nil)
        #expect(reading.kind == "truncated")
        #expect(reading.reply.content == "a")
    }
}

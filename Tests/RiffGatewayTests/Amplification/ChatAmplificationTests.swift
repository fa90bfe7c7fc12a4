// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffGateway
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    /// What a gateway can make of a byte: no more than a byte, and no more work for it the more there are.
    @Suite(.timeLimit(.minutes(10))) struct ChatAmplificationTests {
        /// A body that is as long as it is told to be, of one kind.
        struct Kind: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let head: String
            let unit: String
            let tail: String
            var separatesThinking = false

            func body(_ size: Int) -> [UInt8] {
                Array((head + String(repeating: unit, count: max(1, size / unit.utf8.count)) + tail).utf8)
            }
        }

        private static func event(_ delta: String) -> String { #"data: {"choices":[{"delta":\#(delta)}]}"# + "\n\n" }

        private static let kinds = [
            Kind(
                testDescription: "one event of a million parts",
                head: #"data: {"choices":[{"delta":{"content":["#,
                unit: #"{"type":"text","text":"a"},"#,
                tail: "\"\"]}}]}\n\n"
            ),
            Kind(
                testDescription: "parts of another kind",
                head: #"data: {"choices":[{"delta":{"content":["#,
                unit: #"{"text":"a","type":"image"},"#,
                tail: "\"\"]}}]}\n\n"
            ),
            Kind(testDescription: "an event for each letter", head: "", unit: event(#"{"content":"a"}"#), tail: ""),
            Kind(
                testDescription: "halves of characters",
                head: "",
                unit: event(#"{"content":"\ud83d"}"#),
                tail: ""
            ),
            Kind(
                testDescription: "one event of many calls",
                head: #"data: {"choices":[{"delta":{"tool_calls":["#,
                unit: #"{"function":{"name":"f","arguments":"{}"}},"#,
                tail: "{}]}}]}\n\n"
            ),
            Kind(
                testDescription: "arguments in pieces",
                head: event(#"{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{"}}]}"#),
                unit: event(#"{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{"}}]}"#),
                tail: ""
            ),
            Kind(
                testDescription: "a name in pieces",
                head: "",
                unit: event(#"{"tool_calls":[{"index":0,"function":{"name":"fg"}}]}"#),
                tail: ""
            ),
            Kind(
                testDescription: "choices",
                head: #"data: {"choices":["#,
                unit: #"{"delta":{"content":"a"}},"#,
                tail: "{}]}\n\n"
            ),
            Kind(testDescription: "comments", head: "", unit: ": a\n", tail: "\n"),
            Kind(testDescription: "lines of data", head: "", unit: "data: \n", tail: "\n"),
            Kind(testDescription: "names of events", head: "", unit: "event: a\nid: b\n", tail: "\n"),
            Kind(testDescription: "lines of nothing", head: "data: [", unit: "\n{", tail: "\n"),
            Kind(testDescription: "one long line", head: "data: ", unit: "a", tail: "\n\n"),
            Kind(testDescription: "lists in lists", head: "data: ", unit: "[", tail: "\n\n"),
            Kind(
                testDescription: "reasoning in three members",
                head: "",
                unit: event(#"{"reasoning_content":"a","reasoning":"a","reasoning_details":[{"text":"a"}]}"#),
                tail: ""
            ),
            Kind(
                testDescription: "thoughts that nearly end",
                head: event(#"{"content":"<think>"}"#),
                unit: event(#"{"content":"</think"}"#),
                tail: "",
                separatesThinking: true
            ),
            Kind(
                testDescription: "one piece of thoughts that nearly end",
                head: #"data: {"choices":[{"delta":{"content":"<think>"#,
                unit: "</think",
                tail: "\"}}]}\n\n",
                separatesThinking: true
            ),
            Kind(
                testDescription: "ends",
                head: "",
                unit: #"data: {"choices":[{"finish_reason":"a"},{"finish_reason":"b"}]}"# + "\n\n",
                tail: ""
            ),
        ]

        /// Reads a body in pieces of 16 KB, as a connection gives it.
        private static func read(_ body: [UInt8], _ kind: Kind) -> ChatReading {
            var reader = ChatReplyReader(ChatReading.head(), separatesThinking: kind.separatesThinking)
            var deltas: [ChatDelta] = []
            var place = 0
            while place < body.count, !reader.isOver {
                let end = min(place + 16_384, body.count)
                reader.feed(Array(body[place..<end]), into: &deltas)
                place = end
            }
            return ChatReading(outcome: reader.end(ChatReading.lost, into: &deltas), deltas: deltas)
        }

        @Test(arguments: kinds)
        func `work and output are linear`(kind: Kind) {
            let factor = Growth.processorFactor(from: 128 << 10, kind.body) { body in
                let reading = Self.read(body, kind)
                let said = reading.reply.choices.reduce(0) { sum, choice in
                    let calls = choice.toolCalls.reduce(0) { $0 + $1.name.utf8.count + $1.arguments.utf8.count }
                    return sum + choice.content.utf8.count + choice.reasoning.utf8.count + calls
                }
                #expect(said <= body.count)
                #expect(reading.deltas.count <= body.count / 8 + 8)
                #expect((reading.error?.message.utf8.count ?? 0) < 1_000)
                #expect((reading.error?.payload?.utf8.count ?? 0) <= 64 << 10)
            }
            #expect(factor <= Growth.most)
        }

        @Test func `the seam of two parts costs no more the more of a repetition comes`() {
            let first = (0..<100).map { "word\($0)" }.joined(separator: " ")
            for unit in ["word99 ", " ", "<", "word98 word99 "] {
                let make = { (size: Int) in String(repeating: unit, count: size / unit.utf8.count) }
                let factor = Growth.processorFactor(from: 16 << 10, make) { second in
                    var continuation = ChatContinuation(of: first)
                    var text = ""
                    for scalar in second.unicodeScalars { text += continuation.append(String(scalar)) }
                    text += continuation.finish()
                    #expect(text.utf8.count <= second.utf8.count)
                }
                #expect(factor <= Growth.most, "\(unit)")
            }
        }

        @Test func `a page instead of JSON is kept in part`() {
            let factor = Growth.processorFactor(from: 256 << 10, { [UInt8](repeating: 0x3C, count: $0) }) { body in
                var reader = ChatReplyReader(ChatReading.head(502, "text/html"))
                var deltas: [ChatDelta] = []
                reader.feed(body, into: &deltas)
                let outcome = reader.end(into: &deltas)
                #expect((outcome.error?.payload?.utf8.count ?? 0) <= 64 << 10)
            }
            #expect(factor <= Growth.most)
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffVoice
import TestSupport
import Testing

extension InTurn {
    /// Text from an agent, a server or a recognizer that was made to cost more than its length.
    @Suite(.timeLimit(.minutes(5)))
    struct TextAmplificationTests {
        private static func text(_ piece: String, _ size: Int) -> String {
            String(String(repeating: piece, count: size / piece.count + 1).prefix(size))
        }

        /// Each length of a run once, so that none has an end, before many that have one.
        private static func ticks(_ size: Int) -> String {
            var text = ""
            var length = 2
            while text.utf8.count < size / 2 {
                text += String(repeating: "`", count: length) + " "
                length += 1
            }
            return text + String(repeating: "` ", count: size / 4)
        }

        @Test(arguments: ["[", "![", "[[]](", "](", "[a](b"])
        func `brackets are looked at a bounded way for each`(piece: String) throws {
            try Growth.expectLinear(from: 1_000, bound: { $0 + 1 }, { Self.text(piece, $0) }) { text in
                SpokenProse(limit: .max).prose(of: text).count
            }
        }

        @Test(arguments: ["<a", "<a <", "a_", "_", "a __", "*", "`", "> ", "- ", "|a", "🎉", "a🎉", "✅\n", "&amp;", "( "])
        func `marks of Markdown and pictures cost no more than their length`(piece: String) throws {
            try Growth.expectLinear(from: 4_000, bound: { $0 * 2 + 1 }, { Self.text(piece, $0) }) { text in
                SpokenProse(limit: .max).prose(of: text).count
            }
        }

        @Test func `backticks of every length cost no more than their length`() throws {
            try Growth.expectLinear(from: 10_000, bound: { $0 }, Self.ticks) { text in
                SpokenProse(limit: .max).prose(of: text).count
            }
            let fixer = VocabularyFixer([VocabularyFixer.Rule(heard: "spin", meant: "Sven")])
            try Growth.expectLinear(from: 10_000, bound: { $0 * 2 }, Self.ticks) { text in fixer.fix(text).count }
        }

        @Test func `what is cut off is not looked at`() {
            let answer = String(repeating: "This is a sentence of an answer.\n\n", count: 100)
            let whole = SpokenProse().prose(of: answer)
            #expect(whole.count <= 1_200 && whole.count > 1_150)
            #expect(SpokenProse().prose(of: answer + String(repeating: "[", count: 200_000)) == whole)
        }

        @Test(arguments: ["a", "测", "の", "。", "，", "...", "!」", "ก", "a. ", "3.", "“", "a\n", "\u{301}", "🎉"])
        func `sentences are found in one pass, also in one endless word`(piece: String) throws {
            try Growth.expectLinear(from: 4_000, bound: { $0 * 2 + 1 }, { Self.text(piece, $0) }) { text in
                let pieces = SentenceTextToSpeech.Sentences().pieces(of: text)
                #expect(pieces.allSatisfy { $0.count <= 300 })
                return pieces.reduce(0) { $0 + $1.count }
            }
        }

        @Test(arguments: ["[", "(music) ", "♪ ", "[BLANK_AUDIO] ", "*", "[_a] x ", "<|a|>", "...", "a [music] "])
        func `marks of sounds are found in one pass`(piece: String) throws {
            try Growth.expectLinear(from: 4_000, bound: { $0 }, { Self.text(piece, $0) }) { text in
                SoundMarks.removed(from: text).count
            }
        }

        @Test(arguments: ["if the tests the file ", "it's ", "either the file or ", "the file that the user whose "])
        func `whether an utterance is whole is known in one pass`(piece: String) throws {
            try Growth.expectLinear(from: 5_000, bound: { _ in 2 }, { Self.text(piece, $0) }) { text in
                UtteranceCompleteness().verdict(on: text) == .complete ? 1 : 2
            }
        }

        @Test func `versions of a line take no more room than the newest one`() throws {
            try Growth.expectLinear(from: 2_000, bound: { _ in 20 }, { $0 }) { count in
                var transcript = TranscriptAccumulator()
                for number in 0..<count {
                    transcript.update(
                        TranscriptLine(
                            id: .init(rawValue: 1),
                            text: "version \(number)",
                            start: .zero,
                            duration: .seconds(number)
                        )
                    )
                }
                return transcript.text.count
            }
        }

        @Test func `lines of a transcript that are none cost no more than their length`() throws {
            try Growth.expectLinear(
                from: 50_000,
                bound: { _ in 0 },
                { [UInt8](Self.text("{\"type\":\"x\"}\n", $0).utf8) },
                { bytes in
                    var tail = TranscriptTail()
                    return tail.feed(bytes).count
                }
            )
        }
    }
}

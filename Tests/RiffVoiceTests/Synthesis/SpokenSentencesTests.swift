// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffVoice
import Testing

struct SpokenSentencesTests {
    @Test(arguments: [
        ("The first sentence here. The second one follows! Is it the third?", 2),
        ("It is version 3.14 of the thing. Dr. Smith and J. Doe wrote it, e.g. for Mrs. Jones.", 2),
        ("He said \"it is done, at last.\" Then he went home (and stayed there).", 2),
        ("A line without a full stop that is long\nand another line that is long enough", 2),
        ("日本語の文はここで終わります。 次の文はここから始まってここで終わります。", 1), ("", 0), (" \n ", 0), ("One.", 1),
        ("This is what was done: the tests were run, and all passed.", 2),
        ("He asked. she answered in the very same breath.", 1),
    ])
    func `pieces end where sentences do`(text: String, count: Int) {
        let pieces = SentenceTextToSpeech.Sentences().pieces(of: text)
        #expect(pieces.count == count, "\(pieces)")
        #expect(pieces.joined(separator: " ") == text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    }

    @Test func `short ones are joined, also the last one`() {
        let pieces = SentenceTextToSpeech.Sentences().pieces(of: "Yes. No. I ran all of the tests. They pass. Done.")
        #expect(pieces == ["Yes. No. I ran all of the tests. They pass. Done."])
        let apart = SentenceTextToSpeech.Sentences().pieces(
            of: "Yes. No. I ran all of the tests. They pass without a fault. Done."
        )
        #expect(apart == ["Yes. No. I ran all of the tests.", "They pass without a fault. Done."])
    }

    @Test(arguments: [1, 2, 10, 50, 300])
    func `no piece is longer than allowed, and no word is lost`(longest: Int) {
        let text = String(repeating: "words and, more words; without an end ", count: 40) + "unbreakableunbreakable"
        let pieces = SentenceTextToSpeech.Sentences(shortest: 5, longest: longest).pieces(of: text)
        #expect(pieces.allSatisfy { $0.count <= longest && !$0.isEmpty })
        let joined = pieces.joined().filter { !$0.isWhitespace }
        #expect(joined == text.filter { !$0.isWhitespace })
    }
}

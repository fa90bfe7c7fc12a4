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
        ("日本語の文はここで終わります。 次の文はここから始まってここで終わります。", 2), ("", 0), (" \n ", 0), ("One.", 1),
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

    private static let twenty: [(name: String, sentence: String)] = [
        ("Chinese", "测试已经全部通过了。"), ("Chinese, short", "今天天气很好。"),
        ("Chinese, with commas", "我修改了三个文件，其中一个是配置文件，另外两个是测试文件。"), ("Chinese, asking", "你想让我继续吗？"),
        ("Chinese, quoted", "他说：“测试已经全部通过了！”"), ("Chinese, half-width marks", "测试已经全部通过了!"),
        ("Chinese, with Latin names", "我用Swift写了main.swift文件。"), ("Chinese, with numbers", "版本3.14在10：30发布了。"),
        ("Japanese", "テストはすべて成功しました。"), ("Japanese, full-width point", "今日は天気がいいです．"),
        ("Japanese, brackets", "「テストは成功しました。」と言いました。"), ("Japanese, half-width katakana", "ﾃｽﾄハｾｲｺｳｼﾏｼﾀ｡"),
        ("full-width", "Ｔｈｅ　ｔｅｓｔｓ　ｐａｓｓｅｄ　ｎｏｗ！"), ("Chinese, trailing off", "测试还没有结束……"),
        ("Chinese, ASCII points", "测试已经全部通过了."),
    ]

    @Test(arguments: twenty)
    func `sentences without spaces between them are pieces, and whole`(name: String, sentence: String) {
        let text = String(repeating: sentence, count: 20)
        let pieces = SentenceTextToSpeech.Sentences().pieces(of: text)
        #expect(pieces.count == 20, "\(name): \(pieces)")
        let whole = sentence.filter { !$0.isWhitespace }
        #expect(pieces.allSatisfy { $0.filter { !$0.isWhitespace } == whole }, "\(name): \(pieces)")
        #expect(pieces.joined().filter { !$0.isWhitespace } == text.filter { !$0.isWhitespace })
    }

    @Test func `Thai is cut at its spaces alone, which part its sentences`() {
        let sentence = "การทดสอบทั้งหมดผ่านเรียบร้อยแล้ว"
        let text = Array(repeating: sentence, count: 20).joined(separator: " ")
        #expect(SentenceTextToSpeech.Sentences().pieces(of: text) == Array(repeating: sentence, count: 20))
    }

    @Test func `a long sentence of Chinese is cut at its commas, and a name stays whole`() {
        let clause = "我们先检查配置文件里面的每一个设置，"
        let pieces = SentenceTextToSpeech.Sentences().pieces(of: String(repeating: clause, count: 12) + "然后结束。")
        #expect(pieces.count == 4)
        #expect(pieces.dropLast().allSatisfy { $0.hasSuffix("，") })
        let mixed = String(repeating: "名前はdescriptionです", count: 30)
        let cut = SentenceTextToSpeech.Sentences().pieces(of: mixed)
        #expect(cut.allSatisfy { !$0.hasPrefix("escription") && !$0.hasSuffix("descriptio") && $0.count <= 300 })
        #expect(cut.joined() == mixed)
    }

    @Test func `a long sentence is cut at a dash rather than within a phrase, and no number is`() {
        let half =
            "the humidity feels comfortable despite the storm that comes nearer and nearer, as it did every evening of "
            + "this long and quiet week in which nobody had anything to do"
        let pieces = SentenceTextToSpeech.Sentences().pieces(of: "\(half) — \(half), at 22,1 degrees.")
        #expect(pieces.first?.hasSuffix("—") == true, "\(pieces)")
        #expect(pieces.last?.hasSuffix("22,1 degrees.") == true, "\(pieces)")
    }

    @Test(arguments: ["说明.txt", "10：30", "3．14", "v2.0版", "example.中", "和/或"])
    func `names and numbers are no end`(word: String) {
        let text = "这里写的是\(word)这里写的是另外一些文字"
        #expect(SentenceTextToSpeech.Sentences().pieces(of: text) == [text])
    }

    @Test func `short answers of Chinese are joined as others are`() {
        #expect(SentenceTextToSpeech.Sentences().pieces(of: "好的。没问题。") == ["好的。没问题。"])
        #expect(SentenceTextToSpeech.Sentences().pieces(of: "测试已经全部通过了。好的。") == ["测试已经全部通过了。好的。"])
    }
}

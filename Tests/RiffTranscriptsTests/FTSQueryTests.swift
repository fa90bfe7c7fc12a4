// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTranscripts
import Testing

struct FTSQueryTests {
    @Test(arguments: [
        ("build", #""build""#),
        ("  the   build ", #"("the" AND "build")"#),
        (
            "a AND b OR c NOT d NEAR(e f)",
            #"("a" AND "AND" AND "b" AND "OR" AND "c" AND "NOT" AND "d" AND "NEAR(e" AND "f)")"#
        ),
        (#"say "hi"#, #"("say" AND """hi")"#),
        ("text: foo*", #"("text:" AND "foo*")"#),
        ("-x", #""-x""#),
        ("a\u{0}b", #"("a" AND "b")"#),
        ("a\"\u{301}b", "\"a\"\"\u{301}b\""),
        ("a\u{0}\u{301}b", #"("a" AND "b")"#),
        ("-> ++", nil),
        ("", nil),
        ("\u{1F600}", nil),
    ])
    func `plain text is words and nothing else`(text: String, words: String?) {
        #expect(FTSQuery(text).words == words)
    }

    @Test(arguments: [
        (#""the build" green"#, #"("the build" AND "green")"#),
        ("buil*", #""buil" *"#),
        ("build -red", #""build" NOT "red""#),
        ("red OR green build", #"(("red" OR "green") AND "build")"#),
        ("OR build", #""build""#),
        ("build OR", #""build""#),
        (#""open phrase"#, #""open phrase""#),
        (#""" build"#, #""build""#),
        ("- build *", #""build""#),
        ("-red", nil),
        (#"-"the end" of"#, #""of" NOT "the end""#),
        ("not and", #"("not" AND "and")"#),
    ])
    func `operators count where they are asked for, and where they stand right`(text: String, words: String?) {
        #expect(FTSQuery(text, syntax: .operators).words == words)
    }

    @Test(arguments: [
        ("build", false), ("caf\u{E9}", false), ("\u{4E16}\u{754C}", true), ("\u{D55C}\u{AD6D}", true),
        ("\u{1F680}", true), ("->", true), ("\u{0E44}\u{0E17}\u{0E22}", true), ("v2 1#2", false), ("#1", false),
    ])
    func `scripts without spaces, emoji and signs are looked for as substrings`(text: String, expected: Bool) {
        #expect(FTSQuery(text).needsSubstrings == expected)
    }

    @Test(arguments: [
        ("abcd", #"("abc" AND "bcd")"#), ("ab", nil), ("abc de", #""abc""#),
        ("\u{4E16}\u{754C}\u{4EBA}", "\"\u{4E16}\u{754C}\u{4EBA}\""),
    ])
    func `substrings are looked up by their trigrams`(text: String, expected: String?) {
        #expect(FTSQuery(text).trigrams == expected)
    }

    @Test func `a pattern finds its text and no other`() {
        #expect(FTSText.pattern("50%_\\") == "%50\\%\\_\\\\%")
        #expect(FTSText.pattern("\u{C4}x") == "%\u{C4}x%")
    }

    @Test func `a long text is cut to what counts`() {
        let query = FTSQuery(String(repeating: "word ", count: 5000))
        #expect(query.groups.count == FTSQuery.termLimit)
        let trigrams = FTSQuery(String(repeating: "abcdefg", count: 2000)).trigrams
        #expect((trigrams?.count ?? 0) < 400)
    }

    @Test func `no text is an error to SQLite`() async throws {
        var generator = SeededGenerator(seed: 7)
        let alphabet = Array(
            "ab\"'*-+^:(){}[]~,.;\\%_ \u{0}\u{1}\n\u{E9}\u{301}\u{4E16}\u{1F680}\u{FEFF}\u{200D}NORADTE"
        )
        try await TranscriptLab.withStore { (store) async throws in
            try await store.save(TranscriptSession(id: "s"), [TranscriptLab.message("1", "ab NOT a\u{4E16}")])
            for round in 0..<600 {
                let text = String(
                    (0..<Int.random(in: 1...12, using: &generator)).map { _ in
                        alphabet.randomElement(using: &generator) ?? " "
                    }
                )
                let query = FTSQuery(text, syntax: round.isMultiple(of: 2) ? .plain : .operators)
                for matching in [TranscriptSearch.Matching.words, .substrings] {
                    let search = TranscriptSearch(query, matching: matching, order: round % 3 == 0 ? .rank : .newest)
                    do { _ = try await store.search(search) } catch {
                        Issue.record(error, "\(text.debugDescription)")
                    }
                }
            }
        }
    }
}

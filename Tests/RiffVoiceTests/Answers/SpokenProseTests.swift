// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffVoice
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SpokenProseTests {
    @Test(arguments: [
        ("All tests pass.", "All tests pass."),
        ("Done", "Done."),
        ("I ran `npm test` and it passed.", "I ran and it passed."),
        ("Use ``a `tick` inside`` here.", "Use here."),
        ("Before\n```swift\nlet x = 1\n```\nAfter", "Before.\nAfter."),
        ("Before\n~~~~\n~~~\ncode\n~~~~\nAfter", "Before.\nAfter."),
        ("Never closed:\n```\ncode\nmore", "Never closed:"),
        ("# A **big** title\ntext", "A big title.\ntext."),
        ("## Closed ##\ntext", "Closed.\ntext."),
        ("- one\n- two,\n  still two\n3. three", "one.\ntwo, still two.\nthree."),
        ("- [x] done\n- [ ] to do", "done.\nto do."),
        ("> quoted\n> on", "quoted on."),
        ("a\nb\n\nc", "a b.\nc."),
        ("See [the guide](https://example.com/a_(b)) now.", "See the guide now."),
        ("See [the guide][1] now.\n\n[1]: https://example.com", "See the guide now."),
        ("![a picture](x.png) Look.", "Look."),
        ("It is at https://example.com/x?y=1, and www.example.com.", "It is at and."),
        ("Changed /usr/local/bin/x, ./a.sh, ~/b and src/main.swift today.", "Changed and today."),
        ("Win and/or lose, him/her, 24/7, 1/2.", "Win and/or lose, him/her, 24/7, 1/2."),
        ("Fixes #12 for @bob (see #13).", "Fixes for (see)."),
        ("A C# and F# talk at 5 @ noon.", "A C# and F# talk at 5 @ noon."),
        ("**bold** *it* _it_ ~~gone~~ snake_case", "bold it it gone snake case."),
        ("5 \\* 3 and \\[no link\\]", "5 3 and [no link]."),
        ("a <b>bold</b> <!-- hidden --> word &amp; more &lt;x&gt;", "a bold word & more <x>."),
        ("| a | b |\n|---|---|\n| 1 | 2 |", "a, b.\n1, 2."),
        ("a\n\n---\n\nb", "a.\nb."),
        ("Is it? Yes!", "Is it? Yes!"), ("(All of it.)", "(All of it.)"), ("He said \"no\"", "He said \"no\"."),
        ("日本語です。", "日本語です。"), ("👩‍👩‍👧 fine", "fine."),
        ("a\u{1B}[31mb\u{7}c", "a[31mbc."), ("╭──╮ box ╰──╯", "box."),
        ("```\nonly code\n```", ""), ("`x`", ""), ("", ""), ("\n\n \n", ""), ("---", ""), ("#12", ""),
        ("[", ""), ("[a](", "[a](."), ("<", ""), ("`a", "a."), ("![", ""), ("a `b", "a b."),
    ])
    func `prose is what stands between code, addresses and marks`(markdown: String, prose: String) {
        #expect(SpokenProse().prose(of: markdown) == prose)
    }

    @Test(arguments: [
        ("✅ Done. 🎉 3 tests", "Done. 3 tests."), ("Done 🎉", "Done."), ("Done🎉3 tests", "Done 3 tests."),
        ("All good 👍🏽!", "All good!"), ("\(Emoji.family) came", "came."), ("🇩🇪 and 🇫🇷 and 🏴󠁧󠁢󠁳󠁣󠁴󠁿", "and and."),
        ("Press 1️⃣ or #️⃣ now", "Press or now."), ("👩🏾‍💻 wrote it", "wrote it."), ("❤️‍🔥 it", "it."),
        ("🎉🎉🎉", ""), ("✅", ""), ("✅ Built\n❌ Failed", "Built.\nFailed."), ("⚠️ Careful", "Careful."),
        ("⚠ Careful", "Careful."), ("✓ one ✗ two ★ three", "one two three."), ("☑ a\n☐ b", "a.\nb."),
        ("a → b ⇒ c", "a b c."), ("\u{E0B0} main \u{F418} clean \u{F0001}", "main clean."), ("⠋ busy", "busy."),
        ("(🎉) yes", "yes."), ("**✅ Bold**", "Bold."), ("# 🚀 Title\ntext", "Title.\ntext."),
        ("| ✅ | a |\n|---|---|\n| ❌ | b |", "a.\nb."), ("waved\u{1F3FD} back", "waved back."),
        ("\u{FE0F}start", "start."), ("⬆️ up ⬇ down", "up down."), ("ℹ️ note", "note."),
    ])
    func `pictures are left out`(markdown: String, prose: String) {
        #expect(SpokenProse().prose(of: markdown) == prose)
    }

    @Test(arguments: [
        ("✅ Done. 🎉 3 tests", "Done. 3 tests"), ("One 🎉\nTwo", "One\nTwo"), ("© 2026, 1️⃣ of 2", "© 2026, of 2"),
        ("plain  text", "plain  text"), ("🎉", "🎉"), ("👩‍👩‍👧 fine", "fine"),
    ])
    func `a feed's prose has none, wherever it comes from`(given: String, told: String) {
        #expect(AgentAnswer(time: 1, .prose(given)).content == .prose(told))
    }

    @Test(arguments: [
        ("© 2026 Riff™, Inc.®", "© 2026 Riff™, Inc.®."),
        ("3 of 12 tests, 5 * 4 = 20 # no", "3 of 12 tests, 5 4 = 20 # no."),
        ("©️ and ™️", "© and ™."), ("1\u{FE0F} thing", "1 thing."), ("20 °C, 5 € and ½ £", "20 °C, 5 € and ½ £."),
        ("x ≤ y ± 2 × 3 ÷ 4 ≠ ∞", "x ≤ y ± 2 × 3 ÷ 4 ≠ ∞."), ("❶ first ② second", "❶ first ② second."),
        ("naïve café, Zoë, résumé", "naïve café, Zoë, résumé."), ("cafe\u{301}", "cafe\u{301}."),
        ("これは㊙です。", "これは㊙です。"), ("क्ष and ज्ञ", "क्ष and ज्ञ."), ("می\u{200C}خواهم", "می\u{200C}خواهم."),
        ("Really⁉ Yes‼", "Really⁉ Yes‼."), ("§ 5, № 7, µ, Ω", "§ 5, № 7, µ, Ω."), ("ﬁne", "ﬁne."),
    ])
    func `digits, signs and letters of any script stay`(markdown: String, prose: String) {
        #expect(SpokenProse().prose(of: markdown) == prose)
    }

    @Test func `it is cut between words, and never within one`() {
        let text = String(repeating: "word and word ", count: 200)
        for limit in [1, 4, 5, 9, 100, 1_199, 1_200] {
            let prose = SpokenProse(limit: limit).prose(of: text)
            #expect(prose.count <= limit)
            if limit >= 4 { #expect(prose.hasSuffix("word") || prose.hasSuffix("and"), "\(limit): \(prose.suffix(9))") }
        }
        #expect(SpokenProse().prose(of: text).count > 1_190)
        #expect(SpokenProse(limit: 5).prose(of: "unbreakable").count == 5)
    }

    @Test(arguments: ["[", "`", "<", "![", "](", "*", "[[]](", "> ", "- "])
    func `hostile repetitions end, and end within the limit`(piece: String) {
        #expect(SpokenProse().prose(of: String(repeating: piece, count: 5_000)).count <= 1_200)
    }
}

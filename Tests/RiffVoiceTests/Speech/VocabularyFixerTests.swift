// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffVoice
import Testing

struct VocabularyFixerTests {
    static let sven = VocabularyFixer([VocabularyFixer.Rule(heard: "spin", meant: "Sven")])

    static let table: [(text: String, fixed: String)] = [
        ("ask spin about it", "ask Sven about it"),
        ("spin", "Sven"), ("Spin, stop.", "Sven, stop."), ("SPIN!", "Sven!"), ("(spin)", "(Sven)"),
        ("\u{201C}spin\u{201D}", "\u{201C}Sven\u{201D}"), ("so\u{2014}spin\u{2014}go", "so\u{2014}Sven\u{2014}go"),
        ("well... spin.", "well... Sven."), ("spin spin", "Sven Sven"), ("wait \u{2026}spin", "wait \u{2026}Sven"),
        ("spin's turn", "Sven's turn"), ("spin\u{2019}s turn", "Sven\u{2019}s turn"),
        ("spins' 'spin'", "spins' 'Sven'"),
        ("spinning", "spinning"), ("respin", "respin"), ("spin-off", "spin-off"), ("top-spin", "top-spin"),
        ("spin\u{2011}off", "spin\u{2011}off"), ("spin'n", "spin'n"), ("o'spin", "o'spin"), ("spin_lock", "spin_lock"),
        ("spin.swift", "spin.swift"), ("src/spin", "src/spin"), ("/spin", "/spin"), ("spin/", "spin/"),
        ("--spin", "--spin"), ("@spin", "@spin"), ("#spin", "#spin"), ("spin@host", "spin@host"), ("spin2", "spin2"),
        ("spin\u{308}", "spin\u{308}"), ("\u{E9}spin", "\u{E9}spin"), ("spin\u{E9}", "spin\u{E9}"),
        ("run `spin` with spin", "run `spin` with Sven"), ("``a ` spin`` spin", "``a ` spin`` Sven"),
        ("```\nspin\n``` spin", "```\nspin\n``` Sven"), ("a ` spin", "a ` Sven"),
        ("", ""), ("no rule applies", "no rule applies"),
    ]

    @Test(arguments: table)
    func `whole words are replaced, and nothing else`(text: String, fixed: String) {
        #expect(Self.sven.fix(text) == fixed)
    }

    @Test func `a term is text, not a pattern`() {
        let fixer = VocabularyFixer([
            VocabularyFixer.Rule(heard: ".*", meant: "X"), VocabularyFixer.Rule(heard: "c++", meant: "C++"),
            VocabularyFixer.Rule(heard: "$1", meant: "one"), VocabularyFixer.Rule(heard: " ", meant: "Y"),
            VocabularyFixer.Rule(heard: "a(b", meant: "\\0$0"),
        ])
        #expect(fixer.fix("say anything and c++ or a(b now") == "say anything and C++ or \\0$0 now")
    }

    @Test func `the longest rule wins, over any white space, and is not replaced again`() {
        let fixer = VocabularyFixer([
            VocabularyFixer.Rule(heard: "cube", meant: "Kube"),
            VocabularyFixer.Rule(heard: "cube control", meant: "kubectl"),
            VocabularyFixer.Rule(heard: "kubectl", meant: "wrong"),
        ])
        #expect(fixer.fix("cube  control and cube\ncontrol, cube controls") == "kubectl and kubectl, Kube controls")
    }

    @Test func `a lower-case word follows the case heard, another stays as it is`() {
        let fixer = VocabularyFixer([
            VocabularyFixer.Rule(heard: "cube", meant: "kubectl"),
            VocabularyFixer.Rule(heard: "get hub", meant: "GitHub"),
            VocabularyFixer.Rule(heard: "Pat", meant: "PAT", matchesCase: true),
        ])
        #expect(fixer.fix("Cube on Get Hub. cube") == "Kubectl on GitHub. kubectl")
        #expect(fixer.fix("Pat a pat PAT") == "PAT a pat PAT")
    }

    @Test func `both apostrophes and both forms of an accent are the same`() {
        let fixer = VocabularyFixer([
            VocabularyFixer.Rule(heard: "can't do", meant: "Kandu"),
            VocabularyFixer.Rule(heard: "caf\u{E9}", meant: "Cafe"),
        ])
        #expect(fixer.fix("can\u{2019}t do cafe\u{301}") == "Kandu Cafe")
    }
}

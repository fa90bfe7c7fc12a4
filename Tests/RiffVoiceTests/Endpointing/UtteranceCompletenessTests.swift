// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffVoice
import TestSupport
import Testing

struct UtteranceCompletenessTests {
    static let english = UtteranceCompleteness()

    // MARK: Figures

    /// What the rules were tuned on: a loss here is a rule that broke.
    @Test(arguments: [("dev", 0.98), ("dev2", 0.96), ("dev3", 0.9)])
    func `the sets that the rules were tuned on stay judged`(name: String, accuracy: Double) throws {
        let set = try EndingSet(name)
        #expect(set.endings.count >= 100)
        let figures = set.figures(Self.english)
        print("endings \(name): \(figures)")
        #expect(figures.accuracy >= accuracy)
        #expect(figures.falseCutOff <= 0.06)
        #expect(figures.needlessWait <= 0.08)
    }

    @Test func `the held-out set is judged well enough`() throws {
        let set = try EndingSet("held")
        #expect(set.endings.count == 260)
        let figures = set.figures(Self.english)
        print("endings held out: \(figures)")
        #expect(figures.accuracy >= 0.85)
        #expect(figures.falseCutOff <= 0.25)
        #expect(figures.easyFalseCutOff <= 0.12)
        #expect(figures.needlessWait <= 0.06)
    }

    // MARK: What recognizers do to a text

    @Test(arguments: [
        "to.", "I want to.", "I WANT TO", "i want to!", "I want to\u{2014}", "I want to...", "I want to\u{2026}",
        "  i want to \n", "\u{201C}I want to\u{201D}", "\"I want to.\"", "i want, to",
    ])
    func `case, punctuation and quotes hide no open end`(text: String) {
        #expect(Self.english.verdict(on: text) == .incomplete)
    }

    @Test(arguments: [
        "Run the tests.", "RUN THE TESTS", "run the tests?", "run the tests!", " Run the tests \n",
        "\u{201C}Run the tests.\u{201D}", "run, the tests",
    ])
    func `case, punctuation and quotes open no whole utterance`(text: String) {
        #expect(Self.english.verdict(on: text) == .complete)
    }

    @Test(arguments: [
        "run the tests...", "run the tests\u{2026}", "run the tests,", "run the tests:", "run the tests -",
        "run the tests\u{2014}", "Run the tests... ", "\"run the tests...\"",
    ])
    func `what is written as trailing off goes on`(text: String) {
        #expect(Self.english.verdict(on: text) == .incomplete)
    }

    @Test(arguments: ["don", "i don", "what", "it isn", "yes i", "i can", "that doesn"])
    func `a curly apostrophe is the straight one`(start: String) {
        for end in ["t", "s", "ve", "t matter"] {
            let straight = Self.english.verdict(on: "\(start)'\(end)")
            for apostrophe in ["\u{2019}", "\u{2018}", "\u{02BC}"] {
                #expect(Self.english.verdict(on: start + apostrophe + end) == straight)
            }
        }
    }

    @Test(arguments: [
        "um", "Uh.", "er", "hmm", "Hmm\u{2026}", "um uh", "okay so um", "you know", "i mean", "and", "so",
    ])
    func `fillers alone are no utterance`(text: String) {
        #expect(Self.english.verdict(on: text) == .incomplete)
    }

    @Test(arguments: [
        "", " ", "\n\t", ".", "...", "\u{2026}", "?!", "\u{2014}", "'", "''", "-", "--", "\"\"", "\u{1F642}",
        "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{0301}", "\u{0}",
    ])
    func `where nothing was said nothing is known`(text: String) {
        #expect(Self.english.verdict(on: text) == .unknown)
    }

    @Test(arguments: [
        ("port eight thousand", true), ("use port 8080", true), ("it costs 3.50", true), ("version 1.2.3", true),
        ("use version", false), ("open port", false), ("go to line", false), ("version two point", false),
        ("version 2 point", false), ("42", true), ("twenty five", true), ("1,000 users", true),
        ("my phone number is oh one seven", false), ("my phone number is 555 0199", true),
    ])
    func `numbers are whole unless they are cut`(text: String, isWhole: Bool) {
        #expect(Self.english.verdict(on: text) == (isWhole ? .complete : .incomplete))
    }

    // MARK: Other languages

    @Test(arguments: ["en", "EN", "en-GB", "en_US", "en-Latn-US"])
    func `every English is English`(language: String) {
        #expect(UtteranceCompleteness(language: language).verdict(on: "run the tests and") == .incomplete)
    }

    @Test(arguments: ["nl", "", "-", "eng-land", "pt-BR", "e"])
    func `there are no rules for other languages`(language: String) {
        #expect(UtteranceCompleteness(language: language).verdict(on: "run the tests and") == .unknown)
    }

    // MARK: Any input

    /// A rule that looks before the first word or behind the last one would trap here.
    @Test func `every beginning and every end of an utterance is judged`() throws {
        for ending in try EndingSet("dev").endings + EndingSet("dev2").endings {
            let words = ending.text.split(separator: " ")
            for index in words.indices {
                let before = words[...index].joined(separator: " ")
                #expect(Self.english.verdict(on: before) != .unknown, "\(before)")
                let behind = words[index...].joined(separator: " ")
                #expect(Self.english.verdict(on: behind) != .unknown, "\(behind)")
            }
        }
    }

    @Test(arguments: [
        "\u{43F}\u{440}\u{438}\u{432}\u{435}\u{442} \u{43C}\u{438}\u{440}", "\u{4F60}\u{597D}", "\u{645}\u{631}",
        "run \u{1F642} the tests", "e\u{301}t\u{E9}", "the the the the", "to to to", "2", "a'b-c.d", "if if if if",
    ])
    func `words of any script are judged`(text: String) {
        #expect(Self.english.verdict(on: text) != .unknown)
    }

    /// Quadratic work on so many words would pass the time limit by far.
    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            "if the server fails", "the longer it", "that the", "either i think the man", "is one",
            "everything you need to",
        ]
    )
    func `a hundred thousand words take no longer than they should`(phrase: String) {
        let count = phrase.split(separator: " ").count
        let text = Array(repeating: phrase, count: 100_000 / count).joined(separator: " ")
        #expect(Self.english.verdict(on: "if the man " + text + " so") == .incomplete)
        #expect(Self.english.verdict(on: text + " up") != .unknown)
    }
}

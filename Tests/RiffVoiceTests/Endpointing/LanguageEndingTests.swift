// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffVoice
import TestSupport
import Testing

/// The ends of turns in German, French and Spanish: 100 utterances each that the rules were tuned on, and 100 others.
struct LanguageEndingTests {
    @Test(arguments: ["de", "fr", "es"])
    func `the held-out set of a language is judged well enough`(language: String) throws {
        for name in ["dev", "held"] {
            let set = try EndingSet("\(language)-\(name)")
            #expect(set.endings.count == 100)
            let figures = set.figures(UtteranceCompleteness(language: language))
            print("endings \(language) \(name): \(figures)")
            #expect(figures.accuracy >= 0.85)
            #expect(figures.falseCutOff <= 0.25)
            #expect(figures.needlessWait <= 0.06)
        }
    }

    @Test(arguments: ["de", "fr", "es"])
    func `case and punctuation change nothing, and what trails off goes on`(language: String) throws {
        let judge = UtteranceCompleteness(language: language)
        for ending in try EndingSet("\(language)-dev").endings {
            let verdict = judge.verdict(on: ending.text)
            #expect(judge.verdict(on: ending.text.uppercased() + ".") == verdict, "\(ending.text)")
            #expect(judge.verdict(on: ending.text + "...") == .incomplete)
        }
        #expect(judge.verdict(on: " ") == .unknown)
    }

    @Test(arguments: ["ja", "pt-BR", "nl", "", "d", "english"])
    func `another language has silence alone`(language: String) {
        #expect(UtteranceCompleteness(language: language).verdict(on: "and then the") == .unknown)
    }

    @Test(arguments: ["de-AT", "de_DE", "DE"])
    func `a tag's region and case do not matter`(tag: String) {
        #expect(UtteranceCompleteness(language: tag).verdict(on: "zeig mir die") == .incomplete)
    }

    @Test(arguments: ["de", "fr", "es"])
    func `judging is linear in the length of the text`(language: String) {
        let judge = UtteranceCompleteness(language: language)
        for word in ["und ", "que ", "si ", "mach ", "la "] {
            let factor = Growth.processorFactor(from: 10_000, { String(repeating: word, count: $0) }) { text in
                _ = judge.verdict(on: text)
            }
            #expect(factor <= Growth.most, "\(word): \(factor)")
        }
    }
}

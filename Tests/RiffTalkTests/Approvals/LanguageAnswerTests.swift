// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffTalk
import RiffVoice
import TestSupport
import Testing

/// A yes and a no in German, French and Spanish: 100 answers each that the words were chosen by, and 100 others.
struct LanguageAnswerTests {
    @Test(arguments: [SpokenLanguage.german, .french, .spanish])
    func `no answer of a language is a wrong approval`(language: SpokenLanguage) throws {
        let rules = SpokenAnswerRules(language)
        for name in ["dev", "held"] {
            let rows = try SpokenAnswerTests.rows("\(language.rawValue)-\(name)")
            #expect(rows.count >= 100)
            var right = 0
            for row in rows {
                let answer = rules.answer(row.text)
                if answer == row.answer { right += 1 }
                #expect(answer != .approved || row.answer == .approved, "a wrong approval: \(row)")
            }
            print("answers \(language.rawValue) \(name): \(right) of \(rows.count) right, no wrong approval")
            #expect(Double(right) >= 0.85 * Double(rows.count))
        }
    }

    @Test(arguments: [SpokenLanguage.german, .french, .spanish])
    func `a denial wins wherever it stands, and a yes has nothing beside it`(language: SpokenLanguage) throws {
        let rules = SpokenAnswerRules(language)
        let rows = try ["dev", "held"].flatMap { try SpokenAnswerTests.rows("\(language.rawValue)-\($0)") }
        let yes = rows.filter { rules.answer($0.text) == .approved }
        let no = rows.filter { rules.answer($0.text) == .denied }
        #expect(yes.count > 40 && no.count > 60)
        for (one, other) in zip(yes, no) {
            #expect(rules.answer("\(one.text) \(other.text)") == .denied, "\(one) \(other)")
            #expect(rules.answer("\(other.text) \(one.text)") == .denied, "\(other) \(one)")
        }
        for row in yes {
            for word in ["main", "Bob", "tests"] { #expect(rules.answer("\(row.text) \(word)") == .unclear) }
            #expect(rules.answer("\(row.text)?") == .unclear)
            #expect(rules.answer("\u{201C}\(row.text)\u{201D}") == .unclear)
        }
    }

    @Test func `what is a no in one language is a yes in no other`() throws {
        for language in SpokenLanguage.allCases {
            let rules = SpokenAnswerRules(language)
            for other in [SpokenLanguage.german, .french, .spanish] where other != language {
                for row in try SpokenAnswerTests.rows("\(other.rawValue)-dev") where row.answer == .denied {
                    #expect(rules.answer(row.text) != .approved, "\(language) hears \(row)")
                }
            }
        }
        #expect(SpokenAnswerRules(nil).answer("yes") == .unclear)
    }

    @Test func `without words for a yes nothing is asked by voice`() {
        var machine = ConversationMachine(ConversationPolicy(language: "ja"))
        _ = machine.handle(.enter)
        _ = machine.handle(.callBegan)
        let request = ApprovalRequest(id: .init(rawValue: "1"), question: "may I?")
        #expect(machine.handle(.asked(request)) == [.decide(request.id, .pending)])
    }
}

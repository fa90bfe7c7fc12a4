// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffTalk
import TestSupport
import Testing

struct SpokenAnswerTests {
    struct Row: Sendable, CustomStringConvertible {
        let answer: SpokenAnswer
        let text: String
        var description: String { text.debugDescription }
    }

    static func rows(_ name: String = "answers") throws -> [Row] {
        let table = try String(contentsOfFile: Fixture.path("approvals/\(name).tsv"), encoding: .utf8)
        let answers: [Substring: SpokenAnswer] = ["approved": .approved, "denied": .denied, "unclear": .unclear]
        return try table.split(separator: "\n").map { line in
            let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
            return Row(answer: try #require(answers[parts[0]]), text: String(try #require(parts.last)))
        }
    }

    @Test func `a table of what people say, without one wrong approval`() throws {
        let rows = try Self.rows()
        #expect(rows.count >= 500)
        var wrong: [SpokenAnswer: Int] = [:]
        for row in rows {
            let answer = SpokenAnswerRules().answer(row.text)
            #expect(answer == row.answer, "\(row)")
            if answer != row.answer { wrong[answer, default: 0] += 1 }
        }
        #expect(wrong[.approved, default: 0] == 0)
        print("spoken answers: \(rows.count) rows, \(wrong[.approved, default: 0]) wrong approvals")
    }

    @Test func `a denial wins wherever it stands, and a yes has nothing beside it`() throws {
        let rules = SpokenAnswerRules()
        let rows = try Self.rows()
        let (yes, no) = (rows.filter { $0.answer == .approved }, rows.filter { $0.answer == .denied })
        for (one, other) in zip(yes, no + no) {
            #expect(rules.answer("\(one.text) \(other.text)") == .denied, "\(one) \(other)")
            #expect(rules.answer("\(other.text) \(one.text)") == .denied, "\(other) \(one)")
        }
        for row in yes {
            for word in ["always", "main", "tomorrow", "Bob", "if", "know"] {
                #expect(rules.answer("\(row.text) \(word)") == .unclear, "\(row) \(word)")
                #expect(rules.answer("\(word) \(row.text)") == .unclear, "\(word) \(row)")
            }
            #expect(rules.answer("\(row.text)?") == .unclear)
            #expect(rules.answer("\u{201C}\(row.text)\u{201D}") == .unclear)
        }
    }
}

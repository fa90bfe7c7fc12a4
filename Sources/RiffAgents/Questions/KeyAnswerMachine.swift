// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Decides whether a question at the terminal may be answered by a key, and with which. A key acts on whatever stands
/// there: it is pressed once, after two looks, a quarter of a second apart, at one and the same screen that shows
/// exactly this question, and only the key that the screen itself names beside the answer.
package struct KeyAnswerMachine: Sendable {
    /// What to do next.
    package enum Step: Sendable, Hashable {
        /// Look again after a quarter of a second.
        case look
        /// Press this key, then look.
        case press([UInt8])
        /// The question is over.
        case done
        /// Nothing was pressed, and nothing may be.
        case refuse(AgentErrorCode, String)
    }

    /// How far apart two looks are.
    package static let interval = Duration.milliseconds(250)

    /// From here on a subject may have lost its middle: a little less than the most that one keeps.
    private static let subjectLimit = AgentQuestion.limitBytes - 16

    private let facts: ScreenFacts
    private let question: AgentQuestion
    private let answer: QuestionAnswer
    private var last: [String]?
    private var isPressed = false

    /// Creates a machine for one question and one answer.
    package init(_ question: AgentQuestion, with answer: QuestionAnswer, facts: AgentFacts) {
        self.question = question
        self.answer = answer
        self.facts = facts.screen
    }

    /// Whether the key was pressed: then the question may have been answered.
    package var mayBeAnswered: Bool { isPressed }

    /// Takes the rows that the screen shows.
    package mutating func look(at rows: [String]) -> Step {
        let reading = AgentScreenReader(facts: facts, rows: rows.map { AgentScreenReader.Row(text: $0) }).read()
        let isShown = reading.question.map(isSame) ?? false
        if isPressed { return isShown ? .look : .done }
        guard !question.subject.isEmpty, question.subject.utf8.count < Self.subjectLimit else {
            return .refuse(.notAnswerable, "The terminal cannot prove which question it shows.")
        }
        guard isShown, let shown = reading.question else {
            return .refuse(.questionGone, "The terminal does not show the question “\(question.summary)”.")
        }
        defer { last = rows }
        guard let last, last.count == rows.count,
            zip(last, rows).allSatisfy({ $0.utf8.elementsEqual($1.utf8) })
        else { return .look }
        guard let key = key(in: shown) else {
            return .refuse(.notAnswerable, "No key gives this answer to “\(question.summary)”.")
        }
        isPressed = true
        return .press(key)
    }

    private func isSame(_ shown: AgentQuestion) -> Bool {
        shown.kind == question.kind && shown.tool.utf8.elementsEqual(question.tool.utf8)
            && shown.subject.utf8.elementsEqual(question.subject.utf8)
    }

    private func key(in shown: AgentQuestion) -> [UInt8]? {
        switch answer {
        case .allow:
            let allowing = shown.options.filter { option in
                facts.allowing.contains { $0.utf8.elementsEqual(option.label.trimmed.utf8) }
            }
            guard allowing.count == 1, let key = allowing[0].key, key.utf8.count == 1,
                let byte = key.utf8.first, byte.isPlain
            else { return nil }
            return [byte]
        // Its number differs from question to question.
        case .deny, .cancel: return facts.deniesByEscape ? [0x1B] : nil
        case .choose: return nil
        }
    }
}

extension String {
    /// Without spaces around it.
    fileprivate var trimmed: Substring {
        let space = UInt8(ascii: " ")
        let start = utf8.firstIndex { $0 != space } ?? utf8.endIndex
        let end = utf8.lastIndex { $0 != space }.map { utf8.index(after: $0) } ?? start
        return self[start..<end]
    }
}

extension UInt8 {
    /// Whether it is a digit or a small letter.
    fileprivate var isPlain: Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// A digest of what happened while nobody looked, made of marks alone: nothing in it is guessed or written by a model.
public struct AbsenceDigest: Sendable, Hashable {
    /// A question of the agent.
    public struct Question: Sendable, Hashable {
        /// The time at which it was asked, in seconds since 1970.
        public var askedAt: Double
        /// The question that was asked.
        public var text: String
        /// The answer; empty if it is over and the answer is not known, `nil` if it is still open.
        public var answer: String?
    }

    /// The time in seconds since 1970 from the first moment to the last.
    public let period: ClosedRange<Double>
    /// The whole minutes of that.
    public var minutes: Int { Int(max(period.upperBound - period.lowerBound, 0) / 60) }
    /// The number of lines that went by.
    public let lineCount: Int
    /// The questions, in order; those asked before and not answered then come first.
    public let questions: [Question]
    /// The number of turns that were done.
    public let doneCount: Int
    /// Why turns failed, in order.
    public let failures: [String]
    /// The gaps: how much is not known.
    public let gaps: [String]
    /// The state at the end; `nil` if none is known.
    public let state: String?

    /// The questions that wait for an answer.
    public var openQuestions: [Question] { questions.filter { $0.answer == nil } }

    /// Makes the digest.
    ///
    /// - Parameters:
    ///   - marks: The marks of one session in the order of their times, with those of before the absence.
    ///   - period: The absence, in seconds since 1970.
    ///   - lineCount: How many lines went by meanwhile.
    public init(_ marks: some Sequence<RecordMark>, during period: ClosedRange<Double>, lineCount: Int) {
        var questions: [Question] = []
        var (done, failures, gaps) = (0, [String](), [String]())
        var state: String?
        for mark in marks where mark.time <= period.upperBound {
            let isInside = mark.time >= period.lowerBound
            switch mark.kind {
            case .state: state = mark.text
            case .question: questions.append(Question(askedAt: mark.time, text: mark.text))
            case .answer:
                guard let open = questions.lastIndex(where: { $0.answer == nil }) else { break }
                questions[open].answer = mark.text
            case .turnDone where isInside: done += 1
            case .turnFailed where isInside: failures.append(mark.text)
            case .gap where isInside: gaps.append(mark.text)
            default: break
            }
            // A turn that ends takes its questions with it.
            if mark.kind == .turnDone || mark.kind == .turnFailed {
                for index in questions.indices where questions[index].answer == nil { questions[index].answer = "" }
            }
            if !isInside { questions.removeAll { $0.answer != nil } }
        }
        self.period = period
        self.lineCount = lineCount
        self.questions = questions
        doneCount = done
        self.failures = failures
        self.gaps = gaps
        self.state = state
    }
}

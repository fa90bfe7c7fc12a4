// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffScreen
import Testing

struct AbsenceDigestTests {
    private static func digest(_ marks: [RecordMark], _ period: ClosedRange<Double> = 100...700) -> AbsenceDigest {
        AbsenceDigest(marks, during: period, lineCount: 12)
    }

    @Test func `an absence is summed up from its marks`() {
        let digest = Self.digest([
            RecordMark(time: 10, kind: .question, text: "old"), RecordMark(time: 20, kind: .answer, text: "yes"),
            RecordMark(time: 50, kind: .turnDone), RecordMark(time: 60, kind: .state, text: "working"),
            RecordMark(time: 150, kind: .turnDone), RecordMark(time: 200, kind: .turnFailed, text: "rate limit"),
            RecordMark(time: 250, kind: .question, text: "Bash rm"), RecordMark(time: 260, kind: .answer, text: "no"),
            RecordMark(time: 300, kind: .gap, text: "20 bytes"), RecordMark(time: 310, kind: .turnDone),
            RecordMark(time: 400, kind: .question, text: "Edit a"),
            RecordMark(time: 410, kind: .state, text: "waiting"), RecordMark(time: 800, kind: .turnDone),
        ])
        #expect(digest.minutes == 10 && digest.lineCount == 12)
        #expect(digest.doneCount == 2 && digest.failures == ["rate limit"] && digest.gaps == ["20 bytes"])
        #expect(digest.questions.map(\.text) == ["Bash rm", "Edit a"])
        #expect(digest.questions.map(\.answer) == ["no", nil])
        #expect(digest.openQuestions.map(\.text) == ["Edit a"])
        #expect(digest.state == "waiting")
    }

    @Test func `a question asked before and still open is told`() {
        let digest = Self.digest([RecordMark(time: 10, kind: .question, text: "still")])
        #expect(digest.questions.map(\.text) == ["still"] && digest.questions[0].answer == nil)
        #expect(Self.digest([]).questions.isEmpty && Self.digest([]).state == nil)
    }

    @Test func `a turn's end takes its question with it, and the answer is not known`() {
        let digest = Self.digest([
            RecordMark(time: 110, kind: .question, text: "a"), RecordMark(time: 120, kind: .turnFailed, text: "killed"),
        ])
        #expect(digest.questions.map(\.answer) == [""] && digest.openQuestions.isEmpty)
    }
}

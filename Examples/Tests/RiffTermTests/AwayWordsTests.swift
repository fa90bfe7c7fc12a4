// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffScreen
import Testing

import riff_term

struct AwayWordsTests {
    @Test func `an absence is told on one line, without what there is nothing of`() {
        let none = AbsenceDigest([], during: 0...59, lineCount: 0)
        #expect(AwayWords.text(none) == "while you were away: 0 min, 0 lines")
        let marks = [
            RecordMark(time: 10, kind: .turnDone), RecordMark(time: 20, kind: .turnFailed, text: "no net"),
            RecordMark(time: 30, kind: .question, text: "rm x"), RecordMark(time: 31, kind: .answer, text: "no"),
            RecordMark(time: 40, kind: .question, text: "rm y"),
        ]
        #expect(
            AwayWords.text(AbsenceDigest(marks, during: 0...600, lineCount: 7))
                == "while you were away: 10 min, 7 lines, turns done: 1, failed: no net, asked: rm x (no), asks: rm y"
        )
    }
}

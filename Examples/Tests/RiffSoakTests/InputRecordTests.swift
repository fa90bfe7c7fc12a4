// Riff
// SPDX-License-Identifier: Apache-2.0

import Testing

import riff_soak

/// That the soak's own judgement can fail.
struct InputRecordTests {
    private static let inputs = (0..<5).map { Input(.keys(Array("<\($0)>".utf8))) }
    private static let all = "<0><1><2><3><4>"

    private func record(_ answers: [InputRecord.Answer] = Array(repeating: .taken, count: 5)) -> InputRecord {
        var record = InputRecord()
        for (input, answer) in zip(Self.inputs, answers) { record.add(input, answer) }
        return record
    }

    private func holds(_ text: String, losses: Int, isEnded: Bool = false, _ record: InputRecord) -> Bool {
        record.outcome(of: Array(text.utf8), losses: losses, isEnded: isEnded) != nil
    }

    @Test(arguments: [0, 1, 2]) func `what arrives once and in order holds`(losses: Int) {
        #expect(holds(Self.all, losses: losses, record()))
    }

    @Test(
        arguments: [
            "<0><1><3><4>", "<0><1><2<3><4>", "<0><1><2><2><3><4>", "<0><2><1><3><4>", "x<0><1><2><3><4>",
            "<0><1><2><3><4>x", "<0><1><2><3>", "", "<0><1>\u{1B}[201~<2><3><4>",
        ]
    )
    func `a byte that is lost, doubled, added or out of order does not`(text: String) {
        #expect(!holds(text, losses: 0, record()))
    }

    @Test(arguments: ["<0><1><3><4>", "<0><1><2<3><4>", "<0><4>", "<4>", "<0><1><2><3"])
    func `a loss takes the rest of what was on its way, once`(text: String) {
        #expect(holds(text, losses: 1, record()))
        #expect(!holds(text, losses: 0, record()))
    }

    @Test(arguments: ["<0><2><4>", "<0><1><3><2><4>", "<0><2><1><3><4>", "<0><1><1><3><4>", "<0>x<3><4>"])
    func `a loss takes nothing twice, and adds and turns nothing`(text: String) {
        #expect(!holds(text, losses: 1, record()))
    }

    @Test func `the end of a paste may follow one that was cut off, and nothing else`() {
        var record = InputRecord()
        record.add(Input(.paste("a\nb")), .taken)
        record.add(Input(.keys(Array("<end>".utf8))), .taken)
        #expect(holds("\u{1B}[200~a\nb\u{1B}[201~<end>", losses: 0, record))
        #expect(holds("\u{1B}[200~a\n\u{1B}[201~<end>", losses: 1, record))
        #expect(!holds("\u{1B}[200~a\n\u{1B}[201~<end>", losses: 0, record))
        #expect(!holds("\u{1B}[201~<end>", losses: 1, record))
    }

    @Test func `a lost Escape key is seen as such where the next input begins with the same byte`() {
        var record = InputRecord()
        record.add(Input(.keys([0x1B])), .taken)
        record.add(Input(.paste("a\nb")), .taken)
        #expect(holds("\u{1B}\u{1B}[200~a\nb\u{1B}[201~", losses: 0, record))
        #expect(holds("\u{1B}[200~a\nb\u{1B}[201~", losses: 1, record))
        #expect(!holds("\u{1B}[200~a\nb\u{1B}[201~", losses: 0, record))
    }

    @Test func `what was refused must not arrive, what is uncertain may, whole, or in part at a loss`() {
        let refused = record([.taken, .refused, .taken, .taken, .taken])
        #expect(holds("<0><2><3><4>", losses: 0, refused))
        #expect(!holds(Self.all, losses: 1, refused))
        let uncertain = record([.taken, .uncertain, .taken, .taken, .taken])
        #expect(holds("<0><2><3><4>", losses: 0, uncertain))
        #expect(holds(Self.all, losses: 0, uncertain))
        #expect(!holds("<0><1<2><3><4>", losses: 0, uncertain))
        #expect(holds("<0><1<2><3><4>", losses: 1, uncertain))
        #expect(!holds("<0><1<1><2><3><4>", losses: 1, uncertain))
    }

    @Test func `an ended session has a beginning`() {
        #expect(holds("<0><1><2", losses: 0, isEnded: true, record()))
        #expect(holds("", losses: 0, isEnded: true, record()))
        #expect(!holds("<0><2>", losses: 0, isEnded: true, record()))
        #expect(!holds("<0><1>x", losses: 0, isEnded: true, record()))
    }

    @Test func `a text whose Return was refused stands there, or not`() {
        var record = InputRecord()
        record.add(Input(.text("text", submit: true)), .refused)
        record.add(Input(.keys(Array("<end>".utf8))), .taken)
        #expect(holds("text <end>", losses: 0, record))
        #expect(holds("<end>", losses: 0, record))
        #expect(holds("tex<end>", losses: 1, record))
        #expect(!holds("text \r<end>", losses: 1, record))
        #expect(!holds("tex<end>", losses: 0, record))
    }

    @Test func `growth is a slope`() {
        var slope = Slope()
        for second in stride(from: 0.0, through: 1_200, by: 10) { slope.add(100 + second / 600, at: second) }
        #expect(abs((slope.inTenMinutes ?? 0) - 1) < 1e-6)
        #expect(slope.from(300).count == 91)
    }
}

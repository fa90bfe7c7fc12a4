// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffTesting
import RiffVoice
import Testing

@Suite struct TranscriptAccumulatorTests {
    static func make(_ id: UInt64, _ text: String, complete: Bool = false) -> TranscriptLine {
        TranscriptLine(
            id: .init(rawValue: id),
            text: text,
            start: .seconds(Int(id)),
            duration: .seconds(1),
            isComplete: complete
        )
    }

    typealias Step = (TranscriptLine, TranscriptAccumulator.Change)

    @Test(
        arguments: [
            // A pause between two lines overwrites nothing.
            (
                [
                    (make(1, "go"), .started), (make(1, "go forward"), .textChanged),
                    (make(1, "Go forward.", complete: true), .completed), (make(2, "ten"), .started),
                    (make(2, "Ten metres.", complete: true), .completed),
                ], "Go forward. Ten metres."
            ),
            // Ids say nothing of the order, and a line may be complete at once.
            ([(make(9, "one", complete: true), .started), (make(3, "two", complete: true), .started)], "one two"),
            // A version that was overtaken by the last one is nothing.
            ([(make(1, "Done.", complete: true), .started), (make(1, "don"), .none)], "Done."),
            // An old line mended after a new one began.
            (
                [
                    (make(1, "tara thin", complete: true), .started), (make(2, "sheet"), .started),
                    (make(1, "tear a thin", complete: true), .textChanged),
                ], "tear a thin sheet"
            ),
            // An engine that suddenly hears nothing takes nothing back.
            (
                [(make(1, "five five"), .started), (make(1, " "), .none), (make(1, "", complete: true), .completed)],
                "five five"
            ),
            // The same again, and a line without a text.
            ([(make(1, "same"), .started), (make(1, "same"), .none), (make(2, ""), .started)], "same"),
        ] as [([Step], String)]
    )
    func `versions become a transcript`(steps: [Step], text: String) {
        var transcript = TranscriptAccumulator()
        for (line, change) in steps { #expect(transcript.update(line) == change, "\(line.text)") }
        #expect(transcript.text == text)
    }

    @Test func `the newest version of a line keeps its place and its times`() {
        var transcript = TranscriptAccumulator()
        transcript.update(Self.make(1, "a"))
        transcript.update(Self.make(2, "b", complete: true))
        var longer = Self.make(1, "a b")
        longer.duration = .seconds(5)
        transcript.update(longer)
        #expect(transcript.lines.map(\.text) == ["a b", "b"])
        #expect(transcript[.init(rawValue: 1)]?.duration == .seconds(5))
        #expect(transcript[.init(rawValue: 7)] == nil)
        #expect(!transcript.isComplete)
        #expect(transcript.completedText == "b")
    }

    @Test func `what came since a mark is told once`() {
        var transcript = TranscriptAccumulator()
        #expect(transcript.text(since: .beginning) == "")
        transcript.update(Self.make(1, "open the door", complete: true))
        transcript.update(Self.make(2, "and"))
        let mark = transcript.mark
        #expect(transcript.text(since: .beginning) == "open the door and")
        #expect(transcript.text(since: mark) == "")
        // The words of the open line that were there are not told again, however they are written now.
        transcript.update(Self.make(2, "And then"))
        #expect(transcript.text(since: mark) == "then")
        transcript.update(Self.make(2, "And then wait.", complete: true))
        transcript.update(Self.make(3, "please"))
        #expect(transcript.text(since: mark) == "then wait. please")
        // A complete line that is mended late was used as it was.
        transcript.update(Self.make(1, "open the doors please", complete: true))
        #expect(transcript.text(since: mark) == "then wait. please")
        #expect(transcript.text(since: transcript.mark) == "")
        #expect(transcript.text(since: .beginning) == "open the doors please And then wait. please")
    }

    /// Versions of many lines in a random order: whatever it is, the last complete one of each stands.
    @Test(arguments: 0..<20) func `any order of versions ends in the same lines`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var versions: [TranscriptLine] = []
        for id in 1...8 as ClosedRange<UInt64> {
            for length in 1...4 {
                versions.append(Self.make(id, Array(repeating: "w\(id)", count: length).joined(separator: " ")))
            }
            versions.append(Self.make(id, "line \(id)", complete: true))
        }
        versions.shuffle(using: &generator)
        var transcript = TranscriptAccumulator()
        var seen: [TranscriptLine.ID] = []
        var complete: Set<TranscriptLine.ID> = []
        for line in versions {
            let mark = transcript.mark
            let before = transcript.text
            let change = transcript.update(line)
            #expect((change == .started) == !seen.contains(line.id))
            if !seen.contains(line.id) {
                seen.append(line.id)
                #expect(transcript.text(since: mark) == line.text)
            }
            if complete.contains(line.id) { #expect(change == .none && transcript.text == before) }
            if line.isComplete { complete.insert(line.id) }
            #expect(transcript.lines.map(\.id) == seen)
        }
        #expect(transcript.isComplete)
        #expect(transcript.text == seen.map { "line \($0.rawValue)" }.joined(separator: " "))
        #expect(transcript.completedText == transcript.text)
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffVoice
import TestSupport
import Testing

struct TranscriptTailTests {
    static func recording() throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: Fixture.path("narration/claude-transcript.jsonl"))))
    }

    static func line(
        type: String = "assistant",
        sidechain: Bool = false,
        stop: String = "end_turn",
        time: String = "2026-11-21T03:54:49.633Z",
        content: String = #"[{"type":"text","text":"Done."}]"#
    ) -> String {
        #"{"type":"\#(type)","isSidechain":\#(sidechain),"timestamp":"\#(time)","uuid":"u","#
            + #""message":{"role":"assistant","stop_reason":"\#(stop)","content":\#(content)}}"#
    }

    static func turn(_ line: String) -> AgentTurn? {
        var reader = ClaudeTurnReader()
        return reader.read(Array(line.utf8)[...])
    }

    @Test func `a real transcript gives the ends of its turns, wherever it is split`() throws {
        let bytes = try Self.recording()
        var whole = TranscriptTail()
        let turns = whole.feed(bytes)
        #expect(turns.map { String($0.text.prefix(12)) } == ["Echo: hello ", "Here is **bo", "Tool said: 1"])
        #expect(turns.first?.time == 1_795_233_289.633)
        #expect(whole.offset == UInt64(bytes.count))
        for split in stride(from: 0, to: bytes.count, by: 97) {
            var tail = TranscriptTail()
            #expect(tail.feed(Array(bytes[..<split])) + tail.feed(Array(bytes[split...])) == turns)
        }
        var tail = TranscriptTail()
        #expect(bytes.flatMap { tail.feed([$0]) } == turns)
    }

    @Test(arguments: [
        line(type: "user"), line(sidechain: true), line(stop: "tool_use"), line(stop: "max_tokens"), line(time: "soon"),
        line(time: "2026-13-41T03:54:49Z"), line(content: "[]"),
        line(content: #"[{"type":"thinking","thinking":"hm"}]"#),
        line(content: #"[{"type":"text","text":"  \n"}]"#), line(content: #"[{"type":"text"}]"#), line(content: "7"),
        "", "{", "null", "[]", "7", "{\"type\":\"assistant\"}", "\u{FEFF}{}", String(repeating: "[", count: 100_000),
    ])
    func `everything else is skipped, and what follows is read`(line: String) {
        var tail = TranscriptTail()
        #expect(tail.feed(Array("\(line)\n\(Self.line())\n".utf8)).map(\.text) == ["Done."])
    }

    @Test func `texts of one turn are joined, and thinking is not among them`() {
        let content =
            #"[{"type":"thinking","thinking":"hm"},{"type":"text","text":"One."},{"type":"text","text":"Two."}]"#
        #expect(Self.turn(Self.line(content: content))?.text == "One.\n\nTwo.")
        #expect(Self.turn(Self.line(content: #""Plain.""#))?.text == "Plain.")
        #expect(Self.turn(Self.line(time: "2026-11-21T03:54:49Z"))?.time == 1_795_233_289)
    }

    @Test func `the rest of a line that was begun before is skipped, and so is one that is too long`() {
        var tail = TranscriptTail(from: 100, isLineStart: false)
        #expect(tail.feed(Array("\(Self.line())\n".utf8)).isEmpty)
        #expect(tail.feed(Array("\(Self.line())\n".utf8)).count == 1)
        var long = TranscriptTail()
        let piece = [UInt8](repeating: 0x20, count: 1 << 20)
        for _ in 0..<40 { #expect(long.feed(piece).isEmpty) }
        #expect(long.feed(Array("\(Self.line())\n\(Self.line())\n".utf8)).count == 1)
    }

    @Test func `the cursor begins now, moves first and takes the latest only`() throws {
        func turn(_ second: Int, _ text: String) throws -> AgentTurn {
            let line = Self.line(
                time: "2026-11-21T03:54:\(second)Z",
                content: #"[{"type":"text","text":"\#(text)"}]"#
            )
            return try #require(Self.turn(line))
        }
        let start = 1_795_233_240.0
        var cursor = NarrationCursor(now: start + 20)
        #expect(cursor.next(of: [try turn(10, "before")]) == nil)
        #expect(cursor.next(of: []) == nil)
        #expect(cursor.next(of: [try turn(30, "one"), try turn(32, "two")])?.text == "two")
        #expect(cursor.after == start + 32)
        #expect(cursor.next(of: [try turn(31, "late"), try turn(32, "two")]) == nil, "nothing is said twice")
        #expect(cursor.next(of: [try turn(41, "newest"), try turn(40, "older")])?.text == "newest")
        #expect(!cursor.take(start + 41) && cursor.take(start + 50) && !cursor.take(.nan))
        let kept = try JSONDecoder().decode(NarrationCursor.self, from: JSONEncoder().encode(cursor))
        #expect(kept == cursor)
    }
}

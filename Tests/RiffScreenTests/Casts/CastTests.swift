// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffScreen
import RiffTesting
import Testing

@Suite struct CastTests {
    private static let second = #"""
        {"version": 2, "width": 80, "height": 24, "timestamp": 1504467315, "title": "Demo", "env": {"TERM": "xterm"}}
        [0.248848, "o", "\u001b[1;31mHello ✓\u001b[0m\n"]
        [1.001376, "o", "That was ok\rThis is better."]

        [1.5, "m", ""]
        [2.143733, "i", "\r"]
        [4.05, "r", "100x50"]
        [6.541828, "o", "Bye!"]
        """#
    private static let third = #"""
        {"version": 3, "term": {"cols": 80, "rows": 24, "type": "xterm"}, "idle_time_limit": 1.5, "tags": ["a"]}
        # what happened
        [0.248848, "o", "\u001b[1;31mHello ✓\u001b[0m\n"]
        [0.752528, "o", "That was ok\rThis is better."]
        [0.498624, "m", ""]
        [0.643733, "i", "\r"]
        # a new size
        [1.906267, "r", "100x50"]
        [0, "?", {"of": "another version"}]
        [2.491828, "o", "Bye!"]
        [0.5, "x", "3"]
        """#

    private static func event(_ microseconds: Int64, _ code: CastEvent.Code, _ data: String) -> CastEvent {
        CastEvent(time: .microseconds(microseconds), code, data)
    }

    private static let events = [
        event(248_848, .output, "\u{1B}[1;31mHello ✓\u{1B}[0m\n"),
        event(1_001_376, .output, "That was ok\rThis is better."), event(1_500_000, .marker, ""),
        event(2_143_733, .input, "\r"), event(4_050_000, .resize, "100x50"), event(6_541_828, .output, "Bye!"),
    ]

    @Test func `version 2 is read`() throws {
        let cast = try Cast(Array(Self.second.utf8))
        #expect(cast.header.version == .two && cast.header.size == .standard && cast.header.title == "Demo")
        #expect(cast.header.other == ["timestamp": 1_504_467_315, "env": ["TERM": "xterm"]])
        #expect(cast.events == Self.events)
        #expect(cast.events[4].size == TerminalSize(columns: 100, rows: 50))
    }

    @Test func `version 3 is read`() throws {
        let cast = try Cast(Array(Self.third.utf8))
        #expect(cast.header.version == .three && cast.header.size == .standard)
        #expect(cast.header.idleTimeLimit == .milliseconds(1500))
        #expect(cast.header.other == ["term": ["type": "xterm"], "tags": ["a"]])
        var expected = Self.events
        expected.insert(Self.event(4_050_000, CastEvent.Code(rawValue: "?"), #"{"of":"another version"}"#), at: 5)
        expected.append(Self.event(7_041_828, .exit, "3"))
        #expect(cast.events == expected)
        #expect(cast.events.last?.exitStatus == 3)
    }

    @Test(arguments: [second, third]) func `a file may be split anywhere`(text: String) throws {
        let bytes = Array(text.utf8)
        let whole = try Cast(bytes)
        for split in 0...bytes.count {
            var reader = CastReader()
            let events = try reader.feed(bytes[..<split]) + reader.feed(bytes[split...]) + reader.finish()
            #expect(events == whole.events && reader.header == whole.header, "split at \(split)")
        }
        #expect(try Cast(text.replacing("\n", with: "\r\n").utf8) == whole)
    }

    @Test(arguments: [second, third], CastHeader.Version.allCases)
    func `what is written reads the same`(text: String, version: CastHeader.Version) throws {
        var cast = try Cast(Array(text.utf8))
        cast.header.version = version
        let read = try Cast(cast.bytes)
        #expect(read == cast)
        #expect(read.bytes == cast.bytes)
    }

    @Test(arguments: [
        ("", 1), ("\n\n", 1), ("[0, \"o\", \"\"]", 1), ("{\"version\": 1, \"width\": 1, \"height\": 1}", 1),
        ("{\"version\": 2, \"width\": 0, \"height\": 24}", 1), ("{\"version\": 3, \"width\": 80, \"height\": 24}", 1),
        ("# no\n{\"version\": 3}", 1), (second + "\n# no comments", 9), (second + "\n[1, \"o\"", 9),
        (second + "\n[1, \"o\"]", 9), (second + "\n[\"1\", \"o\", \"\"]", 9), (second + "\n[-1, \"o\", \"\"]", 9),
        (third + "\n[1, \"r\", \"80\"]", 12), (third + "\n[1, \"x\", \"no\"]", 12), (third + "\n{}", 12),
    ])
    func `what is no cast is refused, with the line`(text: String, line: Int) {
        #expect {
            try Cast(Array(text.utf8))
        } throws: { error in
            guard let error = error as? CoreError, error.code == .malformedCast else { return false }
            return text.allSatisfy(\.isNewline) || error.message.contains("Line \(line) ")
        }
    }

    @Test func `a line of more than 16 MiB is refused before it ends`() throws {
        var reader = CastReader()
        _ = try reader.feed(Array((Self.second + "\n").utf8))
        #expect(try reader.feed([UInt8](repeating: 0x20, count: 16 << 20)).isEmpty)
        #expect {
            try reader.feed([0x20])
        } throws: { error in
            (error as? CoreError)?.code == .malformedCast
        }
    }

    @Test func `a recording becomes a cast, with characters that came in two pieces whole`() throws {
        func entry(_ seconds: Int, _ event: RecordingTerminal.Event) -> RecordingTerminal.Entry {
            RecordingTerminal.Entry(time: .seconds(seconds), event: event)
        }
        let wide = Array("日".utf8)
        let cast = Cast([
            entry(0, .resized(TerminalSize(columns: 90, rows: 30))), entry(1, .drew([0x61] + wide[..<2])),
            entry(2, .wrote([0x0D])), entry(3, .drew(wide[2...] + [0x62])), entry(4, .resized(.standard)),
            entry(5, .drew([0xE6, 0x97])),
        ])
        #expect(cast.header.size == TerminalSize(columns: 90, rows: 30))
        #expect(
            cast.events == [
                CastEvent(time: .seconds(1), .output, "a"), CastEvent(time: .seconds(2), .input, "\r"),
                CastEvent(time: .seconds(3), .output, "日b"), CastEvent(time: .seconds(4), .resize, "80x24"),
                CastEvent(time: .seconds(5), .output, "\u{FFFD}"),
            ]
        )
        #expect(try Cast(cast.bytes) == cast)
    }
}

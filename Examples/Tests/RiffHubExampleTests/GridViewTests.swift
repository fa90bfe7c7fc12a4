// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffHub
import RiffScreen
import Testing

import riff_hub

struct GridViewTests {
    private static func list(_ status: String = "ready", unread: Int = 0) -> String {
        """
        {"type":"session_list","sessions":[{"session_id":"voice-sky","voice":"af_sky","label":"Sky","status":"\(status)",\
        "unread_count":\(unread),"speed":1.0,"status_text":""}]}
        """
    }

    private static func message(_ type: String, _ rest: String = "") -> String {
        #"{"session_id":"voice-sky","type":"\#(type)"\#(rest.isEmpty ? "" : "," + rest)}"#
    }

    /// The terminal that shows it.
    private static func shown(
        _ snapshots: [HubSnapshot],
        size: TerminalSize = TerminalSize(columns: 90, rows: 20),
        desk: GridView.Desk = GridView.Desk()
    ) -> Screen {
        var (view, painter, screen, desk) = (GridView(), GridPainter(), Screen(size: size), desk)
        for snapshot in snapshots { screen.feed(painter.paint(view.draw(snapshot, &desk, size: size))) }
        return screen
    }

    private static func firstCard(_ line: Substring) -> String {
        InertText.line(String(line.split(separator: "▌").first ?? ""))
    }

    private static let states: [(frames: [String], title: String, words: String, color: UInt32)] = [
        ([], "1 Sky", "No session", 0x8D99AE),
        ([list("starting")], "1 Sky", "Starting...", 0xF39C12),
        ([list()], "1 Sky", "Idle", 0x8D99AE),
        ([list(unread: 2)], "1 Sky ● 2 new", "Idle", 0x8D99AE),
        ([list(), message("thinking")], "1 Sky", "Thinking...", 0xF39C12),
        ([list(), message("status", #""text":"Speaking...""#)], "1 Sky", "Speaking...", 0x3A86FF),
        ([list(), message("status", #""text":"Transcribing...""#)], "1 Sky", "Transcribing...", 0xF39C12),
        ([list(), message("listening")], "1 Sky ●", "Listening · Waits for you", 0xE63946),
        (
            [list(), message("assistant_text", #""text":"Hello""#), message("audio", #""data":"UklGRg==""#)],
            "1 Sky ● 1 new, 1 to hear", "Waiting to be heard", 0x3A86FF
        ),
        (
            [list(), message("status", #""text":"Reading \u001b[31mfiles\u0007""#)], "1 Sky", "Reading [31mfiles",
            0x8D99AE
        ),
    ]

    @Test(arguments: states)
    func `a card shows its voice, its state in the state's color, and what is unread`(
        _ test: (frames: [String], title: String, words: String, color: UInt32)
    ) throws {
        let screen = Self.shown([try HubSnapshot(after: test.frames)])
        let lines = screen.visibleText.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(Self.firstCard(lines[1]) == test.title)
        #expect(Self.firstCard(lines[2]) == test.words)
        let cells = screen.picture.rows[2].cells
        let (red, green, blue) = (test.color >> 16, test.color >> 8 & 0xFF, test.color & 0xFF)
        #expect(cells[3].style.foreground == .rgb(UInt8(red), UInt8(green), UInt8(blue)))
        #expect(screen.picture.rows[1].cells[0].style.foreground == .rgb(0x3A, 0x86, 0xFF))
        #expect(lines[0].hasPrefix(" riff-hub · Connected"))
    }

    @Test func `the end of the open voice's messages is shown, and older ones after scrolling`() throws {
        var frames = [Self.list()]
        for number in 1...60 {
            frames.append(Self.message("assistant_text", #""text":"message \#(number)""#))
            frames.append(Self.message("user_text", #""text":"answer \#(number)""#))
        }
        let snapshot = try HubSnapshot(after: frames, open: "voice-sky")
        let end = Self.shown([snapshot]).visibleText
        #expect(end.contains("Sky message 60\nYou answer 60\n") && !end.contains("message 40"))
        var desk = GridView.Desk()
        desk.scrolled = 1_000
        let begin = Self.shown([snapshot], desk: desk).visibleText
        // The last 50 messages.
        #expect(begin.contains("Sky message 36\nYou answer 36\n") && !begin.contains("answer 35"))
    }

    @Test func `what is said is wrapped, drives no terminal, and a small terminal shows the voice that is open alone`()
        throws
    {
        let words = String(repeating: "漢字 words ", count: 12) + #"\u001b]2;title\u0007\nsecond line"#
        let frames = [Self.list(), Self.message("assistant_text", #""text":"\#(words)""#)]
        let snapshot = try HubSnapshot(after: frames, open: "voice-sky")
        var screen = Self.shown([snapshot], size: TerminalSize(columns: 30, rows: 12))
        let text = screen.visibleText
        #expect(text.contains("\nsecond line\n") && !text.contains("2 Alloy") && text.contains("── Sky"))
        #expect(screen.title.isEmpty && screen.takeEvents().isEmpty)
        for size in [TerminalSize(columns: 1, rows: 1), TerminalSize(columns: 5, rows: 3)] {
            #expect(Self.shown([snapshot], size: size).size == size)
        }
    }

    @Test func `what was drawn change by change is what is drawn at once`() throws {
        let frames = [
            Self.list(), Self.message("assistant_text", #""text":"One""#), Self.message("listening"),
            Self.message("user_text", #""text":"Two""#), Self.message("thinking"),
        ]
        var snapshots = [HubSnapshot()]
        for count in 0...frames.count {
            snapshots.append(try HubSnapshot(after: Array(frames.prefix(count))))
            if count > 0 {
                snapshots.append(try HubSnapshot(after: Array(frames.prefix(count)), open: "voice-sky"))
            }
        }
        for end in snapshots.indices {
            let once = Self.shown([snapshots[end]])
            #expect(Self.shown(Array(snapshots[...end])).picture == once.picture)
        }
    }

    @Test func `the line that is typed stands last with the cursor behind it, and its end is seen`() throws {
        var desk = GridView.Desk()
        desk.typed = "hello "
        let screen = Self.shown([HubSnapshot()], desk: desk)
        #expect(screen.visibleText.hasSuffix("\n> hello"))
        #expect(screen.cursor.column == 8 && screen.cursor.row == 19)
        desk.typed = String(repeating: "x", count: 200) + "end"
        #expect(Self.shown([HubSnapshot()], desk: desk).visibleText.hasSuffix("end"))
        desk.typed = ""
        desk.notice = String(repeating: "told ", count: 30) + "and no more"
        let told = Self.shown([HubSnapshot()], desk: desk).visibleText
        #expect(told.contains("told told") && told.hasSuffix("and no more\n>"))
    }
}

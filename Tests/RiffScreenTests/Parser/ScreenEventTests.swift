// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffScreen
import Testing

/// What programs ask for with control strings, and what none of it may become.
struct ScreenEventTests {
    private func events(_ input: String) -> [ScreenEvent] {
        var screen = Screen(size: TerminalSize(columns: 20, rows: 4))
        screen.feed(input)
        return screen.takeEvents()
    }

    @Test(
        arguments: [
            ("9;4;1;50", .progress(.running(percent: 50))), ("9;4;1;", .progress(.running(percent: 0))),
            ("9;4;1", .progress(.running(percent: 0))), ("9;4;1;100", .progress(.running(percent: 100))),
            ("9;4;1;101", .progress(.running(percent: 100))),
            ("9;4;1;99999999999999999999", .progress(.running(percent: 100))),
            ("9;4;0", .progress(.ended)), ("9;4;0;0", .progress(.ended)), ("9;4;", .progress(.ended)),
            ("9;4", .progress(.ended)), ("9;4;2", .progress(.failed(percent: nil))),
            ("9;4;2;7", .progress(.failed(percent: 7))), ("9;4;3", .progress(.unknown)),
            ("9;4;3;0", .progress(.unknown)), ("9;4;4;60", .progress(.paused(percent: 60))),
            ("9;4;1;50;more", .progress(.running(percent: 50))), ("9;4;5;1", nil), ("9;4;x;1", nil), ("9;4;1;-5", nil),
            ("9;4;1;5%", nil),
            ("9;9;/home/me/a;b", .workingDirectory("/home/me/a;b")),
            ("9;9;\"C:\\a b\"", .workingDirectory("C:\\a b")), ("9;9;", nil),
            ("9;1;500", nil), ("9;2;message", nil), ("9;3;tab title", nil), ("9;5", nil), ("9;6;macro", nil),
            ("9;7;run", nil), ("9;8;PATH", nil), ("9;10;1", nil), ("9;11;comment", nil), ("9;12", nil),
            ("9;done", .notification("done")), ("9;3 tests passed", .notification("3 tests passed")),
            ("9;13;a", .notification("13;a")), ("9;04;1;50", .notification("04;1;50")), ("9;7", .notification("7")),
            ("9;+4;1;2", .notification("+4;1;2")), ("9;a;b", .notification("a;b")), ("9;", nil), ("9", nil),
            ("777;notify;Build;3 failed; 2 passed", .notification("3 failed; 2 passed", title: "Build")),
            ("777;notify;Build", .notification("Build")), ("777;notify;;text", .notification("text")),
            ("777;notify;;", nil), ("777;preexec", nil), ("777;", nil),
            ("99;;Hello", .notification("Hello")), ("99;i=1;Hello", .notification("Hello")), ("99", nil),
            ("99;i=1:e=1;SGVsbG8=", .notification("Hello")), ("99;i=1:p=body;text", .notification("text")),
            ("99;i=1:p=?;", nil), ("99;i=1:p=close;", nil), ("99;i=1:p=icon:e=1;AAAA", nil), ("99;i=1:p=title;", nil),
            ("7;file://h/x", .workingDirectory("file://h/x")), ("7;", nil),
        ] as [(String, ScreenEvent?)]
    )
    func `a control string is told as what it is`(string: String, event: ScreenEvent?) {
        let expected = event.map { [$0] } ?? []
        #expect(events("\u{1B}]\(string)\u{7}") == expected)
        #expect(events("\u{1B}]\(string)\u{1B}\\") == expected)
    }

    /// U+672C holds the byte 0x9C, which ends strings in one-byte character sets.
    @Test func `a byte of a character ends no string`() {
        #expect(events("\u{1B}]2;本\u{7}") == [.title("本")])
        #expect(events("\u{1B}]9;本日\u{1B}\\") == [.notification("本日")])
    }

    @Test func `a notification comes in parts, one at a time`() {
        let parts = ["i=1:d=0;Bui", "i=1:d=0:p=title;ld", "i=1:d=0:p=body;3 ", "i=1:p=body;failed"]
        let text = parts.map { "\u{1B}]99;\($0)\u{1B}\\" }.joined()
        #expect(events(text) == [.notification("3 failed", title: "Build")])
        // Another one begins anew, and what was told is over.
        #expect(
            events("\u{1B}]99;i=1:d=0;lost\u{7}\u{1B}]99;i=2;kept\u{7}\u{1B}]99;i=2;again\u{7}")
                == [.notification("kept"), .notification("again")]
        )
    }

    @Test func `parts of a notification are bounded, whatever comes`() {
        var screen = Screen(size: TerminalSize(columns: 20, rows: 4))
        let part = "\u{1B}]99;i=1:d=0:p=body;" + String(repeating: "x", count: 500) + "\u{7}"
        for _ in 0..<1000 { screen.feed(part) }
        screen.feed("\u{1B}]99;i=1;t\u{7}")
        guard case .notification(let text, let title) = screen.takeEvents().first else {
            Issue.record("no notification")
            return
        }
        #expect(title == "t")
        #expect(text == String(repeating: "x", count: 1024))
    }

    /// Controls (C1 ones too) and the marks that turn the direction of writing.
    private static let hostile = "a\u{9B}31m\u{85}\u{202E}b\u{2066}\u{200F}c"
    private static let harmless = "a31mbc"

    @Test func `what is told has neither controls nor marks of direction`() {
        let hostile = Self.hostile
        let input = ["0;\(hostile)", "9;\(hostile)", "777;notify;\(hostile);\(hostile)", "99;;\(hostile)"]
        #expect(
            events(input.map { "\u{1B}]\($0)\u{7}" }.joined()) == [
                .title(Self.harmless), .notification(Self.harmless),
                .notification(Self.harmless, title: Self.harmless), .notification(Self.harmless),
            ]
        )
        #expect(events("\u{1B}]7;file://h/\(hostile)\u{7}\u{1B}]9;9;/\(hostile)\u{7}").isEmpty)
        #expect(
            events("\u{1B}]52;c\u{9B}x;aGk\u{9B}=\u{7}\u{1B}]52;\u{9D}p;?\u{7}")
                == [.clipboardWrite(selection: "c", base64: "aGk="), .clipboardRead(selection: "p")]
        )
    }

    @Test func `a link's name and address are written again without controls`() {
        let hostile = Self.hostile
        var screen = Screen(size: TerminalSize(columns: 60, rows: 2))
        screen.feed("\u{1B}]8;id=\(hostile);https://a.b\u{1B}\\one\u{1B}]8;;\u{1B}\\ ")
        screen.feed("\u{1B}]8;id=x;https://a.b/\(hostile)\u{1B}\\two\u{1B}]8;;\u{1B}\\")
        let links = screen.cells(ofLine: 0).map(\.link)
        #expect(links[0] == links[2] && links[0]?.id == Self.harmless && links[0]?.uri == "https://a.b")
        // An address with controls is none.
        #expect(links[4] == nil)
        let scalars = screen.picture.ansi.unicodeScalars
        #expect(!scalars.contains { (0x7F..<0xA0).contains($0.value) || (0x202A...0x202E).contains($0.value) })
    }
}

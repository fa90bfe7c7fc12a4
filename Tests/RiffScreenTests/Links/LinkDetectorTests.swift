// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffScreen
import RiffTransport
import TestSupport
import Testing

/// A text on a terminal, a tap, and what it opens.
struct LinkCase: Decodable, Sendable, CustomTestStringConvertible {
    var id: String
    var input: String
    var width: Int
    var row: Int
    var col: Int
    var url: String?

    var testDescription: String { "\(id) \(input.debugDescription) \(row),\(col)" }
    var place: ScreenPosition { ScreenPosition(line: row, column: col) }

    var screen: Screen {
        var screen = Screen(size: TerminalSize(columns: width, rows: 24))
        screen.feed(input.replacing("\n", with: "\r\n"))
        return screen
    }

    static func all() throws -> [LinkCase] {
        try ["given", "rules"].flatMap { try Fixture.lines("links/\($0).jsonl") }
            .map { try JSONDecoder().decode(LinkCase.self, from: Data($0.utf8)) }
    }
}

struct LinkDetectorTests {
    @Test(arguments: try LinkCase.all())
    func `a tap opens what it should`(test: LinkCase) {
        let screen = test.screen
        #expect(screen.link(at: test.place)?.url == test.url)
        // The list of all links and the detector for other terminals say the same.
        let listed = screen.links(in: screen.lines).first { $0.range.contains(test.place) }
        #expect(listed?.url == test.url)
        let rows = screen.picture(of: screen.lines).rows
        #expect(LinkDetector().link(at: test.place, in: rows)?.url == test.url)
        #expect(LinkDetector().links(in: rows).first { $0.range.contains(test.place) }?.url == test.url)
    }

    @Test func `a link tells its text and its host`() {
        var screen = Screen(size: TerminalSize(columns: 60, rows: 2))
        screen.feed(
            "[https://good.ex](https://me@evil.ex:8080/x) \u{1B}]8;id=a;mailto:me@ex.test\u{7}mail\u{1B}]8;;\u{7}"
        )
        let links = screen.links(in: screen.lines)
        #expect(links.map(\.kind) == [.markdown, .program])
        #expect(links.map(\.host) == ["evil.ex:8080", nil])
        #expect(links.map(\.text) == ["[https://good.ex](https://me@evil.ex:8080/x)", "mail"])
        #expect(links.last?.id == "a")
    }

    @Test func `schemes are a choice, but for those that run code`() {
        var screen = Screen(size: TerminalSize(columns: 60, rows: 2))
        screen.feed("gopher://a.b javascript://a.b/ https://a.b")
        var detector = LinkDetector()
        detector.schemes = ["gopher", "javascript"]
        #expect(screen.links(in: screen.lines, detector: detector).map(\.url) == ["gopher://a.b"])
    }

    @Test func `an address longer than what is searched opens nothing`() {
        var screen = Screen(size: TerminalSize(columns: 100, rows: 60))
        screen.feed("https://a.b/" + String(repeating: "x", count: 5000))
        #expect(screen.link(at: ScreenPosition(line: 0, column: 5)) == nil)
        #expect(screen.link(at: ScreenPosition(line: 25, column: 5)) == nil)
        #expect(screen.links(in: screen.lines).isEmpty)
    }

    @Test(arguments: ["[", "https://", "[](", "[](<", "](", "[a](b \"", "(https://", "www.", "\\["])
    func `a line of openers holds no link and ends`(unit: String) {
        var screen = Screen(size: TerminalSize(columns: 65_535, rows: 20))
        screen.feed(String(String(repeating: unit, count: 1 << 20).prefix(1 << 20)))
        #expect(screen.link(at: ScreenPosition(line: 8, column: 60))?.url == nil)
        #expect(screen.links(in: screen.lines).allSatisfy { $0.url == nil })
    }
}

extension InTurn {
    /// Links that a program wrote into a real terminal.
    @Suite(.timeLimit(.minutes(5))) struct ShownLinkTests {
        private static let long = "https://example.com/a/path/that/is/longer/than/the/terminal/is/wide?and=so"

        @Test func `OSC 8 and an address that wraps come through a terminal of this machine`() async throws {
            let size = TerminalSize(columns: 30, rows: 10)
            let script = #"printf '\033]8;;https://a.b/c\033\\a word\033]8;;\033\\ then\nsee \#(Self.long) end\n'"#
            let terminal = LocalPTYTerminal(LocalCommand("sh", ["-c", script]))
            try await terminal.connect(size: size)
            var screen = Screen(size: size)
            for await bytes in terminal.output { screen.feed(bytes) }
            let links = screen.links(in: screen.lines)
            #expect(links.map(\.url) == ["https://a.b/c", Self.long])
            #expect(links.map(\.kind) == [.program, .bare])
            // Each row of it opens all of it.
            for line in 1...3 { #expect(screen.link(at: ScreenPosition(line: line, column: 5))?.url == Self.long) }
        }

        /// Versions before 3.4 drop it.
        @Test(.enabled(if: TmuxOracle.passesLinks, "needs tmux 3.4 or newer"))
        func `OSC 8 comes through a client of tmux`() async throws {
            let size = TerminalSize(columns: 30, rows: 10)
            let socket = "/tmp/riff-links-\(UInt32.random(in: 0 ... .max))"
            let script = #"printf '\033]8;id=a;https://a.b/c\033\\a word\033]8;;\033\\ end\n'; sleep 60"#
            let command = LocalCommand(
                "tmux",
                ["-S", socket, "-f", "/dev/null", "-T", "hyperlinks", "new-session", script]
            )
            let terminal = LocalPTYTerminal(command)
            try await terminal.connect(size: size)
            var screen = Screen(size: size)
            for await bytes in terminal.output {
                screen.feed(bytes)
                if screen.visibleText.contains(" end") { break }
            }
            let found = screen.links(in: screen.visibleLines)
            #expect(found.map(\.url) == ["https://a.b/c"])
            #expect(found.map(\.text) == ["a word"])
            _ = try await LocalHostSession().run("tmux -S \(socket) kill-server; rm -f \(socket)")
            await terminal.disconnect()
        }

        @Test(.enabled(if: TmuxOracle.isHere, "needs tmux 3.3a"))
        func `an address that wraps comes through a client of tmux`() async throws {
            let size = TerminalSize(columns: 30, rows: 10)
            let socket = "/tmp/riff-links-\(UInt32.random(in: 0 ... .max))"
            let script = "printf 'see \(Self.long) end\\n'; sleep 60"
            let command = LocalCommand("tmux", ["-S", socket, "-f", "/dev/null", "new-session", script])
            let terminal = LocalPTYTerminal(command)
            try await terminal.connect(size: size)
            var screen = Screen(size: size)
            for await bytes in terminal.output {
                screen.feed(bytes)
                if screen.visibleText.contains(" end") { break }
            }
            let found = screen.links(in: screen.visibleLines).map(\.url)
            #expect(found == [Self.long])
            _ = try await LocalHostSession().run("tmux -S \(socket) kill-server; rm -f \(socket)")
            await terminal.disconnect()
        }
    }
}

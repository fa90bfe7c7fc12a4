// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import ExampleTesting
import RiffScreen
import RiffTesting
import RiffTransport
import Testing

extension InTurn {
    /// The program itself under a real terminal, against a real sshd and tmux.
    @Suite(.timeLimit(.minutes(5)), .enabled(if: TermLab.isInstalled, "sshd or tmux is not installed"))
    struct RiffTermProgramTests {
        @Test func `two sessions are made, turned to, told apart and ended`() async throws {
            try await TermLab.with { lab in
                let person = try await lab.open()
                let first = try await lab.pane(of: "riff")
                try await person.type(Person.prefix)
                try await person.isTold("n new  x close")
                try await person.type("n")
                try await person.isTold(" connected · riff [riff-2] ·")
                let second = try await lab.pane(of: "riff-2")
                #expect(first != second)
                try await person.sees("line 60 of pane \(second)")

                // Keys that come with the turn go to the page that is turned to.
                try await person.type("\(Person.prefix)[one\r")
                try await person.isTold("[riff] riff-2")
                try await person.sees("answer one")
                #expect(person.screen.visibleText.contains("line 60 of pane \(first)"))
                try await person.type("\(Person.prefix)2two\r")
                try await person.sees("answer two")
                #expect(!person.screen.visibleText.contains("answer one"))
                #expect(person.screen.visibleText.contains("pane \(second)"))

                try await person.type("\(Person.prefix)x")
                try await person.isTold("End riff-2 and what runs in it?")
                try await person.type("y")
                try await person.isTold(" connected · [riff] ·")
                try await person.sees("answer one")
                #expect(try await lab.tmux("list-sessions", "-F", "#{session_name}") == "riff")
                await person.terminal.disconnect()
            }
        }

        @Test func `a text is found in what scrolled off, and nothing on the session moves`() async throws {
            try await TermLab.with { lab in
                let person = try await lab.open()
                let pane = try await lab.pane(of: "riff")
                #expect(!person.screen.visibleText.contains("line 7 of pane"))
                try await person.type("\(Person.prefix)/LINE 7 of\r")
                try await person.isTold("LINE 7 of: 1 of 1")
                try await person.sees("line 7 of pane \(pane)")
                let chosen = person.screen.find(ScreenSearch("line 7 of"), in: person.screen.visibleLines)
                let place = try #require(chosen.first?.lowerBound)
                let cells = person.screen.cells(ofLine: place.line)
                #expect(cells.prefix(9).allSatisfy { $0.style.attributes.contains(.reverse) })
                #expect(cells[9].style.attributes.isEmpty)
                #expect(try await lab.tmux("display-message", "-p", "-t", "=riff:", "#{pane_in_mode}") == "0")

                try await person.type("\u{1B}")
                try await person.sees("line 60 of pane \(pane)")
                try await person.type("\(Person.prefix)/nowhere\r")
                try await person.isTold("nowhere: not found")
                try await person.type("\(Person.prefix)/line 1\r")
                try await person.isTold("line 1: 11 of 11")
                try await person.type("n")
                try await person.isTold("line 1: 10 of 11")
                try await person.type("\u{1B}hello\r")
                try await person.sees("answer hello")
                await person.terminal.disconnect()
            }
        }

        @Test func `the link under the cursor is copied, and another one when it is chosen`() async throws {
            try await TermLab.with { lab in
                let person = try await lab.open()
                let pane = try await lab.pane(of: "riff")
                try await person.type("\(Person.prefix)l")
                try await person.isTold("2 of 2: https://example.com/docs/\(pane)  Return copies")
                try await person.type("\r")
                try await person.isTold("copied: https://example.com/docs/\(pane)")
                #expect(person.copied == ["https://example.com/docs/\(pane)"])
                try await person.type("\(Person.prefix)l\u{1B}[A")
                try await person.isTold("1 of 2: https://example.com/pane?\(pane)")
                try await person.type("\r")
                try await person.isTold("copied: https://example.com/pane?\(pane)")
                #expect(person.copied.last == "https://example.com/pane?\(pane)")
                await person.terminal.disconnect()
            }
        }

        @Test func `a link is opened, and one that cannot be is told`() async throws {
            try await TermLab.with { lab in
                let person = try await lab.open()
                let pane = try await lab.pane(of: "riff")
                try await person.type("\(Person.prefix)lo")
                try await person.isTold("open could not open https://example.com/docs/\(pane)")
                try await person.type("\(Person.prefix)l\u{1B}[Ao")
                try await person.isTold("opened: https://example.com/pane?\(pane)")
                #expect(try await lab.opened() == "<https://example.com/pane?\(pane)>")
                await person.terminal.disconnect()
            }
        }

        @Test func `a cut is told, and the same program is there again afterwards`() async throws {
            try await TermLab.with { lab in
                let person = try await lab.open()
                let pane = try await lab.pane(of: "riff")
                try await lab.proxy.refuseConnections()
                try await lab.proxy.resetAll()
                try await person.isTold(" reconnecting")
                try await person.type("lost")
                try await person.isTold("nothing was sent")
                try await lab.proxy.acceptConnections()
                try await person.isTold(" connected · [riff] ·")
                #expect(try await lab.pane(of: "riff") == pane)
                try await person.type("again\r")
                try await person.sees("answer again")
                #expect(person.screen.visibleText.contains("line 60 of pane \(pane)"))
                await person.terminal.disconnect()
            }
        }

        @Test(arguments: [nil, SIGTERM, SIGINT])
        func `the terminal is as it was, however riff-term ends`(signal: Int32?) async throws {
            try await TermLab.with { lab in
                let person = try await lab.open()
                #expect(person.screen.isAlternate)
                let pane = try await lab.pane(of: "riff")
                if let signal {
                    #expect(kill(try lab.process(), signal) == 0)
                } else {
                    try await person.type("\(Person.prefix)q")
                }
                try await person.watchesTheEnd()
                let status = signal.map { 128 + $0 } ?? 0
                #expect(person.screen.visibleText.contains("the terminal is as it was, status \(status)"))
                #expect(!person.screen.isAlternate)
                var modes = TerminalModes()
                modes.cursorVisible = true
                #expect(person.screen.modes == modes)
                #expect(try await lab.pane(of: "riff") == pane)
            }
        }

        @Test func `no host key is trusted that the person did not say yes to`() async throws {
            try await TermLab.with { lab in
                let shown = try SSHPublicKey(line: lab.server.hostPublicKeyLine).fingerprint
                let careful = try await lab.start()
                try await careful.sees("Trust it? Type yes:")
                #expect(careful.screen.visibleText.contains(shown))
                try await careful.type("y\r")
                try await careful.watchesTheEnd()
                #expect(careful.screen.visibleText.contains("status 1"))
                #expect(!FileManager.default.fileExists(atPath: "\(lab.folder)/known_hosts"))
                #expect(!lab.server.log.contains("Accepted publickey"))

                let person = try await lab.open()
                await person.terminal.disconnect()
                let again = try await lab.start()
                try await again.isTold(" connected · [riff] ·")
                await again.terminal.disconnect()
            }
        }

        @Test func `a recording is typed at the prompt, and nothing is sent for the person`() async throws {
            try await TermLab.with { lab in
                try await Self.dictating(in: lab, ["--dictate-anywhere"]) { person in
                    try await person.sees("he was not an ill disposed young man")
                    // What `cat` was given it would have said again, and that could not be erased.
                    try await person.type("\u{15}typed\r")
                    try await person.waits(for: "typed, and said again") {
                        $0.visibleText.split(separator: "\n").count { $0 == "typed" } == 2
                    }
                    #expect(!person.screen.visibleText.contains("ill disposed"))
                }
            }
        }

        @Test func `a recording is not typed into a program whose prompt is not known, and the person is told`()
            async throws
        {
            try await TermLab.with { lab in
                try await Self.dictating(in: lab, []) { person in
                    try await person.isTold("Nothing was typed")
                    #expect(!person.screen.visibleText.contains("ill disposed"))
                }
            }
        }

        /// Presses the key of dictation in front of `cat`, with a recording and a server that knows what is said in it.
        private static func dictating(
            in lab: TermLab,
            _ options: [String],
            _ body: @escaping @Sendable (Person) async throws -> Void
        ) async throws {
            let wav = URL(filePath: #filePath).appending(path: "../../../Fixtures/austen_0880.wav")
                .standardizedFileURL.path
            let answer = "{\"text\":\"he was not an ill disposed young man\"}"
            let head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n"
            let script: [RawHTTPServer.Step] = [
                .readHead, .readBody(50_000), .send("\(head)content-length: \(answer.utf8.count)\r\n\r\n\(answer)"),
                .awaitClose,
            ]
            try await RawHTTPServer.withServer(script) { speech in
                let url = "http://127.0.0.1:\(speech.port)"
                let person = try await lab.start(["--wav", wav, "--stt-url", url] + options, run: "exec cat")
                try await person.sees("Trust it? Type yes:")
                try await person.type("yes\r")
                try await person.isTold(" connected · [riff] ·")
                try await person.type("\(Person.prefix)d")
                try await body(person)
                await person.terminal.disconnect()
            }
        }

        /// With `RIFF_TERM_PICTURE`, a path, the picture is kept there (`scripts/render-term-picture`).
        @Test func `a picture shows what the person sees, two sessions with an agent each`() async throws {
            try await TermLab.with { lab in
                let agent = try ShellQuoting.quote(try BuiltProgram.path("sample-agent"))
                let person = try await lab.start(run: "exec \(agent)")
                try await person.sees("Trust it? Type yes:")
                try await person.type("yes\r")
                try await person.sees("Riff sample agent")
                try await person.type("\(Person.prefix)n")
                try await person.isTold(" connected · riff [riff-2] ·")
                try await person.sees("\"help\" helps.")
                try await lab.ask("what is at https://example.com/riff ?", as: person, turn: 1)
                try await lab.ask("漢字, and 👩‍👩‍👧 too", as: person, turn: 2)
                try await person.type("\(Person.prefix)p")
                try await person.isTold("picture: \(lab.folder)/picture.svg")
                let svg = try String(contentsOfFile: "\(lab.folder)/picture.svg", encoding: .utf8)
                for text in [
                    "<title>riff-term: \(lab.server.user)@127.0.0.1</title>", "[riff-2]", "漢字", "Done, turn 2.",
                ] {
                    #expect(svg.contains(text), "\(text)")
                }
                if let path = ProcessInfo.processInfo.environment["RIFF_TERM_PICTURE"] {
                    let shown = svg.replacing("\(lab.server.user)@127.0.0.1", with: "me@mac.tailnet.ts.net")
                    try Data(shown.utf8).write(to: URL(filePath: path))
                }
                await person.terminal.disconnect()
            }
        }

        @Test func `a resize reaches the sessions`() async throws {
            try await TermLab.with { lab in
                let person = try await lab.open()
                try await lab.tmux("set-hook", "-g", "window-resized", "wait-for -S resized")
                try await person.resizes(to: TerminalSize(columns: 70, rows: 12))
                try await lab.tmux("wait-for", "resized")
                try await person.waits(for: "the status line at the end") { screen in
                    screen.text(ofLine: screen.visibleLines.upperBound - 1).hasPrefix(" connected · [riff] ·")
                        && screen.text(ofLine: screen.visibleLines.upperBound - 2).hasPrefix("https://example.com")
                }
                #expect(
                    try await lab.tmux("display-message", "-p", "-t", "=riff:", "#{window_width}x#{window_height}")
                        == "70x11"
                )
                await person.terminal.disconnect()
            }
        }
    }
}

extension Person {
    /// The texts that were put on the clipboard.
    fileprivate var copied: [String] {
        events.compactMap { event in
            guard case .clipboardWrite(_, let base64) = event, let data = Data(base64Encoded: base64) else {
                return nil
            }
            return String(decoding: data, as: UTF8.self)
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffScreen
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    /// The rows above a session's screen, of a real tmux over a real sshd.
    @Suite(.enabled(if: ManagerLab.isPossible, "needs sshd and tmux")) struct TmuxHistoryTests {
        /// Prints numbered lines, some wider than the screen, some wide and colored; then one more for each line it
        /// gets.
        private static let printer = """
            stty -echo; n=1; while [ $n -le 1500 ]; do \
            printf '%d \\033[3%dm日本語\\033[m e\\314\\201 %0100d\\n' $n $((n % 8)) $n; n=$((n+1)); done; echo ready; \
            while read -r line; do seq -f "more %g" $line; echo "done $line"; done
            """

        /// Rows, asked for again where a busy machine takes longer than the time limit, as the error says.
        private static func history(of session: TerminalSession, _ lines: Range<Int>) async throws -> TmuxHistoryPage {
            for _ in 0..<5 {
                do {
                    return try await session.history(lines: lines)
                } catch let error as CoreError where error.code == .managementTimeout {
                    continue
                }
            }
            return try await session.history(lines: lines)
        }

        @Test func `it is read page by page while the program writes on, searched, and joined to the screen`()
            async throws
        {
            try await ManagerLab.with { lab in
                try await lab.tmux(
                    "-f",
                    "/dev/null",
                    "start-server",
                    ";",
                    "set",
                    "-g",
                    "history-limit",
                    "50000",
                    ";",
                    "set",
                    "-g",
                    "status",
                    "off",
                    ";",
                    "new-session",
                    "-d",
                    "-s",
                    "riff",
                    "-x",
                    "80",
                    "-y",
                    "24",
                    Self.printer
                )
                let manager = try await lab.manager()
                try await manager.wait { $0.isSetUp && $0.active.state?.isOpen == true }
                let session = try #require(manager.current.active.terminal)
                var live = Screen(size: .standard)
                var output = session.output.makeAsyncIterator()
                func read(until text: String) async throws {
                    while !live.visibleText.contains(text) { live.feed(try #require(await output.next())) }
                }
                try await read(until: "ready")

                var history = ScreenHistory(try await Self.history(of: session, -200..<1000))
                var pages = 0
                while let wanted = history.wantedLines(400) {
                    if pages < 3 {
                        // Rows come in between two pages: more than a page once.
                        let count = pages == 1 ? 900 : 30
                        try await session.write(Array("\(count)\r".utf8))
                        try await read(until: "done \(count)")
                    }
                    _ = try #require(history.prepend(try await Self.history(of: session, wanted)))
                    pages += 1
                }
                #expect(pages > 5)
                let text = history.screen.text(
                    in: ScreenPosition(
                        line: 0,
                        column: 0
                    )..<ScreenPosition(line: history.screen.lines.upperBound, column: 0)
                )
                let tail = String(repeating: "0", count: 96)
                let expected = (1...1500).map { number in
                    let digits = String(number)
                    return "\(number) 日本語 e\u{301} " + tail + String(repeating: "0", count: 4 - digits.count) + digits
                }
                #expect(text == expected.joined(separator: "\n") + "\nready")
                // A text over the edge of the screen, and its color.
                let found = history.screen.find(ScreenSearch("0000777"))
                #expect(found.count == 1)
                let place = try #require(history.screen.find(ScreenSearch("777 日本")).first).lowerBound
                let cells = history.screen.cells(ofLine: place.line)
                #expect(cells[4].text == "日" && cells[4].style.foreground == .palette(1))

                // What came in since is more than a screen: it must be read anew, and is then whole.
                #expect(!history.joined(to: live).isContinuous)
                let newest = ScreenHistory(try await Self.history(of: session, -2000..<1000))
                try await session.write(Array("5\r".utf8))
                try await read(until: "done 5")
                let (joined, isContinuous) = newest.joined(to: live)
                #expect(isContinuous)
                #expect(joined.visibleText == live.visibleText)
                for count in [30, 900, 5] { #expect(joined.find(ScreenSearch("done \(count)")).count >= 1) }
                #expect(joined.find(ScreenSearch("more 5")).last?.lowerBound.line == joined.lines.upperBound - 3)
            }
        }

        @Test func `without tmux there is none`() async throws {
            try await SSHLab.with { lab in
                let session = TerminalSession(
                    name: "plain",
                    command: "cat",
                    on: sessionsLink(of: try lab.host()),
                    size: .standard
                )
                await #expect {
                    try await session.history(lines: -5..<0)
                } throws: { ($0 as? TransportError)?.code == .notTmux }
                await session.close()
            }
        }
    }
}

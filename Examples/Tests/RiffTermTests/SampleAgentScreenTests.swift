// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import ExampleTesting
import RiffScreen
import RiffTransport
import Testing

extension InTurn {
    /// The sample agent, a line editor with streamed answers, in a pane of a real tmux: what it writes, given to a
    /// screen, shows what tmux shows, after every step.
    @Suite(.timeLimit(.minutes(5)), .enabled(if: TermLab.isInstalled, "sshd or tmux is not installed"))
    struct SampleAgentScreenTests {
        private static let size = TerminalSize(columns: 44, rows: 16)

        /// Keys as tmux names them, and what is on the screen when the agent has taken them. It takes a Return right
        /// behind a fast text for a part of a paste; the End key stands between them.
        private static let steps: [(keys: [String], until: String)] = [
            (["explain 漢字", "Left", "Left", "e\u{301}👩‍👩‍👧 ", "End", " now"], "> explain é👩‍👩‍👧 漢字 now"),
            (["BSpace", "BSpace", "BSpace", "C-a", "please "], "> please explain"),
            (["C-e", " that goes on and on beyond the edge of this narrow terminal, and then some"], "then some"),
            (["End", "Enter"], "Done, turn 1.\n>"),
            (["Up"], "Done, turn 1.\n> please explain é👩‍👩‍👧 漢字  that"),
            (["C-c", "help", "End", "Enter"], "Done, turn 2.\n>"),
            (["one", "M-Enter", "two", "Home", "Delete", "End", "Enter"], "Done, turn 3.\n>"),
        ]

        @Test func `what the sample agent shows is what tmux shows`() async throws {
            try await TermLab.with { lab in
                let (go, written) = ("\(lab.folder)/go", "\(lab.folder)/written")
                let recording = try await LocalProcess.start(
                    LocalCommand("sh", ["-c", "mkfifo \(go) \(written) && echo && exec cat \(written)"])
                )
                var bytes = recording.output.makeAsyncIterator()
                // A line comes when the pipes are there.
                _ = try await bytes.next()
                let agent = try ShellQuoting.quote(try BuiltProgram.path("sample-agent"))
                let line = "stty -echo; read -r word < \(go); exec \(agent)"
                let (columns, rows) = ("\(Self.size.columns)", "\(Self.size.rows)")
                try await lab.tmux("new-session", "-d", "-x", columns, "-y", rows, "-s", "agent", line)
                try await lab.tmux("pipe-pane", "-O", "-t", "=agent:", "cat > \(written)")
                try await lab.tmux("run-shell", "echo go > \(go)")
                var screen = Screen(size: Self.size)
                for (keys, text) in [([], "\"help\" helps.")] + Self.steps {
                    for key in keys { try await lab.tmux("send-keys", "-t", "=agent:", "--", key) }
                    while true {
                        let shown = try await lab.screen(of: "agent", Self.size)
                        let difference = Self.difference(screen, shown)
                        if difference == nil, screen.visibleText.contains(text) { break }
                        // Either is ahead of the other.
                        guard let more = try? await bytes.next() else {  // Over, or out of time.
                            Issue.record("after \(keys), no \(text), or \(difference ?? ""):\n\(screen.visibleText)")
                            return await recording.close()
                        }
                        screen.feed(more)
                    }
                }
                await recording.close()
            }
        }

        /// Where two screens are not the same; `nil` where they are.
        private static func difference(_ one: Screen, _ other: Screen) -> String? {
            for (row, (left, right)) in zip(one.picture.rows, other.picture.rows).enumerated() {
                for (column, (left, right)) in zip(left.cells, right.cells).enumerated() {
                    let texts = [left, right].map { $0.text.isEmpty ? " " : $0.text }
                    if texts[0] != texts[1] || left.style != right.style {
                        return "row \(row), column \(column): \(left) \(right)"
                    }
                }
            }
            let cursors = [one, other].map { "\($0.cursor.row):\($0.cursor.column)" }
            return cursors[0] == cursors[1] ? nil : "the cursor: \(cursors)"
        }
    }
}

extension TermLab {
    /// What tmux shows of a session's pane.
    fileprivate func screen(of session: String, _ size: TerminalSize) async throws -> Screen {
        let cursor = try await tmux("display-message", "-p", "-t", "=\(session):", "#{cursor_y};#{cursor_x}")
        let place = cursor.split(separator: ";").compactMap { Int($0) }
        try #require(place.count == 2)
        var screen = Screen(size: size)
        let capture = try await tmux("capture-pane", "-e", "-p", "-N", "-t", "=\(session):")
        screen.feed(Array(capture.replacing("\n", with: "\r\n").utf8))
        screen.feed(Array("\u{1B}[\(place[0] + 1);\(place[1] + 1)H".utf8))
        return screen
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffScreen
import RiffTesting
import TestSupport
import Testing

extension InTurn {
    /// Real programs in a pane of a real tmux, driven by keys: what they write, given to a screen, shows what tmux
    /// shows, after every step.
    @Suite(.timeLimit(.minutes(5)), .enabled(if: TmuxOracle.isHere, "needs tmux 3.3a"))
    struct ScreenProgramTests {
        /// Something done to a program, and a text that is on the screen when it has taken it.
        enum Step: Sendable {
            /// Keys as tmux names them, each in double quotes.
            case keys(String, until: String)
            /// A new size; `again` is a key that only draws the screen anew, typed until the text is there.
            case resize(TerminalSize, until: String, again: String? = nil)
            /// Compare as many times more, each time after more output; for programs that write on by themselves.
            case watch(Int)
        }

        private static let size = TerminalSize(columns: 80, rows: 24)

        @Test(.enabled(if: Self.has("vi"), "needs vi")) func `vi`() async throws {
            try await drive(
                "vi -u NONE -i NONE -N -n \\(file); echo after vi; exec sleep 1000",
                first: "line 1 of",
                [
                    .keys(
                        #""G" "o" "a new line, 日本語 e\#u{301} ✓" "Escape" "yy" "3p" ":set ruler" "Enter""#,
                        until: "302,1"
                    ),
                    .keys(#""g" "g" "5dd" ":set number" "Enter""#, until: "  1 line 6 of"),
                    .keys(#""/line 77 " "Enter""#, until: "line 77 of"),
                    .keys(#""C-f" "C-e" "C-e" "z" "t" "r" "X" "u" "C-l" "C-b" ":" "s/of/OFF/" "Enter""#, until: "OFF"),
                    .resize(TerminalSize(columns: 60, rows: 15), until: ""),
                    .keys(
                        #""i" "typed text that goes on and on beyond the edge of this narrow screen " "Escape""#,
                        until: "beyond"
                    ),
                    .keys(#"":split" "Enter" "C-w" "j" "G""#, until: "a new line"),
                    .keys(#"":qa!" "Enter""#, until: "after vi"),
                ]
            )
        }

        @Test(.enabled(if: Self.has("less"), "needs less")) func `less`() async throws {
            try await drive(
                "less -M \\(file); echo after less; exec sleep 1000",
                first: "line 1 of",
                [
                    .keys(#""Space""#, until: "line 30 of"),
                    .keys(#""G""#, until: "(END)"),
                    .keys(#""b" "k" "k""#, until: "line 270 of"),
                    .keys(#""/line 29." "Enter""#, until: "line 290 of"),
                    .keys(#""g" "/line 5[1-9]" "Enter""#, until: "line 51 of"),
                    // Up to what the last key shows: less forgets a key that comes while it hears of a new size.
                    .keys(#""n" "n" "-S" "Enter" "Enter" "Right""#, until: "e cut at the edge"),
                    // Line 77 beneath line 70: less may go on by a line as it hears of the size. And it may not draw at
                    // all before the next key, where it hears while it still draws for the last one.
                    .resize(
                        TerminalSize(columns: 80, rows: 30),
                        until: "and >\n\n\n\n\n\n\ne cut at the edge",
                        again: "r"
                    ),
                    .keys(#""Left" "g""#, until: "line 29 of"),
                    .keys(#""G""#, until: "(END)"),
                    .keys(#""q""#, until: "after less"),
                ]
            )
        }

        @Test(.enabled(if: Self.has("htop") || Self.has("top"), "needs htop or top")) func `top`() async throws {
            try await drive(
                Self.has("htop") ? "htop -d 5; exec sleep 1000" : "top -d 0.5; echo after top; exec sleep 1000",
                first: "PID",
                [
                    .watch(3), .keys(#""M" "c""#, until: "PID"), .watch(3), .keys(#""P""#, until: "PID"), .watch(3),
                    .resize(TerminalSize(columns: 50, rows: 12), until: "PID"), .watch(3),
                    .resize(TerminalSize(columns: 120, rows: 40), until: "PID"), .watch(3),
                    .keys(#""q""#, until: Self.has("htop") ? "" : "after top"),
                ]
            )
        }

        @Test(.enabled(if: Self.has("bash"), "needs bash")) func `a line editor, bash`() async throws {
            let long = String(repeating: "a word and 漢字 ", count: 7)
            try await drive(
                // Without a history: the person's own lines would be found, and these be kept among them.
                "env INPUTRC=/dev/null HISTFILE=/dev/null PS1=prompt: bash --norc --noprofile -i; "
                    + "echo after bash; exec sleep 1000",
                first: "prompt:",
                [
                    .keys(
                        #""echo one two 日本語 e\#u{301}" "Left" "Left" "BSpace" "C-a" "M-f" " and""#,
                        until: "echo and one"
                    ),
                    // Up to the prompt: what is typed while a command still runs goes to a terminal that is not raw.
                    .keys(#""C-e" "Enter""#, until: "日本 e\u{301}\nprompt:"),
                    .keys(#""\#(long)" "C-a" "true " "C-e" "the end""#, until: "the end"),
                    .keys(#""C-w" "M-b" "C-u""#, until: ""),
                    .resize(TerminalSize(columns: 50, rows: 12), until: ""),
                    .keys(#""C-y" "C-a" "C-k" "C-r" "two" "C-e""#, until: "prompt:echo and one two"),
                    .keys(#""C-c""#, until: "^C\nprompt:"),
                    .keys(#""C-p" "C-p" "C-l" "C-e" " last" "Enter""#, until: " last\nprompt:"),
                    .keys(#""C-d""#, until: "after bash"),
                ]
            )
        }

        @Test func `256 colors, true colors and every attribute`() async throws {
            let colors = """
                for g in 38 48; do n=0; while [ $n -lt 256 ]; do printf "\\\\033[$g;5;${n}m%4d" $n; n=$((n+1)); done; \
                printf "\\\\033[m\\\\n"; done; n=0; while [ $n -lt 80 ]; do \
                printf "\\\\033[38;2;$((n*3));$((255-n*3));128m\\\\033[48:2::$((255-n*3)):7:$((n*3))m#"; n=$((n+1)); done; \
                for n in 1 2 3 4 4:2 4:3 4:4 4:5 5 7 8 9 21 53; do printf "\\\\033[0;${n}m $n \\\\033[m"; done; \
                for n in 31 42 93 104 "1;35;47" "7;96;100"; do printf "\\\\033[${n}m $n \\\\033[39;49m \\\\033[m"; done; \
                printf "\\\\033[44m\\\\033[K\\\\033[m\\\\nthe end"; exec sleep 1000
                """
            try await drive(colors, first: "the end", [.resize(TerminalSize(columns: 60, rows: 24), until: "the end")])
        }

        // MARK: Driving

        private static func has(_ program: String) -> Bool { SystemProgram.path(program) != nil }

        /// Drives a shell line; `\(file)` in it is a file of 300 lines. The program begins with the text `first`.
        private func drive(_ line: String, first: String, _ steps: [Step]) async throws {
            let file = FileManager.default.temporaryDirectory.appending(
                path: "riff-text-\(UUID().uuidString.prefix(8))"
            )
            let text = (1...300).map { number in
                "line \(number) of a file"
                    + (number % 7 == 0 ? ", \twide enough to be cut at the edge: wörter 日本語" : "")
                    + (number % 70 == 0 ? String(repeating: " and on", count: 20) : "")
            }
            try Data((text.joined(separator: "\n") + "\n").utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }  // Cleanup.
            let path = file.path(percentEncoded: false)
            try await TmuxOracle.with { tmux in
                try await tmux.tell("set -g default-terminal tmux-256color")
                let pane = try await tmux.start(line.replacing(#"\(file)"#, with: path))
                var screen = Screen(size: Self.size)
                try await compare(&screen, pane, tmux, until: first, "the start")
                for step in steps {
                    switch step {
                    case .keys(let keys, let text):
                        for key in keys.split(separator: "\" \"").map({ $0.trimming("\"") }) {
                            try await tmux.tell("send-keys -t \(pane) -- \"\(key)\"")
                        }
                        try await compare(&screen, pane, tmux, until: text, keys)
                    case .resize(let size, let text, let again):
                        try await tmux.resize(pane, to: size)
                        screen.feed(tmux.output(of: pane))
                        screen.resize(to: size)
                        for _ in 0..<200 {
                            guard let again else { break }
                            try await tmux.tell("run-shell 'sleep 0.2'")
                            screen.feed(tmux.output(of: pane))
                            if screen.visibleText.contains(text) { break }
                            try await tmux.tell("send-keys -t \(pane) -- \"\(again)\"")
                        }
                        try await compare(&screen, pane, tmux, until: text, "\(size)")
                    case .watch(let count):
                        for _ in 0..<count {
                            screen.feed(try await tmux.nextOutput(of: pane))
                            try await compare(&screen, pane, tmux, until: "", "more output")
                        }
                    }
                }
            }
        }

        private func compare(
            _ screen: inout Screen,
            _ pane: String,
            _ tmux: TmuxOracle,
            until text: String,
            _ step: String
        ) async throws {
            screen.feed(tmux.output(of: pane))
            while !text.isEmpty, !screen.visibleText.contains(text) {
                do {
                    screen.feed(try await tmux.nextOutput(of: pane))
                } catch {
                    Issue.record("after \(step), waiting for \(text):\n\(screen.visibleText)")
                    throw error
                }
            }
            let shown = try await tmux.picture(of: pane)
            screen.feed(tmux.output(of: pane))
            let difference = ScreenOracleTests.difference(screen, shown)
            #expect(difference == nil, "after \(step):\n\(screen.visibleText)")
        }
    }
}

extension Substring {
    fileprivate func trimming(_ quote: Character) -> Substring {
        var text = self
        if text.first == quote { text.removeFirst() }
        if text.last == quote { text.removeLast() }
        return text
    }
}

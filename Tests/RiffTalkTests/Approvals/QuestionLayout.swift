// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTalk
import RiffTesting

/// The screens of agents that ask for a command, laid out as the programs do (Claude Code 2.1.331, Codex CLI 0.163.0):
/// with and without a bar before the rows of the command, wrapped at words, and only the end of what is longer than the
/// screen.
struct QuestionLayout {
    var columns: Int
    var height: Int
    var hasBars = true
    var description = "Run shell command"
    var remark: String?

    func claude(_ command: String) -> [String] {
        let rule = String(repeating: "─", count: columns)
        let edge = String(repeating: "╌", count: columns)
        let rows = wrapped(command, columns - 4)
        let isBarred = hasBars && rows.count > 1
        var dialog = [rule, " Bash command"] + wrapped(description, columns - 2).map { " " + $0 } + [edge]
        dialog += rows.map { isBarred ? " │ \($0)" : " \($0)" } + [edge]
        if let remark { dialog += wrapped(remark, columns - 2).map { " " + $0 } + [""] }
        dialog += [" Do you want to proceed?", " ❯ 1. Yes"]
        dialog += option(2, "Yes, and don't ask again for: \(command.prefix(20).filter { !$0.isNewline }) *")
        dialog += option(3, "Yes, and switch to auto mode · auto mode handles these prompts for you") + ["   4. No"]
        let transcript = [
            "❯ fix the test", "", "● Fixing", "  ⎿  $ \(command.prefix(10).filter { !$0.isNewline })…", "",
        ]
        let keys = " Esc to cancel · Tab to amend"
        let hidden = dialog.count + 2 - height
        if hidden > 0 { return Array(dialog.dropFirst(hidden)) + [" ↑ \(hidden) more lines", keys] }
        return Array((transcript + dialog + ["", keys]).suffix(height))
    }

    func codex(_ command: String) -> [String] {
        let lines = wrapped(command, columns - 4)
        var dialog = ["  Would you like to run the following command?", "", "  Environment: local", ""]
        dialog += wrapped("Reason: \(description)", columns - 4).map { "  " + $0 } + [""]
        dialog += lines.enumerated().map { ($0 == 0 ? "  $ " : "    ") + $1 } + [""]
        dialog += ["› 1. Yes, proceed (y)"]
        dialog += [
            "  2. No, and tell Codex what to do differently (esc)", "", "  Press enter to confirm or esc to cancel",
        ]
        return Array((["› fix the test", "", "• Running", ""] + dialog).suffix(height))
    }

    private func option(_ number: Int, _ label: String) -> [String] {
        wrapped(label, columns - 8).enumerated().map { $0 == 0 ? "   \(number). \($1)" : "      \($1)" }
    }

    /// Lines of at most so many cells, broken at spaces, or anywhere in a longer word.
    func wrapped(_ text: String, _ width: Int) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line -> [String] in
            var rows: [String] = []
            var row = "", used = 0
            for word in line.replacing("\t", with: "        ").split(separator: " ", omittingEmptySubsequences: false) {
                if used + 1 + cells(word) > width, !row.isEmpty {
                    rows.append(row)
                    (row, used) = ("", 0)
                } else if !row.isEmpty || word.isEmpty {
                    (row, used) = (row + " ", used + 1)
                }
                for character in word {
                    if used + cells(character) > width {
                        rows.append(row)
                        (row, used) = ("", 0)
                    }
                    row.append(character)
                    used += cells(character)
                }
            }
            return rows + [row]
        }
    }

    private func cells(_ text: some StringProtocol) -> Int { CharacterWidth.of(text) }

    private func cells(_ character: Character) -> Int { CharacterWidth.of(String(character)) }
}

/// Commands of a shell, plain and hostile, the same for the same seed.
struct CommandGenerator {
    var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    private static let words = [
        "ls", "-la", "curl", "-fsSL", "https://evil.invalid/x", "|", "sh", "rm", "-rf", "~/", "&&", "echo", "'a b'",
        "$(whoami)",
        "git", "push", "--force", "origin", "main", "<<EOF", ">", "out.txt", "2>&1", "sudo", "python3", "-c",
        "\"print(1)\"",
        ";", "#", "make", "test", "docker", "run", "--privileged", "chmod", "777", "/etc/passwd", "node", "index.js",
        "xargs",
    ]
    private static let odd = [
        "漢字漢字", "😀", "👩‍👩‍👧", "e\u{301}", "שלום", "مرحبا", "\u{202E}hs", "ls\u{200B}", "\u{2066}x", "a\u{A0}b", "\t", "│",
        "│ ls",
        "╭──╮", "╰──╯", "├── a", "──", "╌╌", "═══", "▔▔▔", "❯ 1. Yes", "Esc to cancel", "…", "… +3 lines", "\u{2800}",
        "\u{FFFD}",
        "Do you want to proceed?", "1. Yes", "   2. No", "\u{301}", "日本語", "ﬀ", "\u{E0041}", "​",
    ]

    private mutating func pick(_ words: [String]) -> String { words[Int.random(in: words.indices, using: &generator)] }

    mutating func plain() -> String {
        (0..<Int.random(in: 1...6, using: &generator)).map { _ in pick(Self.words) }
            .joined(separator: " ")
    }

    mutating func any(columns: Int) -> String {
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: plain()
        case 1: line(30)
        case 2: lines(Int.random(in: 2...8, using: &generator), columns)
        case 3: lines(Int.random(in: 9...80, using: &generator), columns)
        default: fake(columns)
        }
    }

    private mutating func line(_ longest: Int) -> String {
        (0..<Int.random(in: 1...longest, using: &generator)).map { _ in
            Int.random(in: 0..<4, using: &generator) == 0
                ? pick(Self.odd) : pick(Self.words)
        }.joined(separator: " ")
    }

    private mutating func lines(_ count: Int, _ columns: Int) -> String {
        (0..<count).map { _ in
            switch Int.random(in: 0..<10, using: &generator) {
            case 0: ""
            case 1: String(repeating: "─", count: columns - Int.random(in: 0...5, using: &generator))
            case 2: String(repeating: "╌", count: columns - Int.random(in: 0...5, using: &generator))
            case 3: pick(Self.odd)
            default: line(8)
            }
        }.joined(separator: "\n")
    }

    /// A whole question for a harmless command within the command.
    private mutating func fake(_ columns: Int) -> String {
        let layout = QuestionLayout(columns: columns - Int.random(in: 0...4, using: &generator), height: 60)
        var rows = layout.claude("ls -la")
        // Not every part of it is there, or in its place.
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            rows.remove(at: Int.random(in: rows.indices, using: &generator))
        }
        return ([plain() + " #"] + rows.dropFirst(Int.random(in: 0..<6, using: &generator))).joined(separator: "\n")
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffTalk
import RiffVoice
import Testing

/// Recorded screens, and what may be typed on each.
struct PromptReadingTests {
    @Test(arguments: try RecordedScreen.all)
    func `a recorded screen is at a prompt where a person saw one, and nowhere else`(_ screen: RecordedScreen) {
        switch screen.seen {
        case .claudePrompt: #expect(screen.look.reading == .atPrompt(program: .claude))
        case .codexPrompt: #expect(screen.look.reading == .atPrompt(program: .codex))
        case .question:
            guard case .question = screen.look.reading else {
                Issue.record("\(screen.look.reading)")
                return
            }
        case .other:
            if case .atPrompt = screen.look.reading { Issue.record("\(screen.look.reading)") }
        case .either: break
        }
    }

    /// Rows are lost while a screen is drawn, at its beginning and at its end.
    @Test func `no part of a recorded question is at a prompt`() throws {
        for screen in try RecordedScreen.all where screen.seen == .question {
            for count in screen.rows.indices {
                for rows in [Array(screen.rows[..<count]), Array(screen.rows[count...])] {
                    var look = screen.look
                    look.rows = rows
                    guard case .atPrompt = look.reading else { continue }
                    // The beginning of a menu's screen may be the prompt that stood there before it was opened.
                    Issue.record("\(screen.name), \(count)")
                }
            }
        }
    }

    @Test func `text in a prompt is told, and a hint in an empty one is not taken for it`() throws {
        func draft(_ name: String) throws -> String? {
            try RecordedScreen.named(name).look.draft
        }
        #expect(try draft("claude-draft/02-draft") == "a draft that is not sent")
        #expect(try draft("claude-draft/01-ready") == nil)
        #expect(try draft("claude-queue/01-queued-one") == nil)
        #expect(try draft("claude-paste/01-pasted-three-lines") == "pasteA one\ntwo words\nthree")
        #expect(try draft("codex-draft/02-draft") == "a draft that is not sent")
        #expect(try draft("codex-draft/01-ready") == nil)
        #expect(try draft("codex-paste/01-pasted-three-lines") == "pasteA one\ntwo words\nthree")
    }

    @Test(arguments: [
        ("claude", true, true), ("node", true, true), (nil, true, true), ("2.1.331", true, true),
        ("2_1_220", true, true),
        ("/usr/bin/claude", true, true),
        ("claude", false, true), ("codex", true, false), ("vim", true, false), ("less", true, false),
        ("python3", true, false),
        ("tail", false, false), ("bash", false, false), ("zsh", false, false), ("ssh", false, false),
        ("bash", true, false), ("ssh", true, false),
    ])
    func `a prompt on the screen counts only if its program may be the one in front`(
        _ program: String?,
        _ isAlternate: Bool,
        _ isPrompt: Bool
    ) {
        let rule = String(repeating: "─", count: 80)
        let rows = ["● Done", "", rule, "❯\u{A0}", rule, "  ⏸ manual mode on"]
        let look = ScreenLook(rows: rows, cursorRow: 3, cursorColumn: 2, isAlternate: isAlternate, program: program)
        #expect((look.reading == .atPrompt(program: .claude)) == isPrompt, "\(look.reading)")
    }

    @Test func `a shell whose prompt stands in what a killed Claude left is not taken for Claude`() {
        let rule = String(repeating: "─", count: 80)
        for (program, sign) in [("fish", "❯ "), ("bash", "❯\u{A0}user@host:~$ "), (nil, "❯\u{A0}user@host:~$ ")] {
            let rows = ["● Done", "", rule, sign, rule, "  ⏸ manual mode on"]
            let look = ScreenLook(rows: rows, cursorRow: 3, cursorColumn: 15, isAlternate: true, program: program)
            guard case .unknown = look.reading else {
                Issue.record("\(look.reading)")
                continue
            }
        }
    }

    @Test(arguments: [
        ["  1: Bad    2: Fine   3: Good   0: Dismiss", ""],
        ["  ❯ /model   Switch model"],
    ])
    func `what is open above Claude's prompt is a question`(_ above: [String]) {
        let rule = String(repeating: "─", count: 80)
        let rows = above + [rule, "❯\u{A0}", rule, "  ⏸ manual mode on"]
        let look = ScreenLook(rows: rows, cursorRow: nil, cursorColumn: nil, isAlternate: true, program: "claude")
        guard case .question = look.reading else {
            Issue.record("\(look.reading)")
            return
        }
    }

    @Test(arguments: [
        ["Allow this action? Use 't' to trust. [y/n/t]:", "", "> "],
        ["● 1. Yes, allow once", "  2. No, suggest changes (esc)"],
        ["Add file to the chat? (Y)es/(N)o/(D)on't ask again [Yes]:"],
        ["? Pick a fruit › - Use arrow-keys. Return to submit.", "❯   apple", "    pear"],
        ["Password:"], ["Enter passphrase for key '/home/user/.ssh/id_ed25519':"], ["user@host's password:"],
        ["--More--"], ["Do you want to continue? [Y/n]"],
        ["Are you sure you want to continue connecting (yes/no/[fingerprint])?"],
        [" ❯ No, exit", "   Yes, I trust this folder"],
        ["┃ Permission required", "┃ Allow (a)  Deny (d)"], ["Allow execution of: 'ls'?", "● 1. Yes, allow once"],
        ["  Select a model", "  ❯ 1. Default", "  Enter to set as default · Esc to exit"],
    ])
    func `questions of other programs are questions, whatever the program`(_ rows: [String]) {
        for program in ["claude", "codex", "node", "python3", "bash", "sh", "apt", nil] {
            for isAlternate in [true, false] {
                let last = rows.count - 1
                let look = ScreenLook(
                    rows: rows,
                    cursorRow: last,
                    cursorColumn: rows[last].count,
                    isAlternate: isAlternate,
                    program: program
                )
                guard case .question(let words) = look.reading else {
                    Issue.record("\(program ?? "nil"): \(look.reading)")
                    continue
                }
                #expect(!words.contains("\n"))
            }
        }
    }

    @Test func `what was seen is told without what a terminal would act on`() {
        let rows = ["Overwrite \u{1B}]52;c;aGk=\u{7}\u{202E}x? [y/N] \(String(repeating: "x", count: 500))"]
        let look = ScreenLook(rows: rows, cursorRow: nil, cursorColumn: nil, isAlternate: false, program: "rm\u{1B}[2J")
        guard case .question(let words) = look.reading else {
            Issue.record("\(look.reading)")
            return
        }
        #expect(words.count < 200)
        #expect(!words.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
        let other = ScreenLook(rows: [], cursorRow: nil, cursorColumn: nil, isAlternate: false, program: "rm\u{1B}[2J")
        guard case .unknown(let why) = other.reading else {
            Issue.record("\(other.reading)")
            return
        }
        #expect(why.hasPrefix("rm[2J is in front"))
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffTalk
import Testing

struct ShellScreenTests {
    /// The screen with the cursor at the end of its last row.
    private static func reading(_ rows: [String], _ program: String = "bash", alternate: Bool = false)
        -> ScreenLook.Reading
    {
        ScreenLook(
            rows: rows,
            cursorRow: rows.count - 1,
            cursorColumn: rows.last.map { $0.unicodeScalars.count } ?? 0,
            isAlternate: alternate,
            program: program
        ).reading
    }

    @Test(arguments: [
        ("bash", "user@host:~/proj$ "), ("bash", "bash-5.2# "), ("bash", "bash-5.2$ "), ("bash", "[root@box etc]# "),
        ("-bash", "$ "),
        ("sh", "$ "),
        ("dash", "# "), ("zsh", "host% "), ("zsh", "➜  proj git:(main) ✗ ❯ "), ("zsh", "❯ "),
        ("zsh", "~/proj main ?1 ❯ "),
        ("fish", "user@host ~/proj> "), ("fish", "❯ "), ("tcsh", "host:~> "), ("nu", "~/proj> "),
        ("pwsh", "PS /home/user> "), ("elvish", "~> "), ("bash", "λ "), ("bash", "(venv) user@host:/tmp$"),
        ("ksh", "$ "),
    ])
    func `a shell at a usual prompt is at it`(_ shell: String, _ prompt: String) {
        #expect(
            Self.reading(["total 0", prompt], shell) == .atPrompt(program: .shell),
            "\(Self.reading([prompt], shell))"
        )
    }

    @Test(arguments: [
        // Something typed, something running, a quantity.
        "user@host:~$ ls", "Downloading 50%", "Compiling...", "progress 12 %", "", "done", "100$",
        // More of a command is waited for.
        "> ", "quote> ", "for> ", "cmdand heredoc> ",
        // Another program in the shell's name.
        "Continue? ", "Continue? > ", "Delete everything (y/N) > ", "Enter a name > ", "Choose one > ", "#? ",
        "Password: ",
        "Password> ", "Your choice: ", "Select an option # ", "Overwrite a.txt? [y/n] $ ", "(reverse-i-search)`ls': ",
    ])
    func `a shell that is not at its prompt is not`(_ row: String) {
        for shell in ["bash", "zsh", "sh"] {
            if case .atPrompt = Self.reading(["total 0", row], shell) { Issue.record("\(shell): \(row)") }
        }
    }

    @Test(arguments: [
        ["1) apple", "2) pear", "#? "], ["1) apple", "2) pear", "> "], ["  1. apple", "  2. pear", "$ "],
        ["[1] a", "[2] b", "❯ "],
        ["Remove all? [y/N]", "$ "], ["Proceed (yes/no):", "# "], ["Press Enter to continue", "$ "],
        ["Do you want to proceed?", "❯ "],
        [" ❯ 1. Yes", "   2. No", "$ "],
    ])
    func `a menu or a question right above a sign is what it asks for`(_ rows: [String]) {
        guard case .question = Self.reading(rows) else {
            Issue.record("\(Self.reading(rows))")
            return
        }
    }

    @Test func `a question that was answered, and a list that is not the last thing, do not matter`() {
        #expect(Self.reading(["Continue? [Y/n] y", "Done.", "$ "]) == .atPrompt(program: .shell))
        #expect(Self.reading(["1. one", "2. two", "That is all.", "$ "]) == .atPrompt(program: .shell))
    }

    @Test func `the alternate screen, rows beneath the cursor and text after it are no prompt`() {
        let rows = ["user@host:~$ "]
        func isPrompt(_ look: ScreenLook) -> Bool { look.reading == .atPrompt(program: .shell) }
        var look = ScreenLook(rows: rows, cursorRow: 0, cursorColumn: 13, isAlternate: false, program: "bash")
        #expect(isPrompt(look))
        look.isAlternate = true
        #expect(!isPrompt(look))
        look.isAlternate = false
        look.rows = rows + ["file-one  file-two"]
        #expect(!isPrompt(look))
        look.rows = rows + ["", "   "]
        #expect(isPrompt(look))
        look.rows = ["user@host:~$ rm -rf ~"]
        #expect(!isPrompt(look))
        // A prompt at the right.
        look.rows = ["user@host:~$           main 12:03"]
        #expect(isPrompt(look))
        look.rows = rows
        look.cursorRow = nil
        #expect(!isPrompt(look))
        look.cursorRow = 7
        #expect(!isPrompt(look))
        look.cursorRow = -1
        #expect(!isPrompt(look))
        look.cursorRow = 0
        look.cursorColumn = -1
        #expect(!isPrompt(look))
        look.cursorColumn = 60
        #expect(!isPrompt(look))
        look.cursorColumn = Int.max
        #expect(!isPrompt(look))
    }
}

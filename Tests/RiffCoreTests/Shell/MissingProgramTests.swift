// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import TestSupport
import Testing

extension InTurn {
    @Suite
    struct MissingProgramTests {
        @Test(
            arguments: [
                ("/usr/bin/dash: 1: exec: tmux: not found", "tmux"),
                ("bash: line 1: exec: tmux: not found", "tmux"),
                ("bash: line 1: tmux: command not found", "tmux"),
                ("bash: tmux: command not found", "tmux"),
                ("zsh:1: command not found: tmux", "tmux"),
                ("fish: Unknown command: tmux\nfish: \nexec tmux ls\n     ^~~^", "tmux"),
                ("fish: Unknown command 'tmux'", "tmux"),
                ("sh: tmux: not found\r\n", "tmux"),
                ("env: \u{2018}claude\u{2019}: No such file or directory", "claude"),
                ("env: 'claude': No such file or directory", "claude"),
                ("env: claude: No such file or directory", "claude"),
                ("sh: 1: /opt/bin/tmux: not found", "tmux"),
                ("error connecting to /tmp/tmux-0/riff (No such file or directory)", nil),
                ("cat: /x: No such file or directory", nil),
                ("the file you wanted: not found", nil),
                ("", nil),
            ] as [(String, String?)]
        )
        func `the words of each shell name the program`(_ words: String, _ program: String?) {
            #expect(MissingProgram(status: 127, diagnostics: words)?.name == program)
            #expect(MissingProgram(status: 1, diagnostics: words) == nil)
        }

        @Test(.timeLimit(.minutes(5)), arguments: ShellProgram.shells)
        func `a real shell's words are known`(_ shell: ShellProgram) async throws {
            try await withTemporaryHome { home in
                for command in ["riff-not-there ls", "exec riff-not-there ls"] {
                    let result = try await shell.run(["-c", try LoginShellCommand(command).line], in: home)
                    let words = String(decoding: result.diagnostics, as: UTF8.self)
                    #expect(result.status == 127)
                    #expect(
                        MissingProgram(status: result.status, diagnostics: words)?.name == "riff-not-there",
                        "\(words)"
                    )
                }
            }
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import TestSupport
import Testing

extension InTurn {
    @Suite
    struct ShellWordTests {
        @Test(arguments: [
            (ShellWord("a b"), "'a b'"),
            (ShellWord(""), "''"),
            (.home, "\"$HOME\""),
            (ShellWord([.variable("HOME"), .text("/a b")]), "\"$HOME\"'/a b'"),
            (ShellWord([.variable("HOME"), .text("")]), "\"$HOME\""),
            (ShellWord([]), "''"),
        ])
        func `variables stand between double quotes and text between single ones`(_ word: ShellWord, _ line: String)
            throws
        {
            #expect(try word.quoted() == line)
        }

        @Test func `a word resolves without a shell`() {
            let word = ShellWord([.variable("HOME"), .text("/$HOME"), .variable("MISSING")])
            #expect(word.resolved(in: ["HOME": "/home/me"]) == "/home/me/$HOME")
        }

        @Test(arguments: ["", "1A", "A-B", "A$(id)", "A\n"])
        func `what is not a variable's name is refused`(_ name: String) {
            let error = #expect(throws: CoreError.self) { try ShellWord([.variable(name)]).quoted() }
            #expect(error?.code == .invalidVariableName)
        }

        @Test(.timeLimit(.minutes(5)), arguments: ShellProgram.shells)
        func `each shell expands the variable and nothing else`(_ shell: ShellProgram) async throws {
            try await withTemporaryHome { home in
                let words: [ShellWord] = [
                    "/usr/bin/printf", "%s|", .home, ShellWord([.variable("HOME"), .text("/a $HOME *'\\")]),
                    .loginShell,
                ]
                let result = try await shell.run(
                    ["-c", try words.quotedLine()],
                    in: home,
                    environment: ["HOME": "/x  y/*"]
                )
                #expect(String(decoding: result.output, as: UTF8.self) == "/x  y/*|/x  y/*/a $HOME *'\\|\(shell.path)|")
            }
        }
    }
}

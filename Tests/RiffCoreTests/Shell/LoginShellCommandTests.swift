// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct LoginShellCommandTests {
        @Test func `the line guards against csh and asks for a login shell`() throws {
            let guardLine =
                #"test -z "$shell" || sh -c 'case $1 in *csh) exit 1;; esac' sh "$shell" || exec sh -c "#
                + #"'echo; echo "__RIFF_UNSUPPORTED_SHELL__ $1"; exit 93' sh "$shell""#
            let command = try LoginShellCommand("exec echo 'a b'")
            #expect(command.line == guardLine + "\n" + #"exec "$SHELL" -lc 'exec echo '\''a b'\'"#)
            #expect(command.arguments(shell: "/bin/zsh") == ["/bin/zsh", "-lc", "exec echo 'a b'"])
        }

        @Test(arguments: ShellProgram.shells)
        func `a program is found on the path that only the profile sets`(_ shell: ShellProgram) async throws {
            try await withTemporaryHome { home in
                try await Self.writeProfiles(in: home)
                let result = try await shell.run(
                    ["-c", try LoginShellCommand("exec riff-probe one 'two 3'").line],
                    in: home
                )
                #expect(String(decoding: result.output, as: UTF8.self).hasSuffix("chatter\nprobe:one:two 3\n"))
                #expect(result.status == 7)
            }
        }

        @Test(arguments: ShellProgram.shells)
        func `a variable named shell does no harm in other shells`(_ shell: ShellProgram) async throws {
            try await withTemporaryHome { home in
                let line = try LoginShellCommand("exec echo fine").line
                let result = try await shell.run(["-c", line], in: home, environment: ["shell": "conch"])
                #expect(result.output == Array("fine\n".utf8))
                #expect(result.diagnostics.isEmpty)
            }
        }

        @Test(.enabled(if: ShellProgram.csh != nil))
        func `csh is told apart and refused before it reads the command`() async throws {
            let csh = try #require(ShellProgram.csh)
            try await withTemporaryHome { home in
                let line = try LoginShellCommand("exec touch 'what!now' 'two\nlines'").line
                let result = try await csh.run(["-c", line], in: home)
                let shell = try #require(UnsupportedShell(in: String(decoding: result.output, as: UTF8.self)))
                #expect(shell.path.hasSuffix("csh"))
                #expect(result.status == UnsupportedShell.exitStatus)
                #expect(result.diagnostics.isEmpty)
                #expect(shell.error(host: "box").code == .unsupportedShell)
                #expect(shell.error(host: "box").message.contains("box"))
            }
        }

        @Test func `only a report of its own line counts`() {
            #expect(UnsupportedShell(in: "motd\r\n__RIFF_UNSUPPORTED_SHELL__ /bin/tcsh\r\n")?.path == "/bin/tcsh")
            #expect(UnsupportedShell(in: "echo __RIFF_UNSUPPORTED_SHELL__ /bin/tcsh") == nil)
            #expect(UnsupportedShell(in: "") == nil)
        }

        /// Profiles that print something and put a folder with `riff-probe` on the PATH.
        static func writeProfiles(in home: URL) async throws {
            let bin = home.appendingPathComponent("my bin")
            let fish = home.appendingPathComponent(".config/fish")
            for folder in [bin, fish] {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            }
            let script = "#!/bin/sh\nprintf probe; printf ':%s' \"$@\"; echo; exit 7\n"
            try await bin.appendingPathComponent("riff-probe").writeScript(script)
            let profile = "echo chatter\nPATH=\"$HOME/my bin:$PATH\"; export PATH\n"
            try Data(profile.utf8).write(to: home.appendingPathComponent(".profile"))
            try Data(profile.utf8).write(to: home.appendingPathComponent(".zprofile"))
            let config = "if status is-login\n echo chatter\n set -gx PATH \"$HOME/my bin\" $PATH\nend\n"
            try Data(config.utf8).write(to: fish.appendingPathComponent("config.fish"))
        }
    }
}

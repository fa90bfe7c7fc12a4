// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    /// What a program in tmux tells the terminal around it, over a real sshd.
    @Suite(.enabled(if: ManagerLab.isPossible, "needs sshd and tmux")) struct ProgramWordsTests {
        /// A title at the first line that it is told, a text for the clipboard at the second, a mark at the third.
        private static let program = NewSessionSpec(
            harness: .custom(
                #"exec sh -c 'stty -echo; echo ready; read a; printf "\033]0;a title\007"; read a; "#
                    + #"printf "\033]52;c;aGVsbG8=\007"; read a; echo after; exec cat'"#
            )
        )

        @Test(arguments: [true, false])
        func `titles arrive, and a copied text where that was asked for`(_ takesClipboard: Bool) async throws {
            try await PersonalHome.with("") { lab, server in
                var server = server
                server.options.clipboard = takesClipboard
                let session = try await lab.host().session("riff", size: .standard, server: server, spec: Self.program)
                var text = TerminalText(session.output)
                try await text.read(through: "ready")
                try await session.write(Array("\r".utf8))
                try await text.read(through: "]0;a title\u{7}")
                try await session.write(Array("\r".utf8))
                if takesClipboard { try await text.read(through: "aGVsbG8=") }
                try await session.write(Array("\r".utf8))
                let rest = try await text.read(through: "after")
                #expect(!rest.contains("aGVsbG8="))
                await session.close()
            }
        }

        @Test func `a person who has tmux set titles keeps theirs`() async throws {
            let mine = "set -g set-titles on\nset -g set-titles-string 'mine #S'\n"
            try await PersonalHome.with(mine) { lab, server in
                let session = try await lab.host().session("riff", size: .standard, server: server, spec: Self.program)
                var text = TerminalText(session.output)
                try await text.read(through: "]0;mine riff\u{7}")
                await session.close()
            }
        }
    }
}

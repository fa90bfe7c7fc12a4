// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTalk
import RiffTesting
import RiffTransport
import RiffVoice
import TestSupport
import Testing

extension InTurn {
    /// Words that are said into a real shell and into what it runs, on a real host.
    @Suite(
        .enabled(
            if: ThrowawaySSHServer.isInstalled && SystemProgram.path("tmux") != nil
                && SystemProgram.path("bash") != nil,
            "needs sshd, tmux and bash"
        ),
        .timeLimit(.minutes(2))
    )
    struct LiveShellTests {
        @Test func `words are typed at a shell's prompt, and not into a script that draws one like it`() async throws {
            let server = try await ThrowawaySSHServer.start()
            let socket = "/tmp/riff-h\(UInt32.random(in: 0 ... .max))"
            let result: Result<Void, any Error>
            do { result = .success(try await Self.speak(server, socket)) } catch { result = .failure(error) }
            await Task {
                // Cleanup: it may not have started.
                _ = try? await SystemProgram.run("tmux", ["-S", socket, "kill-server"])
                await server.stop()
            }.value
            try result.get()
        }

        private static func speak(_ server: ThrowawaySSHServer, _ socket: String) async throws {
            let key = SSHPrivateKey.makeEd25519(comment: "test")
            try server.authorize(try #require(key.publicKey).line)
            let trust = HostTrust.firstUse(InMemoryHostKeyStore())
            let host = try SSHHost(server.host, port: server.port, user: server.user, key: key, trust: trust)
            let session = try await host.session(
                "riff",
                size: TerminalSize(columns: 100, rows: 30),
                server: TmuxServer(.path(socket)),
                spec: NewSessionSpec(harness: .custom("PS1='here$ ' exec bash --norc --noprofile -i"))
            )
            var text = ""
            var output = session.output.makeAsyncIterator()
            func read(through needle: String) async throws {
                while true {
                    if let range = text.range(of: needle) {
                        text = String(text[range.upperBound...])
                        return
                    }
                    let bytes = try #require(await output.next(), "\(text.suffix(500))")
                    text += String(decoding: bytes, as: UTF8.self)
                }
            }
            try await read(through: "here$ ")
            try await session.typeSpoken("echo the words $((40 + 2))", submit: true)
            try await read(through: "the words 42")
            for script in [
                #"bash -c 'read -p "$(printf "Delete prod-db-1 for good\076 ")" x; echo got "[$x]"'"#,
                #"bash -c 'read -p "$(printf "Deploy it \044 ")" x; echo got "[$x]"'"#,
                #"(read -p "$(printf "Wipe it \076 ")" x; echo got "[$x]")"#,
            ] {
                try await session.type(script, submit: true)
                try await read(through: script.contains("044") ? "it $ " : "> ")
                for submit in [false, true] {
                    let error = await #expect(throws: VoiceError.self, "\(script)") {
                        try await session.typeSpoken("go on", submit: submit)
                    }
                    #expect([.notAtPrompt, .questionAsked].contains(error?.code), "\(error?.message ?? "")")
                }
                try await session.type("end", submit: true)
                try await read(through: "got [end")
            }
            await host.shutdown()
        }
    }
}

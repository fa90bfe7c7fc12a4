// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTesting
import Foundation
import RiffCore
import RiffHermes
import RiffScreen
import RiffTesting
import RiffTransport
import Testing

extension InTurn {
    /// The same program, with the home on a host behind a real sshd.
    @Suite(
        .timeLimit(.minutes(5)),
        .enabled(if: DashLab.isInstalled && ThrowawaySSHServer.isInstalled, "sqlite3 or sshd is not installed")
    )
    struct HermesDashHostTests {
        private static func withServer(_ body: (DashLab, [String]) async throws -> Void) async throws {
            try await DashLab.withHome { lab in
                let server = try await ThrowawaySSHServer.start()
                let result: Result<Void, any Error>
                do {
                    let key = SSHPrivateKey.makeEd25519(comment: "hermes-dash test")
                    try server.authorize(try #require(key.publicKey).line)
                    try await LocalHostSession().write(key.pem.bytes, to: "\(lab.folder)/key", permissions: 0o600)
                    var words = ["--on", "\(server.user)@127.0.0.1", "--port", "\(server.port)"]
                    words += ["--key", "\(lab.folder)/key", "--known-hosts", "\(lab.folder)/known_hosts"]
                    // A busy machine takes its time over a key exchange.
                    result = .success(try await body(lab, words + ["--connect-timeout", "60"]))
                } catch {
                    result = .failure(error)
                }
                // A test that ran out of time is cancelled, and everything of it ends all the same.
                await Task { await server.stop() }.value
                try result.get()
            }
        }

        @Test func `a home on a host is shown as one here, live, and never written`() async throws {
            try await Self.withServer { lab, words in
                let before = try lab.bytes()
                let person = try await lab.start(words)
                try await person.sees("Trust it? Type yes:")
                try await person.type("yes\r")
                try await person.sees("73 sessions · 6 messages")
                try await person.type("2")
                try await person.sees("Mend the parser")
                #expect(try lab.bytes() == before)
                try await lab.sql(
                    "INSERT INTO sessions (id, source, started_at, title) VALUES "
                        + "('new', 'cli', \(DashLab.newest + 60), 'Brand new matter');"
                )
                try await person.sees("Brand new matter")
                try await person.type("/needle\r")
                try await person.sees("Found it: a needle in line 12.")
                try await person.type("\r")
                try await person.sees("▸ assistant")
                try await person.type("\u{1B}")
                try await person.sees("Messages with: needle")
                try await person.type("6")
                try await person.sees("INFO hermes_cli.main: Started")
                try lab.append("2026-11-21 03:19:07,420 WARNING agent.turn: While it looks\n")
                try await person.sees("WARNING agent.turn: While it looks")
                try await person.type("5")
                try await person.sees("Models, by tokens")
                try await person.type("q")
                try await person.watchesTheEnd()

                // The key is trusted now, and nothing but the answer is in the pipe.
                let sessions = try await lab.output(["sessions", "--limit", "1"] + words)
                #expect(sessions.exit == .exited(0), "\(sessions.complaint)")
                #expect(sessions.text.hasPrefix("new\t"))
                #expect(sessions.text.split(separator: "\n").count == 1)
                #expect(sessions.complaint.contains("Connecting to"))
                let log = try await lab.output(["log", "--level", "warning"] + words)
                #expect(log.text == "2026-11-21 03:19:07,420 WARNING agent.turn: While it looks\n")
            }
        }
    }
}

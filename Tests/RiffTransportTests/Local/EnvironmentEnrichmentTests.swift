// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(2)))
    struct EnvironmentEnrichmentTests {
        @Test func `variables are asked for once, and commands see them`() async throws {
            let calls = Mutex(0)
            let enrichment = EnvironmentEnrichment {
                calls.withLock { $0 += 1 }
                return ["SSH_AUTH_SOCK": "/tmp/agent 1.sock", "RIFF_A": "new"]
            }
            let host = LocalHostSession(
                environment: ["PATH": "/usr/bin:/bin", "RIFF_A": "old"],
                enrichment: enrichment
            )
            try await withThrowingTaskGroup(of: String.self) { group in
                for _ in 0..<4 {
                    group.addTask { try await host.run(#"printf '%s|' "$PATH" "$SSH_AUTH_SOCK" "$RIFF_A""#).text }
                }
                for try await text in group { #expect(text == "/usr/bin:/bin|/tmp/agent 1.sock|new|") }
            }
            let channel = try await host.openChannel("printenv SSH_AUTH_SOCK")
            #expect(try await channel.output.collect(upTo: 100) == Array("/tmp/agent 1.sock\n".utf8))
            await channel.close()
            #expect(calls.withLock { $0 } == 1)
        }

        @Test func `where variables cannot be found commands run without, and the reason is told`() async throws {
            let enrichment = EnvironmentEnrichment { throw TransportError(.timeout, "slow") }
            #expect(enrichment.problem == nil)
            let result = try await LocalHostSession(enrichment: enrichment).run("echo fine")
            #expect(result.text == "fine\n")
            #expect((enrichment.problem as? TransportError)?.code == .timeout)
        }

        @Test(
            arguments: ["/bin/sh", "/bin/bash", "/usr/bin/zsh", "/usr/bin/fish"].filter {
                FileManager.default.isExecutableFile(atPath: $0)
            }
        )
        func `a login shell tells what its profile sets`(shell: String) async throws {
            let found = try await EnvironmentEnrichment.loginShell(["PATH", "HOME", "RIFF_NONE"], shell: shell)
                .variables()
            #expect(found["PATH"]?.contains("/bin") == true)
            #expect(found["HOME"] == ProcessInfo.processInfo.environment["HOME"])
            #expect(found["RIFF_NONE"] == nil)
        }

        /// Variables that only a login shell sets, and that only an interactive one does.
        @Test(
            arguments: [
                (
                    "/bin/bash",
                    [
                        ".bash_profile":
                            "case $- in *i*) export RIFF_I=yes;; esac; shopt -q login_shell && export RIFF_L=yes"
                    ]
                ),
                ("/usr/bin/zsh", [".zshrc": "export RIFF_I=yes", ".zprofile": "export RIFF_L=yes"]),
                (
                    "/usr/bin/fish",
                    [
                        ".config/fish/config.fish":
                            "status is-interactive; and set -gx RIFF_I yes\nstatus is-login; and set -gx RIFF_L yes"
                    ]
                ),
            ].filter { FileManager.default.isExecutableFile(atPath: $0.0) }
        )
        func `the shell is asked as an interactive login shell`(_ shell: String, _ files: [String: String]) async throws
        {
            try await withTemporaryHome { home in
                for (name, text) in files {
                    let file = home.appendingPathComponent(name)
                    let folder = file.deletingLastPathComponent()
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                    try "\(text)\n".write(to: file, atomically: true, encoding: .utf8)
                }
                // The shell with a home folder of its own.
                let wrapper = home.appendingPathComponent("shell")
                try await wrapper.writeScript("#!/bin/sh\nHOME='\(home.path)' exec \(shell) \"$@\"\n")
                let enrichment = EnvironmentEnrichment.loginShell(
                    ["RIFF_I", "RIFF_L", "PATH"],
                    shell: wrapper.path,
                    timeout: .seconds(30).patient
                )
                let found = try await enrichment.variables()
                #expect(found["RIFF_I"] == "yes" && found["RIFF_L"] == "yes", "\(found)")
                #expect(enrichment.problem == nil)
            }
        }

        @Test func `a shell that is not there, or no shell at all, is told as the reason`() async throws {
            for shell in ["/no/such/shell", "/bin/true"] {
                let enrichment = EnvironmentEnrichment.loginShell(shell: shell)
                #expect(try await enrichment.variables() == [:])
                #expect(enrichment.problem is TransportError)
            }
        }
    }
}

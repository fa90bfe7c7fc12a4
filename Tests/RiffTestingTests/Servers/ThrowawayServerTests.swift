// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import TestSupport
import Testing

extension InTurn {
    /// The servers are driven with OpenSSH's own client, so that a failure here is the server's.
    @Suite(.timeLimit(.minutes(5)), .enabled(if: ThrowawaySSHServer.isInstalled && SystemProgram.path("ssh") != nil))
    struct ThrowawayServerTests {
        @Test func `a key gets in once it is authorized and not after it is revoked`() async throws {
            try await SSHProgram.withServer { server, client in
                #expect(try await client.run("echo hello") != "hello\n")
                try server.authorize(client.publicKeyLine)
                let output = try await client.run("echo hello")
                #expect(output == "hello\n", "\(server.log)")
                try await server.waitForLog(containing: "Accepted publickey for \(server.user)")
                try server.revokeAll()
                #expect(try await client.run("echo hello") != "hello\n")
            }
        }

        @Test func `new host keys come up on the same port and the old key is not told any more`() async throws {
            try await SSHProgram.withServer { server, client in
                try server.authorize(client.publicKeyLine)
                let old = try server.hostPublicKeyLine
                #expect(old.hasPrefix("ssh-ed25519 AAAA"))
                #expect(try await client.run("echo one", pinning: old) == "one\n")
                try await server.restart(replacingHostKeys: true)
                #expect(try server.hostPublicKeyLine != old)
                #expect(try await client.run("echo two", pinning: old).contains("IDENTIFICATION HAS CHANGED"))
                #expect(try await client.run("echo two", pinning: try server.hostPublicKeyLine) == "two\n")
            }
        }

        @Test func `stopping kills what sessions left in the background, a restart does not`() async throws {
            try await SSHProgram.withServer { server, client in
                try server.authorize(client.publicKeyLine)
                let fifo = "\(client.folder)/alive"
                _ = try await SystemProgram.run("mkfifo", [fifo])
                // Ends when the last process that can write to it is gone.
                async let end = SystemProgram.run("timeout", ["20", "cat", fifo])
                let pid = try await client.run("(setsid sleep 300 </dev/null >\(fifo) 2>/dev/null & echo $!)")
                let id = try #require(pid_t(pid.trimmingCharacters(in: .newlines)))
                try await server.restart()
                #expect(kill(id, 0) == 0)
                await server.stop()
                #expect(try await end.status == 0)
                #expect(!FileManager.default.fileExists(atPath: server.folder))
            }
        }

        @Test(.enabled(if: SystemProgram.path("tmux") != nil))
        func `a tmux server of a name is its own, not the person's`() async throws {
            try await SSHProgram.withServer { server, client in
                try server.authorize(client.publicKeyLine)
                _ = try await client.run("tmux -L riff new-session -d -s riff 'exec sleep 300'")
                let socket = try await client.run("tmux -L riff display-message -p '#{socket_path}'")
                let folder = URL(filePath: server.folder).resolvingSymlinksInPath().path(percentEncoded: false)
                #expect(socket.hasPrefix(folder) || socket.hasPrefix(server.folder), "\(socket)")
            }
        }

        @Test(.enabled(if: SystemProgram.path("fish") != nil))
        func `another login shell reads the commands and files still work`() async throws {
            var options = ThrowawaySSHServer.Options()
            options.shell = SystemProgram.path("fish")
            try await SSHProgram.withServer(options) { server, client in
                try server.authorize(client.publicKeyLine)
                #expect(try await client.run("set word fish; echo $word $SHELL").hasPrefix("fish /"))
                #expect(try await client.listWithSFTP("/").contains("etc"))
            }
        }

        @Test func `options reach the server`() async throws {
            var options = ThrowawaySSHServer.Options()
            options.hostKeyTypes = ["ecdsa", "ed25519"]
            options.variables = ["RIFF_WORD": "given"]
            options.ciphers = "aes128-ctr"
            options.extraLines = ["Banner none"]
            try await SSHProgram.withServer(options) { server, client in
                try server.authorize(client.publicKeyLine)
                #expect(try server.hostPublicKeyLine.hasPrefix("ecdsa-sha2-nistp256 "))
                #expect(try await client.run("echo $RIFF_WORD") == "given\n")
                _ = try await client.run("true", more: ["-c", "aes256-ctr"])
                try await server.waitForLog(containing: "no matching cipher")
            }
        }

        @Test func `a server that cannot start says why`() async throws {
            var options = ThrowawaySSHServer.Options()
            options.extraLines = ["NoSuchKeyword yes"]
            let error = await #expect(throws: TestingError.self) { _ = try await ThrowawaySSHServer.start(options) }
            #expect(error?.code == .serverEnded)
            #expect(error?.message.contains("NoSuchKeyword") == true)
        }

        @Test func `a wait for the log ends with the log in its error`() async throws {
            try await SSHProgram.withServer { server, _ in
                let error = await #expect(throws: TestingError.self) {
                    try await server.waitForLog(containing: "never said", after: 0, within: .milliseconds(1))
                }
                #expect(error?.code == .serverSilent)
                #expect(error?.message.contains("Server listening") == true)
            }
        }

        @Test func `a halted server refuses until it is started again`() async throws {
            try await SSHProgram.withServer { server, client in
                try server.authorize(client.publicKeyLine)
                try await server.halt()
                #expect(try await client.run("echo there").contains("refused"))
                try await server.restart()
                #expect(try await client.run("echo there") == "there\n")
            }
        }

        @Test func `the server ends when the process that started it is killed`() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(
                path: "riff-owner-\(UInt32.random(in: 0...(.max)))"
            )
            let path = folder.path()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let fifo = "\(path).fifo"
            defer { unlink(fifo) }
            _ = try await SystemProgram.run("mkfifo", [fifo])
            // The owner waits until the server runs, then dies of SIGKILL; the pipeline ends with the supervisor.
            let owner = #"sh -c 'read line <"$0"; kill -KILL $$' "$3" | /bin/sh -c "$1" riff "$2" sh -c "$4" "$3""#
            let server = #"echo up >"$0"; exec sleep 299"#
            let result = try await SystemProgram.run(
                "sh",
                ["-c", owner, "owner", ServerSupervisor.script, path, fifo, server]
            )
            #expect(result.output.contains("riff: halted"))
            #expect(!FileManager.default.fileExists(atPath: path))
        }

        @Test(.enabled("needs dropbear and root") { await ThrowawayDropbear.isAvailable() })
        func `dropbear lets an authorized key in, at a private home`() async throws {
            let server = try await ThrowawayDropbear.start()
            try await SSHProgram.with(server) { client in
                #expect(try await client.run("echo hello") != "hello\n")
                try server.authorize(client.publicKeyLine)
                #expect(try await client.run("echo hello; pwd") == "hello\n\(server.home)\n")
                let old = try server.hostPublicKeyLine
                try await server.restart(replacingHostKeys: true)
                #expect(try await client.run("true", pinning: old).contains("IDENTIFICATION HAS CHANGED"))
                #expect(try await client.run("echo new", pinning: try server.hostPublicKeyLine) == "new\n")
                try server.revokeAll()
                #expect(try await client.run("echo hello") != "hello\n")
            }
            #expect(!FileManager.default.fileExists(atPath: server.home))
        }
    }
}

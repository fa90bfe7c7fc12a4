// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffACP
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    /// Commands that really run, on this machine.
    @Suite(.timeLimit(.minutes(5))) struct ACPHostTerminalsTests {
        private func with(
            limit: Int = 1 << 20,
            terminals: Int = 32,
            _ body: (ACPHostTerminals) async throws -> Void
        ) async throws {
            let host = LocalHostSession(shell: "/bin/sh")
            let open = ACPHostTerminals(on: host, directory: "/", terminalLimit: terminals, outputByteLimit: limit)
            do { try await body(open) } catch {
                await open.close()
                throw error
            }
            await open.close()
        }

        private func start(
            _ terminals: ACPHostTerminals,
            _ command: String,
            _ arguments: [String] = [],
            env: [ACP.EnvVariable] = [],
            cwd: String? = nil,
            limit: UInt64? = nil
        ) async throws -> ACP.TerminalID {
            let request = ACP.CreateTerminalRequest(
                sessionID: "s",
                command: command,
                args: arguments,
                env: env,
                cwd: cwd,
                outputByteLimit: limit
            )
            return try await terminals.create(request).terminalID
        }

        private func wait(_ terminals: ACPHostTerminals, _ id: ACP.TerminalID) async throws
            -> ACP.WaitForTerminalExitResponse
        {
            try await terminals.waitForExit(ACP.WaitForTerminalExitRequest(sessionID: "s", terminalID: id))
        }

        private func output(_ terminals: ACPHostTerminals, _ id: ACP.TerminalID) async throws
            -> ACP.TerminalOutputResponse
        {
            try await terminals.output(ACP.TerminalOutputRequest(sessionID: "s", terminalID: id))
        }

        @Test func `a command runs where it should, with what it is given, and ends as it does`() async throws {
            try await with { terminals in
                let script = "pwd; echo \"$A\" \"$1\"; echo wrong >&2; exit 3"
                let id = try await start(
                    terminals,
                    "sh",
                    ["-c", script, "sh", "two 'words' $HOME"],
                    env: [ACP.EnvVariable(name: "A", value: "b c")],
                    cwd: "/usr"
                )
                let exit = try await wait(terminals, id)
                #expect(exit.exitCode == 3 && exit.signal == nil)
                let output = try await output(terminals, id)
                #expect(output.output == "/usr\nb c two 'words' $HOME\nwrong\n")
                #expect(!output.truncated && output.exitStatus?.exitCode == 3)
            }
        }

        @Test func `the beginning is cut off at a character when there is too much`() async throws {
            try await with { terminals in
                let id = try await start(terminals, "sh", ["-c", "printf '\u{E9}\u{E9}\u{E9}\u{E9}'"], limit: 5)
                _ = try await wait(terminals, id)
                let output = try await output(terminals, id)
                #expect(output.output == "\u{E9}\u{E9}" && output.truncated)
                let flood = try await start(
                    terminals,
                    "sh",
                    ["-c", "yes 0123456789 | head -c 3300000; echo end"],
                    limit: 100
                )
                _ = try await wait(terminals, flood)
                let end = try await self.output(terminals, flood)
                #expect(end.output.utf8.count == 100 && end.output.hasSuffix("\nend\n") && end.truncated)
            }
        }

        @Test func `killing leaves the output, releasing forgets it`() async throws {
            try await with(terminals: 1) { terminals in
                let fifo = "/tmp/riff-acp-\(UInt64.random(in: 0 ... .max))"
                let make = try await start(terminals, "mkfifo", [fifo])
                _ = try await wait(terminals, make)
                _ = try await terminals.release(ACP.ReleaseTerminalRequest(sessionID: "s", terminalID: make))
                let id = try await start(terminals, "sh", ["-c", "echo started; cat \(fifo); rm \(fifo); sleep 1000"])
                await #expect(throws: ACP.RPCError.self) { try await start(terminals, "true") }
                // Opening a fifo waits for its other end: the command has begun.
                let opened = try await LocalHostSession(shell: "/bin/sh").run("echo >\(fifo)")
                #expect(opened.exit == .exited(0))
                _ = try await terminals.kill(ACP.KillTerminalRequest(sessionID: "s", terminalID: id))
                let exit = try await wait(terminals, id)
                // A shell that is just between two commands may not heed the first, and gets the second.
                #expect(["INT", "KILL"].contains(exit.signal))
                let output = try await output(terminals, id)
                #expect(output.output.hasPrefix("started\n") && output.exitStatus?.signal == exit.signal)
                _ = try await terminals.release(ACP.ReleaseTerminalRequest(sessionID: "s", terminalID: id))
                await #expect { try await wait(terminals, id) } throws: {
                    ($0 as? ACP.RPCError)?.code == .resourceNotFound
                }
                _ = try await start(terminals, "true")
            }
        }

        @Test(
            arguments: [
                ("printf '%s|' a b; echo $((1 + 2)) | cat", "a|b|3\n"), ("W=x; echo \"$W$A\"", "xy\n"),
                ("(exit 0) && pwd", "/\n"),
            ]
        )
        func `a whole line without arguments is run by a shell`(line: String, expected: String) async throws {
            try await with { terminals in
                for env in [[ACP.EnvVariable(name: "A", value: "y")], []] where !(env.isEmpty && line.contains("$A")) {
                    let id = try await start(terminals, line, env: env)
                    #expect(try await wait(terminals, id).exitCode == 0)
                    #expect(try await output(terminals, id).output == expected)
                }
            }
        }

        @Test func `a program whose path has a space or an equals sign is no line and no variable`() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(
                path: "riff a=b \(UInt64.random(in: 0 ... .max))"
            )
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }  // Nothing of it is needed.
            let program = folder.appending(path: "tool").path
            // A script, since a program under another name may be another one.
            try Data("#!/bin/sh\necho \"$@\"\n".utf8).write(to: URL(filePath: program))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
            try await with { terminals in
                for env in [[ACP.EnvVariable(name: "A", value: "y")], []] {
                    for (arguments, expected) in [([], "\n"), (["$A", "b"], "$A b\n")] as [([String], String)] {
                        let id = try await start(terminals, program, arguments, env: env)
                        #expect(try await wait(terminals, id).exitCode == 0)
                        #expect(try await output(terminals, id).output == expected)
                    }
                }
            }
        }

        @Test(arguments: ["-S echo wrong ", "-i", "--chdir", "", "a=b", "a\nb"])
        func `a variable's name is no option of env(1)`(name: String) async throws {
            try await with { terminals in
                let env = [ACP.EnvVariable(name: name, value: "x")]
                await #expect { try await start(terminals, "true", env: env) } throws: {
                    ($0 as? ACP.RPCError)?.code == .invalidParams
                }
            }
        }

        @Test(arguments: ["-S echo wrong", "-a", ""])
        func `a command is no option`(command: String) async throws {
            try await with { terminals in
                for env in [[ACP.EnvVariable(name: "A", value: "y")], []] {
                    await #expect { try await start(terminals, command, ["true"], env: env) } throws: {
                        ($0 as? ACP.RPCError)?.code == .invalidParams
                    }
                }
            }
        }

        @Test func `a command that does not exist ends as a shell says`() async throws {
            try await with { terminals in
                let id = try await start(terminals, "no-such-command-of-riff")
                let exit = try await wait(terminals, id)
                #expect(exit.exitCode == 127)
                await #expect(throws: ACP.RPCError.self) { try await start(terminals, "true", cwd: "relative") }
            }
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)), .serialized)
    struct LocalProcessTests {
        @Test(arguments: ByteChannelConformance.checks)
        func `it keeps the rules of channels`(check: ConformanceCheck<ByteChannelConformance>) async throws {
            try await check.run(
                ByteChannelConformance { line in try await LocalProcess.start(LocalCommand("sh", ["-c", line])) }
            )
        }

        @Test(arguments: ["/nowhere/riff-agent", "riff-no-such-agent"])
        func `a missing program is named by the call that starts it`(program: String) async throws {
            let error = await #expect(throws: TransportError.self) {
                _ = try await LocalProcess.start(LocalCommand(program))
            }
            #expect(error?.code == .programNotFound)
            #expect(error?.message.contains(program) == true)
            #expect(error?.recovery?.kind == .installProgram)
        }

        @Test func `a missing directory is named`() async throws {
            let error = await #expect(throws: TransportError.self) {
                _ = try await LocalProcess.start(LocalCommand("true", directory: "/nowhere/riff"))
            }
            #expect(error?.code == .processNotStarted)
            #expect(error?.message.contains("/nowhere/riff") == true)
        }

        @Test func `a file that cannot be run is refused with the system's words`() async throws {
            let error = await #expect(throws: TransportError.self) {
                _ = try await LocalProcess.start(LocalCommand("/etc/passwd"))
            }
            #expect(error?.code == .processNotStarted)
            #expect(error?.message.contains("Permission denied") == true)
        }

        @Test func `arguments, environment and directory arrive as they are`() async throws {
            let process = try await LocalProcess.start(
                LocalCommand(
                    "sh",
                    ["-c", "pwd; echo \"$1|$RIFF|$HOME\"", "name", "a 'b' \"c\" $d\n"],
                    environment: ["RIFF": "x=y", "PATH": "/usr/bin:/bin"],
                    directory: "/usr"
                )
            )
            let text = String(decoding: try await process.output.collect(upTo: 1024), as: UTF8.self)
            #expect(text == "/usr\na 'b' \"c\" $d\n|x=y|\n")
            await process.close()
        }

        @Test func `a program is not looked up in a relative directory`() async throws {
            let folder = FileManager.default.temporaryDirectory.path + "/riff-path-" + UUID().uuidString
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }  // Cleanup.
            try await SystemProgram.writeScript("#!/bin/sh\necho hostile\n", to: folder + "/riff-tool")
            // The same folder, seen from the one that this process works in.
            let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
            let relative = String(repeating: "../", count: depth) + folder.dropFirst()
            #expect(FileManager.default.isExecutableFile(atPath: relative + "/riff-tool"))
            for path in [relative, ".:\(relative):/usr/bin:/bin", ":\(relative):"] {
                let command = LocalCommand("riff-tool", environment: ["PATH": path])
                let error = await #expect(throws: TransportError.self) {
                    let process = try await LocalProcess.start(command)
                    await process.close()
                }
                #expect(error?.code == .programNotFound)
            }
            let process = try await LocalProcess.start(LocalCommand("riff-tool", environment: ["PATH": ".:\(folder)"]))
            #expect(String(decoding: try await process.output.collect(upTo: 100), as: UTF8.self) == "hostile\n")
            await process.close()
        }

        @Test func `signals and descriptors of this process do not reach the child`() async throws {
            let process = try await LocalProcess.start(
                LocalCommand("sh", ["-c", "ls /proc/self/fd | wc -l; exec cat /proc/self/status"])
            )
            let text = String(decoding: try await process.output.collect(upTo: 8192), as: UTF8.self)
            // Three standard ones, and the one with which `ls` reads the folder.
            #expect(text.hasPrefix("4\n"))
            for field in ["SigBlk:\t", "SigIgn:\t", "SigCgt:\t"] {
                let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(field) })
                let mask = try #require(UInt64(line.dropFirst(field.count), radix: 16))
                // Signals 32 and 33 belong to the C library, which lets nobody reset them.
                #expect(mask & ~(0b11 << 31) == 0, "\(line)")
            }
            await process.close()
        }

        @Test func `a stubborn child is killed when the grace is over, and what it started too`() async throws {
            let clock = ManualClock()
            let process = try await LocalProcess.start(
                LocalCommand(
                    "sh",
                    [
                        "-c",
                        "trap 'echo ignored' INT; sh -c 'trap \"\" INT; echo $$; exec sleep 60' & "
                            + "while :; do wait; done",
                    ]
                ),
                clock: clock
            )
            var iterator = process.output.makeAsyncIterator()
            let first = String(decoding: try await iterator.next() ?? [], as: UTF8.self)
            let grandchild = try #require(Int32(first.trimmingCharacters(in: .whitespacesAndNewlines)))
            async let closing: Void = process.close()
            let second = try await iterator.next()
            #expect(second == Array("ignored\n".utf8))
            await clock.sleepers(1)
            #expect(clock.nextDeadline?.offset == .seconds(2))
            #expect(kill(process.processID, 0) == 0)
            clock.advance(by: .seconds(2))
            await closing
            #expect(try await process.exitStatus() == .signaled("KILL"))
            // Killed with its group: it dies a moment later, and is a zombie until init reaps it. Its status file
            // tells; the time limit of this suite bounds the wait.
            let gone = try await LocalHostSession(shell: "/bin/sh").run(
                "while grep -q 'State:.[RSD]' /proc/\(grandchild)/status 2>/dev/null; do sleep 0.02; done"
            )
            #expect(gone.exit == .exited(0))
        }

        @Test func `closing a child that obeys does not wait for the grace`() async throws {
            let process = try await LocalProcess.start(LocalCommand("sleep", ["60"]), clock: ManualClock())
            await process.close()
            #expect(try await process.exitStatus() == .signaled("INT"))
        }

        @Test func `an order to close is never slept over, however busy the loop is`() async throws {
            let busy = try await LocalProcess.start(LocalCommand("cat"))
            let chatter = Task {
                var echoes = busy.output.makeAsyncIterator()
                while !Task.isCancelled {
                    try await busy.write([1])
                    _ = try await echoes.next()
                }
            }
            for _ in 0..<30 {
                let process = try await LocalProcess.start(LocalCommand("sleep", ["60"]), clock: ManualClock())
                await process.close()
                #expect(try await process.exitStatus() == .signaled("INT"))
            }
            chatter.cancel()
            _ = await chatter.result
            await busy.close()
        }

        @Test func `two hundred children leave no descriptor and no zombie`() async throws {
            _ = try await LocalHostSession().run("true")
            func descriptors() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            }
            let before = try descriptors()
            var started: [Int32] = []
            for number in 0..<200 {
                if number % 10 == 0 {
                    let terminal = LocalPTYTerminal(LocalCommand("true"))
                    try await terminal.connect(size: .standard)
                    _ = await terminal.closure()
                    continue
                }
                let process = try await LocalProcess.start(LocalCommand("true"))
                started.append(process.processID)
                if number % 2 == 0 {
                    await process.close()
                } else {
                    // Let go without being closed: it ends by itself.
                    _ = try await process.output.collect(upTo: 10)
                    _ = try await process.diagnostics.collect(upTo: 10)
                    _ = try await process.exitStatus()
                }
            }
            // The other suites of this test process open and close descriptors meanwhile, fewer than one for each
            // child.
            #expect(try descriptors() - before < 100)
            let last = try await LocalProcess.start(LocalCommand("true"))
            await last.close()
            // Reaped, all of them: the number is free, or somebody else's.
            let zombies = started.filter { id in
                (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8))?.contains(") Z \(getpid()) ") == true
            }
            #expect(zombies.isEmpty)
        }
    }
}

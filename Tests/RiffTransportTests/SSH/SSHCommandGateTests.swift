// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SSHCommandGateTests {
    static let shells = ["sh", "dash", "bash", "csh", "tcsh", "zsh", "fish", "ksh", "mksh"].filter {
        SystemProgram.path($0) != nil
    }

    @Test func `servers that answer get what is to be run, and nothing else`() {
        #expect(SSHCommandGate.isNeeded(by: "SSH-2.0-dropbear_2022.83"))
        #expect(!SSHCommandGate.isNeeded(by: "SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3"))
        #expect(SSHCommandGate.line("a; b", report: nil, isGated: false) == "a; b")
        #expect(SSHCommandGate.line("a; b", report: "r", isGated: false) == "sh -c 'echo r $PPID >&2'; a; b")
    }

    @Test(arguments: shells) func `a login shell runs the command when the gate opens, and is killed where it does not`(
        shell: String
    ) async throws {
        let host = LocalHostSession()
        func run(_ command: String, input: String) async throws -> CommandResult {
            try await host.run(command, input: Array(input.utf8), outputLimit: 1 << 16, timeout: .seconds(20).patient)
        }
        let line = SSHCommandGate.line("cat; echo end", report: "report", isGated: true)
        let quoted = try ShellQuoting.quote(line)
        let command = "\(shell) -c \(quoted)"
        let opened = try await run(command, input: "\nfirst\nsecond")
        #expect(opened.text == "first\nsecondend\n")
        #expect(opened.diagnosticText.wholeMatch(of: /report [0-9]+\n/) != nil)
        #expect(opened.exit == .exited(0))
        // Seen from a shell, which tells of it, and does not die with it.
        let closed = try await run("\(command); echo $?", input: "")
        #expect(closed.text == "137\n")
        #expect(closed.diagnosticText.firstMatch(of: /report [0-9]/) == nil)
    }
}

extension RealServers {
    @Suite struct SSHCommandGateTests {
        /// dropbear 2022.83 closes channels that were just opened when commands on others end, unanswered, and starts
        /// their commands all the same.
        @Test(.enabled("needs dropbear and root") { await ThrowawayDropbear.isAvailable() })
        func `dropbear runs each command once`() async throws {
            try await SSHLab.with(try await ThrowawayDropbear.start()) { lab in
                let host = try lab.host()
                let file = "/tmp/riff-once-\(UInt64.random(in: 0 ... .max))"
                @Sendable func run(_ command: String) async throws -> CommandResult {
                    try await host.files.run(command, input: [], outputLimit: 1 << 16, timeout: .seconds(30).patient)
                }
                let done = try await withThrowingTaskGroup(of: [Int].self) { group in
                    for lane in 0..<4 {
                        group.addTask {
                            var done: [Int] = []
                            for number in stride(from: lane, to: 400, by: 4) {
                                do {
                                    guard try await run("echo \(number) >>\(file)").exit == .exited(0) else { continue }
                                    done.append(number)
                                } catch let error as TransportError where error.code == .connectionLost {
                                    // Its own assertion ended the connection.
                                }
                            }
                            return done
                        }
                    }
                    return try await group.reduce(into: []) { $0 += $1 }
                }
                let lines = try await run("cat \(file); rm \(file)").text.split(separator: "\n")
                let written = lines.compactMap { Int($0) }
                #expect(Set(written).count == written.count)
                #expect(Set(written).isSuperset(of: done))
                #expect(done.count > 200)
            }
        }
    }
}

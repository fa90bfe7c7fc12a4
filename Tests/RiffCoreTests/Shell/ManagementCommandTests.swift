// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct ManagementCommandTests {
        private struct Counter: RandomNumberGenerator {
            var value: UInt64 = 0
            mutating func next() -> UInt64 {
                value += 1
                return value
            }
        }

        @Test func `each command has a number of its own`() throws {
            var counter = Counter()
            let first = try ManagementCommand("true", using: &counter)
            let second = try ManagementCommand("true", using: &counter)
            #expect(first.nonce == "00000000000000010000000000000002")
            #expect(second.nonce == "00000000000000030000000000000004")
            #expect(try ManagementCommand("true").nonce != ManagementCommand("true").nonce)
            #expect(!first.line.contains("__RIFF_EOF__ \(first.nonce)"))
        }

        @Test(arguments: ShellProgram.shells)
        func `output and status come through a login profile that prints`(_ shell: ShellProgram) async throws {
            try await withTemporaryHome { home in
                try await LoginShellCommandTests.writeProfiles(in: home)
                let hostile = #"it's "$HOME" \ `id` !! *"#
                let commands: [(String, [UInt8], Int)] = [
                    (try ShellQuoting.join(["riff-probe", hostile]), Array("probe:\(hostile)\n".utf8), 7),
                    ("true", [], 0),
                    ("printf no-newline", Array("no-newline".utf8), 0),
                    (
                        "echo a __RIFF_EOF__; echo __RIFF_EOF__; (exit 3)",
                        Array("a __RIFF_EOF__\n__RIFF_EOF__\n".utf8), 3
                    ),
                    ("printf '\\n\\n'; exit 4", Array("\n\n".utf8), 4),
                    ("printf '\\0\\377'", [0, 255], 0),
                    ("if", [], 2),
                    ("kill -9 $(sh -c 'echo $PPID')", [], 137),
                ]
                for (text, output, status) in commands {
                    let command = try ManagementCommand(text)
                    let result = try await shell.run(["-c", command.line], in: home)
                    var parser = ManagementOutputParser(command)
                    parser.feed(result.output)
                    guard case .output(output, status: status) = parser.outcome(at: .closed) else {
                        Issue.record(
                            "\(text): \(parser.outcome(at: .closed)), \(command.diagnostics(in: result.diagnostics))"
                        )
                        continue
                    }
                    #expect(result.status == status)
                }
            }
        }

        @Test(arguments: ShellProgram.shells)
        func `standard error is told from the profile's`(_ shell: ShellProgram) async throws {
            try await withTemporaryHome { home in
                let command = try ManagementCommand("echo mine >&2; false")
                let result = try await shell.run(["-c", "echo theirs >&2\n" + command.line], in: home)
                #expect(command.diagnostics(in: result.diagnostics) == "mine\n")
                #expect(command.diagnostics(in: Array("no way in".utf8)) == "no way in")
            }
        }

        @Test(.enabled(if: ShellProgram.csh != nil))
        func `csh is an outcome of its own`() async throws {
            let csh = try #require(ShellProgram.csh)
            try await withTemporaryHome { home in
                let command = try ManagementCommand("echo 'hello!you'")
                let result = try await csh.run(["-c", command.line], in: home)
                var parser = ManagementOutputParser(command)
                parser.feed(result.output)
                guard case .unsupportedShell(let shell) = parser.outcome(at: .closed) else {
                    Issue.record("\(parser.outcome(at: .closed))")
                    return
                }
                #expect(shell.path.hasSuffix("csh"))
            }
        }

        @Test func `a call may take nine seconds`() {
            #expect(ManagementTiming.defaultTimeout == .seconds(9))
        }
    }
}

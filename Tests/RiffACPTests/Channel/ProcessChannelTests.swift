// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    /// Agents that are programs on this machine.
    @Suite(.timeLimit(.minutes(5))) struct ProcessChannelTests {
        /// Answers the handshake, then runs `script` with the line of each further message in `$line`.
        private func agent(_ script: String) -> ACPAgentSource {
            let hello = #"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}"#
            return .process(LocalCommand("sh", ["-c", "read -r line; echo '\(hello)'; \(script)"]))
        }

        private func open(_ script: String) async throws -> any ACPChannel {
            try await ACPAgentSource.process(LocalCommand("sh", ["-c", script])).open()
        }

        @Test func `a line of five megabytes comes back whole`() async throws {
            let channel = try await open("cat")
            let line = [UInt8](repeating: 0x78, count: 5_000_000)
            try await channel.send(line + [0x0A])
            let frames = try await channel.receive()
            #expect(frames?.count == 1)
            guard case .line(let back)? = frames?.first else { return }
            #expect(back.elementsEqual(line))
            try await channel.finishSending()
            #expect(try await channel.receive() == nil)
            #expect(try await channel.exitStatus() == .exited(0))
            await channel.close()
        }

        @Test func `writing to a program that is gone throws, and raises no signal`() async throws {
            let channel = try await open("exit 0")
            _ = try await channel.exitStatus()
            await #expect {
                for _ in 0..<100 { try await channel.send([UInt8](repeating: 0x0A, count: 100_000)) }
            } throws: {
                ($0 as? TransportError)?.code == .closed
            }
            await channel.close()
        }

        @Test func `a program that ignores everything is killed, and its children with it`() async throws {
            // The pid of the child that would outlive it.
            let channel = try await open(
                "trap '' INT TERM HUP; (trap '' INT TERM HUP; while :; do sleep 1; done) & echo $!; while :; do sleep 1; done"
            )
            guard case .line(let text)? = try await channel.receive()?.first else { return }
            let child = String(decoding: text, as: UTF8.self)
            await channel.close()
            #expect(try await channel.exitStatus() == .signaled("KILL"))
            let probe = try await open(
                "while grep -q '^State:[[:space:]]*[RSD]' /proc/\(child)/status 2>/dev/null; do sleep 0.02; done; echo gone"
            )
            guard case .line(let answer)? = try await probe.receive()?.first else { return }
            #expect(String(decoding: answer, as: UTF8.self) == "gone")
            await probe.close()
        }

        @Test func `a closed input is the first word, and a program that hears it ends by itself`() async throws {
            let status = try await withACPClient(
                agent("cat >/dev/null; exit 7"),
                configuration: ACPClient.Configuration(closeGrace: .seconds(60))
            ) { client in client }
            let end = try #require(try await status.ended() as? ACPError)
            #expect(end.code == .closed)
        }

        @Test func `five open requests fail when the agent is killed`() async throws {
            try await withACPClient(agent("read -r line; echo 'Traceback: bad' >&2; kill -9 $$")) { client in
                await withTaskGroup { group in
                    for _ in 0..<5 {
                        group.addTask {
                            let code = await code { _ = try await client.prompt("go", in: "s") }
                            #expect(code == .agentExited)
                        }
                    }
                }
                let end = try await client.ended() as? ACPError
                #expect(end?.message.contains("signal KILL") == true)
                #expect(client.diagnostics == ["Traceback: bad"])
            }
        }

        @Test func `the last fifty lines of standard error are kept`() async throws {
            let client = try await withACPClient(agent("seq 1 3000 >&2; cat >/dev/null")) { $0 }
            #expect(client.diagnostics == (2951...3000).map(String.init))
        }

        @Test func `a program that is not there is the start's failure`() async throws {
            let source = ACPAgentSource.process(LocalCommand("no-such-agent-of-riff"))
            await #expect { try await withACPClient(source) { _ in } } throws: {
                ($0 as? TransportError)?.code == .programNotFound
            }
        }

        @Test func `an agent on a host starts behind whatever the login shell prints`() async throws {
            let hello = #"{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1}}"#
            let host = LocalHostSession(
                shell: "/bin/sh",
                environment: ["SHELL": "/bin/sh", "PATH": "/usr/bin:/bin", "HOME": "/"]
            )
            let source = ACPAgentSource.command(
                ["sh", "-c", "read -r l; echo '\(hello)'; pwd >&2; echo \"$A\" >&2; cat >/dev/null"],
                on: host,
                directory: "/usr",
                environment: ["A": "it's $HOME"]
            )
            let client = try await withACPClient(source) { client in
                #expect(client.agent.protocolVersion == ACP.version)
                return client
            }
            #expect(client.diagnostics == ["/usr", "it's $HOME"])
        }
    }
}

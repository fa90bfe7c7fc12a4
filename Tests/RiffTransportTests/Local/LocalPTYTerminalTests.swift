// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct LocalPTYTerminalTests {
        @Test(arguments: TerminalTransportConformance.checks)
        func `it keeps the rules of terminals`(check: ConformanceCheck<TerminalTransportConformance>) async throws {
            try await check.run(
                TerminalTransportConformance { program in LocalPTYTerminal(LocalCommand("sh", ["-c", program.script])) }
            )
        }

        @Test func `a missing program is told by connect, and the terminal is lost`() async throws {
            let terminal = LocalPTYTerminal(LocalCommand("/nowhere/riff-agent"))
            let error = await #expect(throws: TransportError.self) { try await terminal.connect(size: .standard) }
            #expect(error?.code == .programNotFound)
            #expect(error?.message.contains("/nowhere/riff-agent") == true)
            let closure = await terminal.closure()
            #expect(closure.reason == .lost)
            #expect(closure.error?.stableCode == "transport.programNotFound")
        }

        @Test func `the program is told its terminal's name`() async throws {
            let terminal = LocalPTYTerminal(LocalCommand("sh", ["-c", "echo $TERM"]))
            try await terminal.connect(size: .standard)
            var text: [UInt8] = []
            for await bytes in terminal.output { text += bytes }
            #expect(String(decoding: text, as: UTF8.self) == "xterm-256color\r\n")
        }

        @Test func `a program that ignores the hang-up is killed after the grace`() async throws {
            let terminal = LocalPTYTerminal(
                LocalCommand("sh", ["-c", "trap '' HUP INT; echo up; while :; do sleep 1; done"]),
                closeGrace: .milliseconds(50)
            )
            try await terminal.connect(size: .standard)
            var iterator = terminal.output.makeAsyncIterator()
            _ = await iterator.next()
            await terminal.disconnect()
            let closure = await terminal.closure()
            #expect(closure.reason == .disconnected)
            #expect(closure.exit == .signaled("KILL"))
        }

        @Test func `what the background holds does not keep a terminal open`() async throws {
            let terminal = LocalPTYTerminal(
                LocalCommand("sh", ["-c", "(trap '' HUP; exec sleep 5) & echo last; exit 4"])
            )
            try await terminal.connect(size: .standard)
            var text: [UInt8] = []
            for await bytes in terminal.output { text += bytes }
            #expect(String(decoding: text, as: UTF8.self).hasSuffix("last\r\n"))
            #expect(await terminal.closure().exit == .exited(4))
        }
    }
}

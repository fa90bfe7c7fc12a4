// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct ScriptedTerminalTests {
        @Test func `a script is played to its end`() async throws {
            let terminal = ScriptedTerminal([
                .send("$ "), .expect("ls\r"), .send("file\n"), .expectResize(TerminalSize(columns: 90, rows: 30)),
                .expect("exit\r"), .exit(.exited(0)),
            ])
            try await terminal.connect(size: .standard)
            try await terminal.write(Array("l".utf8))
            try await terminal.write(Array("s\r".utf8))
            try await terminal.resize(to: TerminalSize(columns: 0, rows: 0))
            try await terminal.resize(to: TerminalSize(columns: 90, rows: 30))
            try await terminal.write(Array("exit\r".utf8))
            var text: [UInt8] = []
            for await bytes in terminal.output { text += bytes }
            #expect(String(decoding: text, as: UTF8.self) == "$ file\n")
            #expect(await terminal.closure().exit == .exited(0))
            try terminal.verify()
        }

        @Test func `a departure fails at once, and again when verified`() async throws {
            let terminal = ScriptedTerminal([.expect("ls\r")])
            try await terminal.connect(size: .standard)
            let error = await #expect(throws: ScriptedTerminal.ScriptFailure.self) {
                try await terminal.write(Array("rm\r".utf8))
            }
            #expect(error?.description == "The script expects a write of \"ls\\r\"; there came a write of \"rm\\r\".")
            #expect(await terminal.closure().reason == .lost)
            #expect(throws: ScriptedTerminal.ScriptFailure.self) { try terminal.verify() }
        }

        @Test func `what is left of a script fails when verified`() async throws {
            let terminal = ScriptedTerminal([.expect("ls\r")])
            try await terminal.connect(size: .standard)
            #expect(throws: ScriptedTerminal.ScriptFailure.self) { try terminal.verify() }
        }
    }
}

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct RecordingTerminalTests {
        @Test(arguments: TerminalTransportConformance.checks)
        func `it keeps the rules of terminals`(check: ConformanceCheck<TerminalTransportConformance>) async throws {
            try await check.run(
                TerminalTransportConformance { program in
                    RecordingTerminal(LocalPTYTerminal(LocalCommand("sh", ["-c", program.script])))
                }
            )
        }

        @Test func `it keeps what happened in order`() async throws {
            let inner = InMemoryTerminal()
            let terminal = RecordingTerminal(inner, clock: ManualClock())
            try await terminal.connect(size: .standard)
            try await terminal.write([1])
            try await inner.program.send([2])
            inner.program.exit(.exited(0))
            for await _ in terminal.output {}
            #expect(await terminal.closure().exit == .exited(0))
            #expect(
                terminal.recording
                    == [.resized(.standard), .wrote([1]), .drew([2])].map { .init(time: .zero, event: $0) }
            )
        }
    }
}

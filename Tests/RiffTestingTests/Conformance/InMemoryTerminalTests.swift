// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct InMemoryTerminalTests {
        /// All but the one whose meter reads another program's file.
        static let checks = TerminalTransportConformance.checks.filter { $0.name != "makesTheProgramWait" }

        @Test(arguments: checks)
        func `it keeps the rules of terminals`(check: ConformanceCheck<TerminalTransportConformance>) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                let (programs, entry) = AsyncStream<(ConformanceProgram, InMemoryTerminal.Program)>.makeStream()
                group.addTask {
                    await withTaskGroup(of: Void.self) { players in
                        for await (program, side) in programs {
                            players.addTask { await play(program, on: side) }
                        }
                        players.cancelAll()
                    }
                }
                let suite = TerminalTransportConformance { program in
                    // One that began sooner could be over before it is connected.
                    InMemoryTerminal { side in entry.yield((program, side)) }
                }
                defer { entry.finish() }
                try await check.run(suite)
            }
        }

        @Test func `a program that floods a terminal nobody reads is made to wait`() async throws {
            let terminal = InMemoryTerminal(bufferedBytes: 1024)
            try await terminal.connect(size: .standard)
            let flood = Task {
                var sent = 0
                while sent < 1 << 20 {
                    try await terminal.program.send([UInt8](repeating: 65, count: 512))
                    sent += 512
                }
            }
            var iterator = terminal.output.makeAsyncIterator()
            let first = await iterator.next()
            #expect((first?.count ?? 0) <= 1024)
            await terminal.disconnect()
            await #expect(throws: TransportError.self) { try await flood.value }
        }
    }
}

/// The programs of the suite, in Swift.
private func play(_ program: ConformanceProgram, on side: InMemoryTerminal.Program) async {
    func ready() async throws { try await side.send(Array("READY\n".utf8)) }
    // What a program's side throws is the terminal's end, or the end of the test.
    do {
        switch program {
        case .echo:
            try await ready()
            for try await bytes in side.input { try await side.send(bytes) }
        case .flood:
            let records = FloodRecords.bytes
            for start in stride(from: 0, to: records.count, by: 64 * 1024) {
                try await side.send(Array(records[start..<start + 64 * 1024]))
            }
            side.exit(.exited(0))
        case .checksum:
            try await ready()
            var paste: [UInt8] = []
            for try await bytes in side.input {
                paste += bytes
                if paste.count >= 1 << 20 { break }
            }
            let sum = try await LocalHostSession().run(
                "cksum",
                input: paste,
                outputLimit: 100,
                timeout: .seconds(50).patient
            )
            try await side.send(sum.output)
            side.exit(.exited(0))
        case .sizes:
            try await ready()
            for try await bytes in side.input {
                for byte in bytes where byte == 10 {
                    let size = side.size ?? .standard
                    try await side.send(Array("\(size.rows) \(size.columns)\n".utf8))
                }
            }
        case .exit: side.exit(.exited(7))
        case .signal: side.exit(.signaled("TERM"))
        case .deafThenGone:
            try await ready()
            try await ContinuousClock().sleep(for: .milliseconds(100))
            side.exit(.exited(3))
        default:
            try await ready()
        }
    } catch {}
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct ScriptedHostSessionTests {
        @Test(arguments: HostSessionConformance.fileChecks)
        func `its files keep the rules of hosts`(check: ConformanceCheck<HostSessionConformance>) async throws {
            try await check.run(HostSessionConformance(ScriptedHostSession(files: ["/tmp/keep": []]), in: "/tmp"))
        }

        @Test func `it answers from its table, and refuses what is not in it`() async throws {
            let session = ScriptedHostSession(["uname": CommandResult(output: Array("Linux\n".utf8), exit: .exited(0))])
            #expect(try await session.run("uname").text == "Linux\n")
            let error = await #expect(throws: TransportError.self) { _ = try await session.run("whoami") }
            #expect(error?.message.contains("whoami") == true)
            #expect(session.commands == ["uname", "whoami"])
        }

        @Test func `limits and deadlines hold as on a real host`() async throws {
            let large = ScriptedHostSession { _, _ in CommandResult(output: [1, 2, 3], exit: .exited(0)) }
            let tooLarge = await #expect(throws: TransportError.self) {
                _ = try await large.run("x", input: [], outputLimit: 2, timeout: .seconds(9))
            }
            #expect(tooLarge?.code == .outputTooLarge)
            let clock = ManualClock(advancesItself: true)
            let never = ScriptedHostSession(clock: clock) { _, _ in
                try await ContinuousClock().sleep(for: .seconds(60))
                return CommandResult(output: [], exit: nil)
            }
            let late = await #expect(throws: TransportError.self) { _ = try await never.run("x") }
            #expect(late?.code == .timeout)
        }
    }
}

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct InMemoryByteChannelTests {
        @Test func `bytes, half-close, diagnostics and status reach the other end`() async throws {
            let (front, command) = InMemoryByteChannel.makePair()
            try await front.write([1, 2, 3])
            try await front.finishWriting()
            #expect(try await command.output.collect(upTo: 10) == [1, 2, 3])
            try await command.write([4])
            command.writeDiagnostics([5])
            command.end(.exited(9))
            #expect(try await front.output.collect(upTo: 10) == [4])
            #expect(try await front.diagnostics.collect(upTo: 10) == [5])
            #expect(try await front.exitStatus() == .exited(9))
            let error = await #expect(throws: TransportError.self) { try await front.write([6]) }
            #expect(error?.code == .closed)
        }

        @Test func `a write waits for the reader, and ends with the peer`() async throws {
            let (front, command) = InMemoryByteChannel.makePair(bufferedBytes: 100)
            let writing = Task { for _ in 0..<1000 { try await front.write([UInt8](repeating: 1, count: 60)) } }
            var iterator = command.output.makeAsyncIterator()
            _ = try await iterator.next()
            await command.close()
            let error = await #expect(throws: TransportError.self) { try await writing.value }
            #expect(error?.code == .closed)
        }

        @Test func `a cut is no proper end`() async throws {
            let (front, command) = InMemoryByteChannel.makePair()
            try await command.write([1])
            command.cut()
            let error = await #expect(throws: TransportError.self) { _ = try await front.output.collect(upTo: 10) }
            #expect(error?.code == .connectionLost)
            await #expect(throws: TransportError.self) { _ = try await front.exitStatus() }
        }
    }
}

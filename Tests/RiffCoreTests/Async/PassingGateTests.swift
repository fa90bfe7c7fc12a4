// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PassingGateTests {
    @Test func `it is open unless somebody holds it, and opens with the end of the body`() async throws {
        let gate = PassingGate()
        try await gate.pass()
        let passed = EventualValue<Void>()
        let waiting = try await gate.hold(within: .seconds(10), clock: ManualClock()) {
            let waiting = Task {
                try await gate.pass()
                passed.resolve(())
            }
            for _ in 0..<100 { await Task.yield() }
            #expect(passed.current == nil)
            return waiting
        }
        try await waiting.value
        #expect(passed.current != nil)
    }

    @Test func `nobody waits longer than the limit, nor when cancelled`() async throws {
        let (gate, clock) = (PassingGate(), ManualClock())
        try await gate.hold(within: .seconds(2), clock: clock) {
            let cancelled = Task { try await gate.pass() }
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            let waiting = Task { try await gate.pass() }
            await clock.sleepers(1)
            clock.advance(by: .seconds(2))
            try await waiting.value
        }
    }

    @Test func `a body that fails opens it`() async throws {
        let gate = PassingGate()
        await #expect(throws: CancellationError.self) {
            try await gate.hold(within: .seconds(10), clock: ManualClock()) { throw CancellationError() }
        }
        try await gate.pass()
    }
}

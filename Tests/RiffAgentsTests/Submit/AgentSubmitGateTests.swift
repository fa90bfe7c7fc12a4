// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import RiffCore
import RiffTesting
import TestSupport
import Testing

/// The gate's waits, in virtual time.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct AgentSubmitGateTests {
    private static let text = "explain this"
    private static let ready = SubmitSight(state: .ready, composer: .empty)
    private static let shown = SubmitSight(state: .ready, composer: .text(SqueezedText(text)))

    @Test func `everything is refused before anything was seen`() async throws {
        let gate = AgentSubmitGate(clock: ManualClock())
        let decision = try await gate.decide(Submission(Self.text), after: .untyped, within: .zero)
        #expect(decision == .refuse(SubmitRefusal(.unknown, name: "nothing was seen yet")))
    }

    @Test func `what becomes ready within the limit is typed at that moment`() async throws {
        let clock = ManualClock()
        let gate = AgentSubmitGate(clock: clock)
        gate.update(SubmitSight(state: .working, composer: .empty))
        let asking = Task { try await gate.decide(Submission(Self.text), after: .untyped, within: .seconds(10)) }
        await clock.sleepers(1)
        gate.update(Self.ready)
        #expect(try await asking.value == .proceed)
    }

    @Test func `what does not become ready is refused at the limit`() async throws {
        let clock = ManualClock()
        let gate = AgentSubmitGate(clock: clock)
        gate.update(SubmitSight(state: .working, composer: .empty))
        let asking = Task { try await gate.decide(Submission(Self.text), after: .untyped, within: .seconds(10)) }
        await clock.sleepers(1)
        clock.advance(by: .seconds(10))
        #expect(try await asking.value == .refuse(SubmitRefusal(.working)))
    }

    @Test func `a dialog that comes up while it waits is refused by its name`() async throws {
        let clock = ManualClock()
        let gate = AgentSubmitGate(clock: clock)
        gate.update(SubmitSight(state: .starting, composer: .absent))
        let asking = Task { try await gate.decide(Submission(Self.text), after: .untyped, within: .seconds(10)) }
        await clock.sleepers(1)
        gate.update(SubmitSight(state: .dialog("trust"), composer: .absent))
        #expect(try await asking.value == .refuse(SubmitRefusal(.dialog, name: "trust")))
    }

    @Test func `a cancelled question is cancelled`() async throws {
        let clock = ManualClock()
        let gate = AgentSubmitGate(clock: clock)
        let asking = Task { try await gate.decide(Submission(Self.text), after: .untyped, within: .seconds(10)) }
        await clock.sleepers(1)
        asking.cancel()
        await #expect(throws: CancellationError.self) { try await asking.value }
    }

    @Test func `what was seen before Return is kept for the receipt, also after a refusal that was overridden`()
        async throws
    {
        let gate = AgentSubmitGate(clock: ManualClock())
        let submission = Submission(Self.text)
        var sight = SubmitSight(state: .unknown("x"), composer: .empty, busySigns: [.hook: .seconds(1)])
        gate.update(sight)
        #expect(
            try await gate.decide(submission, after: .typed, within: .zero)
                == .refuse(SubmitRefusal(.unknown, name: "x"))
        )
        // The hook's word is the same one as before Return.
        guard case .uncertain = try await gate.decide(submission, after: .pressed(1), within: .zero) else {
            Issue.record("a sign from before Return was taken for a receipt")
            return
        }
        let other = Submission(Self.text)
        _ = try await gate.decide(other, after: .typed, within: .zero)
        sight.busySigns[.hook] = .seconds(2)
        gate.update(sight)
        #expect(try await gate.decide(other, after: .pressed(1), within: .zero) == .submitted)
    }

    @Test func `a thousand submissions that are given up leave no more than a few behind`() async throws {
        let gate = AgentSubmitGate(clock: ManualClock())
        gate.update(Self.shown)
        for _ in 0..<1000 {
            #expect(try await gate.decide(Submission(Self.text), after: .typed, within: .zero) == .proceed)
        }
        #expect(gate.rememberedCount == 16)
    }
}

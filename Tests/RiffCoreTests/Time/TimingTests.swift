// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import TestSupport
import Testing

struct BusySignalTests {
    private let start = ManualClock.Instant()

    @Test func `a short wait never shows, a long one from 0.3 seconds on`() {
        var signal = BusySignal<ManualClock.Instant>()
        let deadline = signal.begin(at: start)
        #expect(deadline == start.advanced(by: .milliseconds(300)))
        signal.tick(at: start.advanced(by: .milliseconds(299)))
        #expect(!signal.isBusy)
        signal.end()
        signal.tick(at: start.advanced(by: .milliseconds(300)))
        #expect(!signal.isBusy)

        signal.begin(at: start)
        #expect(signal.begin(at: start.advanced(by: .milliseconds(200))) == deadline)
        signal.tick(at: start.advanced(by: .milliseconds(300)))
        #expect(signal.isBusy && signal.deadline == nil)
        #expect(signal.begin(at: start.advanced(by: .seconds(1))) == nil)
        signal.end()
        #expect(!signal.isBusy)
    }
}

struct ReconnectPolicyTests {
    @Test func `the waits are 1, 2, 4, 8, 15 seconds and then always 15`() {
        let waits = (1...8).map { ReconnectPolicy.standard.delay(beforeAttempt: $0) }
        #expect(waits == [1, 2, 4, 8, 15, 15, 15, 15].map { .seconds($0) })
        #expect(ReconnectPolicy.standard.delay(beforeAttempt: 0) == .seconds(1))
        #expect(ReconnectPolicy(delays: []).delay(beforeAttempt: 3) == .zero)
    }
}

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct ManualClockTests {
        @Test func `a sleep ends when the clock is there, and not before`() async throws {
            let clock = ManualClock()
            let task = Task { try await clock.sleep(for: .seconds(4)) }
            await clock.sleepers(1)
            clock.advance(by: .seconds(3))
            #expect(clock.sleeperCount == 1)
            #expect(clock.nextDeadline == ManualClock.Instant(offset: .seconds(4)))
            clock.advance(by: .seconds(1))
            try await task.value
            #expect(clock.sleeperCount == 0)
            #expect(clock.now.offset == .seconds(4))
            try await clock.sleep(for: .zero)
        }

        @Test func `a cancelled sleep throws, also when cancelled before it began`() async {
            let clock = ManualClock()
            let sleeping = Task { try await clock.sleep(for: .seconds(1)) }
            await clock.sleepers(1)
            sleeping.cancel()
            await #expect(throws: CancellationError.self) { try await sleeping.value }
            let early = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await clock.sleep(for: .seconds(1))
            }
            await #expect(throws: CancellationError.self) { try await early.value }
            #expect(clock.sleeperCount == 0)
        }

        @Test func `waiting for sleepers waits for all of them, and ends when cancelled`() async throws {
            let clock = ManualClock()
            let watcher = Task { await clock.sleepers(3) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for seconds in 1...3 { group.addTask { try await clock.sleep(for: .seconds(seconds)) } }
                await watcher.value
                #expect(clock.sleeperCount == 3)
                clock.advance(by: .seconds(3))
                try await group.waitForAll()
            }
            let cancelled = Task { await clock.sleepers(1) }
            cancelled.cancel()
            await cancelled.value
        }
    }
}

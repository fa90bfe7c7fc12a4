// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import TestSupport
import Testing

/// On one actor, whose tasks start in the order in which they are made: so it is known who came first.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct WriteTurnsTests {
    private struct Failed: Error {}

    private let turns = WriteTurns()
    private let clock = ManualClock()

    /// A writer that holds its turn for a second.
    private func writer(_ body: @escaping @MainActor @Sendable () -> Void = {}) -> Task<Void, any Error> {
        Task {
            try await turns.take {
                await body()
                try await clock.sleep(for: .seconds(1))
            }
        }
    }

    @Test func `writers go in one at a time, in the order in which they came`() async throws {
        let order = Noted()
        let writers = (0..<20).map { number in writer { order.note("\(number)") } }
        for number in 0..<20 {
            await clock.sleepers(1)
            #expect(order.all == (0...number).map(String.init))
            clock.advance(by: .seconds(1))
        }
        for writer in writers { try await writer.value }
    }

    // Waiting leaves the actor for a moment: a place that is taken only there is another one in 1 of 100 rounds.
    @Test func `they keep their order in each of fifty rounds`() async throws {
        for _ in 0..<50 {
            let order = Noted()
            let writers = (0..<20).map { number in
                Task {
                    try await turns.take {
                        await order.note("\(number)")
                        await Task.yield()
                    }
                }
            }
            for writer in writers { try await writer.value }
            let expected = (0..<20).map { "\($0)" }
            try #require(order.all == expected)
        }
    }

    @Test func `a writer that is cancelled while it waits writes nothing and holds nobody up`() async throws {
        let order = Noted()
        let first = writer { order.note("first") }
        let cancelled = writer { order.note("cancelled") }
        let last = writer { order.note("last") }
        await everybodyWaits()
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(order.all == ["first"])
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        try await first.value
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        try await last.value
        #expect(order.all == ["first", "last"])
    }

    @Test func `a task that is cancelled already does not wait for its turn`() async throws {
        let first = writer()
        await clock.sleepers(1)
        let second = writer { Issue.record("a cancelled task got a turn that was taken") }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        clock.advance(by: .seconds(1))
        try await first.value
    }

    @Test func `a turn that fails or is cancelled lets the next one in`() async throws {
        await #expect(throws: Failed.self) { try await turns.take { throw Failed() } }
        let sleeping = writer()
        let next = Task { try await turns.take {} }
        await clock.sleepers(1)
        await everybodyWaits()
        sleeping.cancel()
        await #expect(throws: CancellationError.self) { try await sleeping.value }
        try await next.value
    }

    @Test func `two hundred writers of which half are cancelled leave the turn free`() async throws {
        let order = Noted()
        let writers = (0..<200).map { number in
            Task {
                try await turns.take {
                    await order.note("in")
                    await Task.yield()
                    await order.note("out")
                }
            }
        }
        for number in stride(from: 0, to: 200, by: 2) { writers[number].cancel() }
        for number in stride(from: 1, to: 200, by: 2) { try await writers[number].value }
        for number in stride(from: 0, to: 200, by: 2) { _ = await writers[number].result }
        #expect(order.all.count >= 200)
        #expect(order.all == (0..<order.all.count).map { $0.isMultiple(of: 2) ? "in" : "out" })
        try await turns.take {}
    }
}

/// What happened, in order.
@MainActor
final class Noted {
    private(set) var all: [String] = []

    func note(_ what: String) { all.append(what) }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Synchronization
import TestSupport
import Testing

/// A queue as its users write it.
private final class Queue: Sendable {
    struct State {
        var items: [Int] = []
        var isClosed = false
        var waiting = WaitList()
    }

    let state = Mutex(State())
    var hasWaiting: Bool { state.withLock { !$0.waiting.isEmpty } }

    func put(_ item: Int) {
        state.withLock { state in
            state.items.append(item)
            return state.waiting.take()
        }.wake()
    }

    func close() {
        state.withLock { state in
            state.isClosed = true
            return state.waiting.take()
        }.wake()
    }

    func next() async throws -> Int {
        try await state.wait(in: \.waiting) { state in
            if !state.items.isEmpty { return state.items.removeFirst() }
            if state.isClosed { throw QueueEnded() }
            return nil
        }
    }
}

private struct QueueEnded: Error {}

@Suite(.timeLimit(.minutes(5)))
struct WaitListTests {
    @Test func `what is there is had at once, by a task that nobody cancelled`() async throws {
        let queue = Queue()
        queue.put(1)
        #expect(try await queue.next() == 1)
        #expect(!queue.hasWaiting)
        queue.put(2)
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await queue.next()
        }
        await #expect(throws: CancellationError.self) { try await cancelled.value }
        #expect(try await queue.next() == 2)
    }

    @Test func `a task waits until the state is as it wants, whatever else changes in between`() async throws {
        let queue = Queue()
        let task = Task { try await queue.next() }
        try await waitUntil { queue.hasWaiting }
        // Woken for nothing, it waits again.
        queue.state.withLock { $0.waiting.take() }.wake()
        try await waitUntil { queue.hasWaiting }
        queue.put(7)
        #expect(try await task.value == 7)
    }

    @Test func `all that wait are woken, each gets one, and an end ends the rest`() async throws {
        let queue = Queue()
        let results = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<200 { group.addTask { try? await queue.next() } }
            for item in 0..<150 { queue.put(item) }
            try await waitUntil { queue.state.withLock { $0.items.isEmpty } }
            queue.close()
            return try await group.reduce(into: [Int?]()) { $0.append($1) }
        }
        #expect(results.compactMap(\.self).sorted() == Array(0..<150))
        #expect(results.count { $0 == nil } == 50)
        #expect(!queue.hasWaiting)
    }

    @Test func `a cancelled task leaves the list, and takes nothing with it`() async throws {
        let queue = Queue()
        let tasks = (0..<3).map { _ in Task { try await queue.next() } }
        try await waitUntil { queue.hasWaiting }
        for task in tasks { task.cancel() }
        for task in tasks { await #expect(throws: CancellationError.self) { try await task.value } }
        #expect(!queue.hasWaiting)
        queue.put(1)
        #expect(try await queue.next() == 1)
    }

    @Test func `cancelling and waking at the same time loses nothing and blocks nobody`() async throws {
        for round in 0..<2_000 {
            let queue = Queue()
            let (first, second) = (Task { try await queue.next() }, Task { try await queue.next() })
            await withTaskGroup(of: Void.self) { group in
                group.addTask { first.cancel() }
                group.addTask { queue.put(round) }
            }
            // Whoever was not cancelled has it, or it is still there for who comes.
            let had = try? await first.value
            if had == nil { #expect(try await second.value == round) }
            queue.close()
            if had != nil { await #expect(throws: QueueEnded.self) { try await second.value } }
            #expect(!queue.hasWaiting)
        }
    }

    @Test func `a wait that must not end early goes on when its task is cancelled`() async throws {
        let queue = Queue()
        let task = Task { await queue.state.waitEvenIfCancelled(in: \.waiting) { !$0.isClosed } }
        try await waitUntil { queue.hasWaiting }
        task.cancel()
        queue.put(1)
        try await waitUntil { queue.hasWaiting }
        queue.close()
        await task.value
    }
}

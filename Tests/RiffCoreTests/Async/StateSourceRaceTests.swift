// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import Synchronization
import TestSupport
import Testing

// Nothing here waits for time: the limit is for what stands still, and far from what a busy machine needs.
@Suite(.timeLimit(.minutes(10)))
struct StateSourceRaceTests {
    @Test func `what several change at once comes in one order, and ends with what is there`() async {
        let source = StateSource(0)
        let numbers = Numbers()
        let readers = (0..<4).map { _ in
            let updates = source.updates()
            return Task { await updates.reduce(into: []) { $0.append($1) } }
        }
        await withTaskGroup { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<500 {
                        numbers.next { source.update($0) }
                        await Task.yield()
                    }
                }
            }
        }
        source.finish()
        for reader in readers {
            let seen = await reader.value
            #expect(seen == seen.sorted() && seen.last == 2000)
        }
    }

    /// Waking a reader up and cancelling it need the same lock of its task; where either held the source's meanwhile,
    /// both stood still for good.
    @Test func `readers may be cancelled while they are told`() async {
        let source = StateSource(0)
        let numbers = Numbers()
        let writer = Task.detached {
            var number = 0
            while !numbers.isOver {
                number += 1
                source.update(number)
                if number.isMultiple(of: 16) { await Task.yield() }
            }
            return number
        }
        for round in 0..<1000 {
            let reader = Task.detached { for await _ in source.updates() {} }
            if round.isMultiple(of: 3) { await Task.yield() }
            reader.cancel()
            await reader.value
        }
        numbers.end()
        #expect(await writer.value == source.current)
    }
}

private final class Numbers: Sendable {
    private let last = Mutex(0)
    private let over = Atomic(false)

    var isOver: Bool { over.load(ordering: .relaxed) }

    func end() { over.store(true, ordering: .relaxed) }

    func next(_ body: (Int) -> Void) {
        last.withLock { last in
            last += 1
            body(last)
        }
    }
}

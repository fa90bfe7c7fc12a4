// Riff
// SPDX-License-Identifier: Apache-2.0

import Observation
import RiffCore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ObservedTests {
    @MainActor
    @Test func `a view is told of each state, and the last one stays`() async throws {
        let source = StateSource(0)
        let observed = Observed(source.current)
        let changes = Mutex(0)
        withObservationTracking {
            _ = observed.state
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        let updates = source.updates()
        for state in 1...3 { source.update(state) }
        source.finish()
        await observed.follow(updates)
        #expect(observed.state == 3)
        #expect(changes.withLock { $0 } == 1)
    }

    @MainActor
    @Test func `a sequence that fails tells so, and one that is cancelled ends`() async throws {
        struct Failure: Error {}
        let observed = Observed(0)
        let failing = AsyncThrowingStream<Int, any Error> { continuation in
            continuation.yield(1)
            continuation.finish(throwing: Failure())
        }
        await #expect(throws: Failure.self) { try await observed.follow(failing) }
        #expect(observed.state == 1)

        let source = StateSource(2)
        let following = Task { @MainActor in await observed.follow(source.updates()) }
        following.cancel()
        await following.value
        source.update(3)
        #expect(observed.state != 3)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct StateSourceTests {
    @Test func `each reader gets the state as it is, then each change`() async {
        let source = StateSource("a")
        let early = source.updates()
        source.update("b")
        let late = source.updates()
        source.update("c")
        source.finish()
        source.update("d")
        #expect(await early.reduce(into: []) { $0.append($1) } == ["a", "b", "c"])
        #expect(await late.reduce(into: []) { $0.append($1) } == ["b", "c"])
        #expect(await source.updates().reduce(into: []) { $0.append($1) } == ["c"])
        #expect(source.current == "c")
    }

    @Test func `a reader that falls behind loses the oldest, never the newest`() async {
        let source = StateSource(0)
        let updates = source.updates()
        for state in 1...100 { source.update(state) }
        source.finish()
        let read = await updates.reduce(into: []) { $0.append($1) }
        #expect(read == Array(37...100))
    }
}

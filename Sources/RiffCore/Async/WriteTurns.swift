// Riff
// SPDX-License-Identifier: Apache-2.0

internal import DequeModule
internal import Synchronization

/// Lets writers in one after another, in the order in which they came: a text and its Return stay together. The same
/// for commands to a server, of which each is to see what the one before did.
package final class WriteTurns: Sendable {
    private struct State {
        var isTaken = false
        var waiting = Deque<EventualValue<Void>>()
    }

    private let state = Mutex(State())

    package init() {}

    /// Waits for the turn, runs the body, and lets the next one in.
    ///
    /// - Returns: What the body returns.
    /// - Throws: What the body throws; `CancellationError` when cancelled while waiting, and then the body did not run.
    package func take<Result: Sendable>(_ body: @Sendable () async throws -> Result) async throws -> Result {
        try await wait(for: reserve())
        defer { leave() }
        return try await body()
    }

    /// A place among the writers, which is either waited for with ``wait(for:)`` or its writer's turn already; its
    /// writer must then ``leave()``.
    package struct Place: Sendable {
        fileprivate let turn: EventualValue<Void>?
        /// Whether the turn has come without a wait.
        package var isTurn: Bool { turn == nil }
    }

    /// Takes a place at once: what waits for a continuation may leave the caller's actor first, and those who come one
    /// after another would wait in another order.
    package func reserve() -> Place {
        state.withLock { state in
            guard state.isTaken else {
                state.isTaken = true
                return Place(turn: nil)
            }
            let turn = EventualValue<Void>()
            state.waiting.append(turn)
            return Place(turn: turn)
        }
    }

    /// Waits until the turn of a place has come.
    ///
    /// - Throws: `CancellationError` when cancelled before; the place is given up then.
    package func wait(for place: Place) async throws {
        guard let turn = place.turn else { return }
        do { try await turn.cancellableValue() } catch {
            let wasWaiting = state.withLock { state in
                state.waiting.firstIndex { $0 === turn }.map { state.waiting.remove(at: $0) } != nil
            }
            // Its turn had come in the same moment.
            if !wasWaiting { leave() }
            throw error
        }
    }

    /// Lets the next one in.
    package func leave() {
        let next = state.withLock { state in
            let next = state.waiting.popFirst()
            state.isTaken = next != nil
            return next
        }
        next?.resolve(())
    }
}

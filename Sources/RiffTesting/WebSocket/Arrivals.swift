// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

/// The elements that have come and were not taken yet, for a test that waits for them. Unlike an `AsyncStream` it
/// continues after a task that waited was cancelled. It grows with what a test does not take.
final class Arrivals<Element: Sendable>: Sendable {
    private struct State {
        var elements: [Element] = []
        var waiters = WaitList()
    }

    private let state = Mutex(State())

    func add(_ element: Element) {
        let waiters = state.withLock { state in
            state.elements.append(element)
            return state.waiters.take()
        }
        waiters.wake()
    }

    /// Takes the oldest one, and waits for it.
    func next() async throws -> Element {
        try await state.wait(in: \.waiters) { $0.elements.isEmpty ? nil : $0.elements.removeFirst() }
    }
}

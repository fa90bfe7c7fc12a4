// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A gate that lets every caller through at once, except while one caller holds it closed.
package final class PassingGate: Sendable {
    private let closed = Mutex<EventualValue<Void>?>(nil)
    /// The same as a flag, for those who look before each key.
    private let isClosed = Atomic(false)

    package init() {}

    /// Whether callers pass at this moment without waiting.
    package var isOpen: Bool { !isClosed.load(ordering: .acquiring) }

    /// Waits while it is closed; `CancellationError` where the task was cancelled meanwhile.
    package func pass() async throws {
        if isOpen { return }
        while let opening = closed.withLock(\.self) { try await opening.cancellableValue() }
    }

    /// Runs the body with the gate closed, for at most the time limit; callers that arrive meanwhile wait. One body at
    /// a time.
    package func hold<Result>(
        within limit: Duration,
        clock: any Clock<Duration>,
        _ body: () async throws -> Result
    ) async throws -> Result {
        let opening = EventualValue<Void>()
        closed.withLock { closed in
            closed = opening
            isClosed.store(true, ordering: .releasing)
        }
        let timer = Task {
            // Cancelled when the body has ended, and that opens it as well.
            try? await clock.sleep(for: limit)
            self.open(opening)
        }
        defer {
            timer.cancel()
            open(opening)
        }
        return try await body()
    }

    private func open(_ opening: EventualValue<Void>) {
        closed.withLock { closed in
            guard closed === opening else { return }
            closed = nil
            isClosed.store(false, ordering: .releasing)
        }
        opening.resolve(())
    }
}

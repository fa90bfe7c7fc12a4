// Riff
// SPDX-License-Identifier: Apache-2.0

public import Observation

/// Makes any sequence of states bindable in a user interface: follow it in a task, read ``state`` in a view.
@MainActor
@Observable
public final class Observed<State: Sendable> {
    /// The newest state.
    public private(set) var state: State

    /// Starts with a state.
    public init(_ initial: State) { state = initial }

    /// Takes over every state of a sequence until it ends or the task is cancelled.
    ///
    /// - Parameter updates: The states, such as those of a ``StateSource``.
    /// - Throws: What the sequence throws.
    public func follow<Updates: AsyncSequence>(_ updates: Updates) async throws(Updates.Failure)
    where Updates.Element == State {
        var iterator = updates.makeAsyncIterator()
        while let next = try await iterator.next(isolation: MainActor.shared) { state = next }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import Synchronization

// sample: session: TerminalSession, observer: AgentObserver
/// A gate that lets a prompt into an agent only while its state is proved to take one, and that knows by the agent's
/// own word whether it was taken.
///
/// ```swift
/// let gate = AgentSubmitGate()
/// session.setSubmitGate(gate)
/// gate.update(observer)               // after each change of the observer
/// let result = try await session.submit("explain this repository")
/// ```
///
/// A draft that stands in the composer is neither submitted nor typed over. Before the first ``update(_:)`` everything
/// is refused.
public final class AgentSubmitGate: SubmitGate {
    /// The most submissions that are remembered; a session has one under way, and those that were refused.
    private static let limit = 16

    private let source = NewestStateSource(SubmitSight.nothing)
    private let machines = Mutex<[(id: UInt64, machine: SubmitMachine)]>([])
    private let clock: any Clock<Duration>

    /// How many submissions are remembered.
    package var rememberedCount: Int { machines.withLock(\.count) }

    /// Creates a gate that has seen nothing.
    ///
    /// - Parameter clock: Measures how long it waits for an agent.
    public init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

    /// Takes what an observer of the session's agent has seen. To be called after each
    /// ``AgentObserver/advance(to:)``; calls that change nothing cost little.
    public func update(_ observer: AgentObserver) { update(observer.submitSight) }

    package func update(_ sight: SubmitSight) {
        source.modify { known in
            guard known != sight else { return false }
            known = sight
            return true
        }
    }

    /// Decides about the next write of a submission, by what was seen last and what is seen until the limit.
    ///
    /// - Returns: The decision.
    /// - Throws: `CancellationError`.
    public func decide(
        _ submission: Submission,
        after step: SubmitStep,
        within limit: Duration
    ) async throws -> SubmitDecision {
        try Task.checkCancellation()
        if let decision = decide(submission, after: step, isLast: limit <= .zero) { return decision }
        do {
            return try await withDeadline(limit, clock: clock) {
                for await _ in self.source.updates() {
                    if let decision = self.decide(submission, after: step, isLast: false) { return decision }
                }
                throw CancellationError()
            }
        } catch is DeadlineExceeded {
            guard let decision = decide(submission, after: step, isLast: true) else { throw CancellationError() }
            return decision
        }
    }

    private func decide(_ submission: Submission, after step: SubmitStep, isLast: Bool) -> SubmitDecision? {
        let sight = source.current
        return machines.withLock { machines in
            let place = machines.firstIndex { $0.id == submission.id }
            var machine = place.map { machines.remove(at: $0).machine } ?? SubmitMachine(submission.text)
            let decision = machine.decide(after: step, seeing: sight, isLast: isLast)
            var isOver = false
            if case .pressed = step { isOver = decision != nil && decision != .proceed }
            if !isOver { machines.append((submission.id, machine)) }
            if machines.count > Self.limit { machines.removeFirst() }
            return decision
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// The rules of a view of a home's health.
public struct HealthMachine: HomeMachine {
    /// What happens.
    public enum Event: Sendable {
        /// Look, first or again.
        case check
        /// This was found.
        case found(HomeHealth)
        /// The host did not answer.
        case failed(ShownProblem)
    }

    /// What is to be done.
    public enum Effect: Sendable, Equatable {
        /// Look.
        case look
    }

    /// What is shown.
    public struct Snapshot: Sendable, Equatable {
        /// What was found last.
        public var health: HomeHealth?
        /// What is well now and was not when it was looked at before, and the other way round.
        public var changed: Set<HealthFinding.Subject> = []
        /// Whether it is being looked at.
        public var isChecking = false
        /// Why the host did not answer.
        public var problem: ShownProblem?
    }

    /// What is shown now.
    public private(set) var snapshot = Snapshot()

    /// A view of nothing yet.
    public init() {}

    /// Takes an event.
    public mutating func take(_ event: Event) -> [Effect] {
        switch event {
        case .check:
            guard !snapshot.isChecking else { return [] }
            snapshot.isChecking = true
            return [.look]
        case .found(let health):
            let before = Dictionary((snapshot.health?.findings ?? []).map { ($0.id, $0.state) }) { first, _ in first }
            let changes = health.findings.filter { finding in before[finding.id].map { $0 != finding.state } ?? false }
            snapshot = Snapshot(health: health, changed: Set(changes.map(\.id)))
        case .failed(let problem):
            snapshot.isChecking = false
            snapshot.problem = problem
        }
        return []
    }
}

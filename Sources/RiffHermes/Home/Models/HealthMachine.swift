// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The rules of a view of a home's health.
public struct HealthMachine: HomeMachine {
    /// An input of the machine.
    public enum Event: Sendable {
        /// Look, first or again.
        case check
        /// This was found.
        case found(HomeHealth)
        /// The host did not answer.
        case failed(Problem)
    }

    /// An output of the machine.
    public enum Effect: Sendable, Equatable {
        /// Look.
        case look
    }

    /// The state that a view shows.
    public struct Snapshot: Sendable, Equatable {
        /// The newest findings.
        package var health: HomeHealth?
        /// The subjects whose state differs from the look before.
        package var changed: Set<HealthFinding.Subject> = []
        /// Whether it is being looked at.
        package var isChecking = false
        /// Why the host did not answer.
        package var problem: Problem?
    }

    /// The current state.
    public private(set) var snapshot = Snapshot()

    /// Creates a machine that has found nothing yet.
    package init() {}

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

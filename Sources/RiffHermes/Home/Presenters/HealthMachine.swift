// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The rules of a view of a home's health.
package struct HealthMachine: HomeMachine {
    /// An input of the machine.
    package enum Event: Sendable {
        /// Look, first or again.
        case check
        /// This was found.
        case found(HomeHealth)
        /// The host did not answer.
        case failed(Problem)
    }

    /// An output of the machine.
    package enum Effect: Sendable, Equatable {
        /// Look at the home.
        case look
    }

    package private(set) var answer = HermesAnswer<Never, HomeHealth>()

    package init() {}

    package static var refreshed: Event? { .check }

    package func accepts(_ event: Event) -> Bool {
        if case .check = event { !answer.isLoading } else { true }
    }

    package static func replaces(_ event: Event, _ earlier: Event) -> Bool {
        if case (.check, .check) = (event, earlier) { true } else { false }
    }

    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .check:
            guard !answer.isLoading else { return [] }
            answer.isLoading = true
            return [.look]
        case .found(let health):
            answer = HermesAnswer(value: health.compared(with: answer.value))
        case .failed(let problem):
            answer.isLoading = false
            answer.problem = problem
        }
        return []
    }
}

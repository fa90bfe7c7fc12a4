// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The rules of the settings: what the configuration has, and values on their way.
package struct SettingsMachine: HomeMachine {
    /// What happens.
    package enum Event: Sendable {
        /// Read the configuration, first or again.
        case load
        /// The person sets a value, by its dotted path; `nil` takes it out.
        case set(String, String?)
        /// The configuration was read.
        case loaded(HermesConfig)
        /// A value was set.
        case wasSet(String)
        /// It did not work (for the value at that path).
        case failed(Problem, key: String? = nil)
    }

    /// What is to be done.
    package enum Effect: Sendable, Equatable {
        /// Read the configuration.
        case read
        /// Set a value; `nil` takes it out.
        case set(String, String?)
    }

    package private(set) var answer = HermesAnswer<Never, HermesConfig>()
    /// Whether a value was set since the reading that is under way began.
    private var isOutdated = false

    package init() {}

    package static var refreshed: Event? { .load }

    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .load:
            guard !answer.isLoading else { return [] }
            answer.isLoading = true
            return [.read]
        case .set(let key, let value):
            guard answer.busy.insert(key).inserted else { return [] }
            return [.set(key, value)]
        case .loaded(let config):
            answer.value = config
            answer.problem = nil
            return endLoading()
        case .wasSet(let key):
            answer.busy.remove(key)
            isOutdated = answer.isLoading
            return handle(.load)
        case .failed(let problem, let key):
            answer.problem = problem
            if let key { answer.busy.remove(key) } else { return endLoading() }
        }
        return []
    }

    private mutating func endLoading() -> [Effect] {
        answer.isLoading = isOutdated
        isOutdated = false
        return answer.isLoading ? [.read] : []
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The rules of the settings: what the configuration has, and values on their way.
package struct SettingsMachine: HomeMachine {
    /// An event of the settings' view.
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
    private var problems = HomeProblems() {
        didSet { answer.problem = problems.shown }
    }

    package init() {}

    package static var refreshed: Event? { .load }

    package func accepts(_ event: Event) -> Bool {
        switch event {
        case .load: !answer.isLoading
        case .set(let key, _): !answer.busy.contains(key)
        case .loaded, .wasSet, .failed: true
        }
    }

    package static func replaces(_ event: Event, _ earlier: Event) -> Bool {
        switch (event, earlier) {
        case (.load, .load): true
        case (.set(let new, _), .set(let old, _)): new == old
        default: false
        }
    }

    package mutating func note(_ event: Event) {
        switch event {
        case .load, .set: problems.command = nil
        case .loaded, .wasSet, .failed: break
        }
    }

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
            problems.reading = nil
            return endLoading()
        case .wasSet(let key):
            answer.busy.remove(key)
            isOutdated = answer.isLoading
            return handle(.load)
        case .failed(let problem, let key):
            guard let key else {
                problems.reading = problem
                return endLoading()
            }
            problems.command = problem
            answer.busy.remove(key)
        }
        return []
    }

    private mutating func endLoading() -> [Effect] {
        answer.isLoading = isOutdated
        isOutdated = false
        return answer.isLoading ? [.read] : []
    }
}

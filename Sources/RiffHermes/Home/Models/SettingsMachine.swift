// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The rules of the settings: what the configuration has, and values on their way.
public struct SettingsMachine: HomeMachine {
    /// What happens.
    public enum Event: Sendable {
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
    public enum Effect: Sendable, Equatable {
        /// Read the configuration.
        case read
        /// Set a value; `nil` takes it out.
        case set(String, String?)
    }

    /// What is shown.
    public struct Snapshot: Sendable, Equatable {
        /// The configuration as it was read last; the file is the truth.
        package var config: HermesConfig?
        /// Paths of values that are on their way.
        package var busy: Set<String> = []
        /// Whether it is being read.
        package var isLoading = false
        /// What did not work last.
        package var problem: Problem?
    }

    /// What is shown now.
    public private(set) var snapshot = Snapshot()
    /// Whether a value was set since the reading that is under way began.
    private var isOutdated = false

    /// Settings that were not read yet.
    package init() {}

    /// Takes an event.
    public mutating func take(_ event: Event) -> [Effect] {
        switch event {
        case .load:
            guard !snapshot.isLoading else { return [] }
            snapshot.isLoading = true
            return [.read]
        case .set(let key, let value):
            guard snapshot.busy.insert(key).inserted else { return [] }
            return [.set(key, value)]
        case .loaded(let config):
            snapshot.config = config
            snapshot.problem = nil
            return endLoading()
        case .wasSet(let key):
            snapshot.busy.remove(key)
            isOutdated = snapshot.isLoading
            return take(.load)
        case .failed(let problem, let key):
            snapshot.problem = problem
            if let key { snapshot.busy.remove(key) } else { return endLoading() }
        }
        return []
    }

    private mutating func endLoading() -> [Effect] {
        snapshot.isLoading = isOutdated
        isOutdated = false
        return snapshot.isLoading ? [.read] : []
    }
}

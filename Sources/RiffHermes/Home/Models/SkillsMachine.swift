// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The rules of a list of skills: found by a text, in categories, and what changed since it was read last.
public struct SkillsMachine: HomeMachine {
    /// What happens.
    public enum Event: Sendable {
        /// Read the skills, first or again.
        case load
        /// The person looks for a text.
        case search(String)
        /// The person installs a skill.
        case install(String, category: String? = nil)
        /// The skills were read.
        case loaded([Skill])
        /// A skill was installed.
        case installed
        /// It did not work.
        case failed(Problem)
    }

    /// What is to be done.
    public enum Effect: Sendable, Equatable {
        /// Read the skills.
        case list
        /// Install a skill.
        case install(String, category: String?)
    }

    /// What is shown.
    public struct Snapshot: Sendable, Equatable {
        /// The skills that have the text, by category; those without one first, under the empty name.
        public var categories: [Category] = []
        /// The text that is looked for.
        public var search = ""
        /// "2 new, 4 updated", after a second reading.
        public var news: String?
        /// Whether something is under way.
        public var isBusy = false
        /// What did not work last.
        public var problem: Problem?
    }

    /// Skills of one category.
    public struct Category: Sendable, Hashable, Identifiable {
        /// The category; empty for none.
        public let id: String
        /// The skills, by name.
        public let skills: [Skill]
    }

    /// What is shown now.
    public private(set) var snapshot = Snapshot()
    private var skills: [Skill]?

    /// An empty list.
    package init() {}

    /// Takes an event.
    public mutating func take(_ event: Event) -> [Effect] {
        switch event {
        case .load:
            guard !snapshot.isBusy else { return [] }
            snapshot.isBusy = true
            return [.list]
        case .search(let text):
            snapshot.search = text
            show()
        case .install(let identifier, let category):
            guard !snapshot.isBusy else { return [] }
            snapshot.isBusy = true
            return [.install(identifier, category: category)]
        case .loaded(let new):
            snapshot.isBusy = false
            snapshot.problem = nil
            snapshot.news = skills.flatMap { SkillDifference(from: $0, to: new).words }
            skills = new
            show()
        case .installed:
            return [.list]
        case .failed(let problem):
            snapshot.isBusy = false
            snapshot.problem = problem
        }
        return []
    }

    private mutating func show() {
        let wanted = snapshot.search.lowercased()
        let found = (skills ?? []).filter { skill in
            wanted.isEmpty || [skill.id, skill.name, skill.summary ?? ""].contains { $0.lowercased().contains(wanted) }
        }
        snapshot.categories = Dictionary(grouping: found) { $0.category ?? "" }
            .map { Category(id: $0.key, skills: $0.value.sorted { ($0.name, $0.id) < ($1.name, $1.id) }) }
            .sorted { $0.id < $1.id }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The rules of a list of skills: found by a text, in categories, and what changed since it was read last.
package struct SkillsMachine: HomeMachine {
    /// An event of the skills' view.
    package enum Event: Sendable {
        /// Read the skills, first or again.
        case load
        /// The person looks for a text.
        case search(String)
        /// The person installs a skill.
        case install(String, category: String? = nil)
        /// The person removes a skill that was installed, by its name.
        case uninstall(String)
        /// The skills were read.
        case loaded([SkillFolder.Skill])
        /// A skill was installed, or removed.
        case installed
        /// It did not work.
        case failed(Problem)
    }

    /// What is to be done.
    package enum Effect: Sendable, Equatable {
        /// Read the skills.
        case list
        /// Install a skill.
        case install(String, category: String?)
        /// Remove a skill.
        case uninstall(String)
    }

    package private(set) var answer = HermesAnswer<String, SkillFolder.Listing>()
    private var skills: [SkillFolder.Skill]?
    private var news: String?
    /// Whether what is at work is a command.
    private var isInstalling = false
    private var problems = HomeProblems() {
        didSet { answer.problem = problems.shown }
    }

    package init() {}

    package static func asked(_ text: String) -> Event { .search(text) }
    package static var refreshed: Event? { .load }

    package func accepts(_ event: Event) -> Bool {
        switch event {
        case .load, .install, .uninstall: !answer.isLoading
        case .search, .loaded, .installed, .failed: true
        }
    }

    package static func replaces(_ event: Event, _ earlier: Event) -> Bool {
        if case (.load, .load) = (event, earlier) { true } else { false }
    }

    package mutating func note(_ event: Event) {
        switch event {
        case .load, .install, .uninstall: problems.command = nil
        case .search, .loaded, .installed, .failed: break
        }
    }

    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .load:
            guard !answer.isLoading else { return [] }
            answer.isLoading = true
            return [.list]
        case .search(let text):
            answer.question = text
            show()
        case .install(let identifier, let category):
            guard !answer.isLoading else { return [] }
            answer.isLoading = true
            isInstalling = true
            return [.install(identifier, category: category)]
        case .uninstall(let name):
            guard !answer.isLoading else { return [] }
            answer.isLoading = true
            isInstalling = true
            return [.uninstall(name)]
        case .loaded(let new):
            answer.isLoading = false
            problems.reading = nil
            news = skills.flatMap { SkillDifference(from: $0, to: new).words }
            skills = new
            show()
        case .installed:
            isInstalling = false
            return [.list]
        case .failed(let problem):
            answer.isLoading = false
            if isInstalling { problems.command = problem } else { problems.reading = problem }
            isInstalling = false
        }
        return []
    }

    private mutating func show() {
        guard let skills else { return }
        let wanted = answer.question?.lowercased() ?? ""
        let found = skills.filter { skill in
            wanted.isEmpty || [skill.id, skill.name, skill.summary ?? ""].contains { $0.lowercased().contains(wanted) }
        }
        let categories = Dictionary(grouping: found) { $0.category ?? "" }
            .map { ($0.key, $0.value.sorted { ($0.name, $0.id) < ($1.name, $1.id) }) }
            .map { SkillFolder.Category(id: $0.0, skills: $0.1) }
        answer.value = SkillFolder.Listing(categories: categories.sorted { $0.id < $1.id }, news: news)
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The rules of a list of projects in groups, with those put away apart.
package struct ProjectsMachine: HomeMachine {
    /// An event of the projects' view.
    package enum Event: Sendable {
        /// Read the projects, first or again.
        case load
        /// The person wants to see some of the projects.
        case filter(ProjectRegistry.Filter)
        /// The person puts a project away, or takes it out again.
        case archive(String, Bool)
        /// The person gives a project another name.
        case rename(String, to: String)
        /// The person moves a project to a group; `nil` is none.
        case move(String, to: String?)
        /// The person takes a project out of the list.
        case remove(String)
        /// The projects are so.
        case loaded(ProjectRegistry.Snapshot)
        /// It did not work.
        case failed(Problem)
    }

    /// What is to be done.
    package enum Effect: Sendable, Equatable {
        /// Read the projects.
        case read
        /// Change a project.
        case change(String, name: String?, group: Patch<String>, isArchived: Bool?, since: ProjectRegistry.Snapshot)
        /// Take a project out.
        case remove(String, since: ProjectRegistry.Snapshot)
    }

    package private(set) var answer = HermesAnswer<ProjectRegistry.Filter, [ProjectRegistry.Group]>()
    private var registry: ProjectRegistry.Snapshot?
    /// Whether what is at work is a command.
    private var isChanging = false
    private var problems = HomeProblems() {
        didSet { answer.problem = problems.shown }
    }

    package init() {}

    package static func asked(_ filter: ProjectRegistry.Filter) -> Event { .filter(filter) }
    package static var refreshed: Event? { .load }

    package func accepts(_ event: Event) -> Bool {
        switch event {
        case .load, .archive, .rename, .move, .remove: !answer.isLoading
        case .filter, .loaded, .failed: true
        }
    }

    package static func replaces(_ event: Event, _ earlier: Event) -> Bool {
        if case (.load, .load) = (event, earlier) { true } else { false }
    }

    package mutating func note(_ event: Event) {
        switch event {
        case .load, .archive, .rename, .move, .remove: problems.command = nil
        case .filter, .loaded, .failed: break
        }
    }

    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .load:
            guard !answer.isLoading else { return [] }
            answer.isLoading = true
            return [.read]
        case .filter(let filter):
            answer.question = filter
            show()
            return []
        case .archive(let name, let isArchived):
            return change { .change(name, name: nil, group: .keep, isArchived: isArchived, since: $0) }
        case .rename(let name, let new):
            return change { .change(name, name: new, group: .keep, isArchived: nil, since: $0) }
        case .move(let name, let group):
            let patch: Patch<String> = group.map { .set($0) } ?? .clear
            return change { .change(name, name: nil, group: patch, isArchived: nil, since: $0) }
        case .remove(let name): return change { .remove(name, since: $0) }
        case .loaded(let new):
            registry = new
            answer.isLoading = false
            isChanging = false
            problems.reading = nil
            show()
            return []
        case .failed(let problem):
            let wasChanging = isChanging
            isChanging = false
            if wasChanging { problems.command = problem } else { problems.reading = problem }
            // What is shown is out of date then.
            answer.isLoading = wasChanging && problem.isConflict
            return answer.isLoading ? [.read] : []
        }
    }

    private mutating func change(_ effect: (ProjectRegistry.Snapshot) -> Effect) -> [Effect] {
        guard let registry, !answer.isLoading else { return [] }
        answer.isLoading = true
        isChanging = true
        return [effect(registry)]
    }

    private mutating func show() {
        guard let registry else { return }
        let shown = registry.projects.filter { answer.question == .all || !$0.isArchived }
        answer.value = Dictionary(grouping: shown) { $0.group ?? "" }
            .map { ProjectRegistry.Group(id: $0.key, projects: $0.value) }.sorted { $0.id < $1.id }
    }
}

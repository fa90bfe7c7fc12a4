// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The rules of a list of projects in groups, with those put away apart.
public struct ProjectsMachine: HomeMachine {
    /// What happens.
    public enum Event: Sendable {
        /// Read the projects, first or again.
        case load
        /// The person wants to see those put away as well.
        case showArchived(Bool)
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
    public enum Effect: Sendable, Equatable {
        /// Read the projects.
        case read
        /// Change a project.
        case change(String, name: String?, group: Patch<String>, isArchived: Bool?, since: ProjectRegistry.Snapshot)
        /// Take a project out.
        case remove(String, since: ProjectRegistry.Snapshot)
    }

    /// What is shown.
    public struct Snapshot: Sendable, Equatable {
        /// The projects by group; those in none first, under the empty name.
        package var groups: [Group] = []
        /// Whether those put away are among them.
        package var showsArchived = false
        /// Whether something is under way.
        package var isBusy = false
        /// What did not work last.
        package var problem: Problem?
    }

    /// Projects of one group.
    package struct Group: Sendable, Hashable, Identifiable {
        /// The group; empty for none.
        package let id: String
        /// The projects, in the registry's order.
        package let projects: [Project]
    }

    /// What is shown now.
    public private(set) var snapshot = Snapshot()
    private var registry: ProjectRegistry.Snapshot?

    /// An empty list.
    package init() {}

    /// Takes an event.
    public mutating func take(_ event: Event) -> [Effect] {
        switch event {
        case .load: return begin { _ in .read }
        case .showArchived(let shows):
            snapshot.showsArchived = shows
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
            snapshot.isBusy = false
            snapshot.problem = nil
            show()
            return []
        case .failed(let problem):
            snapshot.problem = problem
            guard problem.isConflict else {
                snapshot.isBusy = false
                return []
            }
            return [.read]
        }
    }

    private mutating func begin(_ effect: (ProjectRegistry.Snapshot?) -> Effect) -> [Effect] {
        guard !snapshot.isBusy else { return [] }
        snapshot.isBusy = true
        return [effect(registry)]
    }

    private mutating func change(_ effect: (ProjectRegistry.Snapshot) -> Effect) -> [Effect] {
        guard let registry else { return [] }
        return begin { _ in effect(registry) }
    }

    private mutating func show() {
        let shown = (registry?.projects ?? []).filter { snapshot.showsArchived || !$0.isArchived }
        snapshot.groups = Dictionary(grouping: shown) { $0.group ?? "" }
            .map { Group(id: $0.key, projects: $0.value) }.sorted { $0.id < $1.id }
    }
}

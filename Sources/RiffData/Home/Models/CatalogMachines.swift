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
        case failed(ShownProblem)
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
        public var problem: ShownProblem?
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
    public init() {}

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
        case failed(ShownProblem, key: String? = nil)
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
        public var config: HermesConfig?
        /// Paths of values that are on their way.
        public var busy: Set<String> = []
        /// Whether it is being read.
        public var isLoading = false
        /// What did not work last.
        public var problem: ShownProblem?
    }

    /// What is shown now.
    public private(set) var snapshot = Snapshot()

    /// Settings that were not read yet.
    public init() {}

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
            snapshot.isLoading = false
            snapshot.problem = nil
        case .wasSet(let key):
            snapshot.busy.remove(key)
            return take(.load)
        case .failed(let problem, let key):
            if let key { snapshot.busy.remove(key) } else { snapshot.isLoading = false }
            snapshot.problem = problem
        }
        return []
    }
}

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
        case failed(ShownProblem)
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
        public var groups: [Group] = []
        /// Whether those put away are among them.
        public var showsArchived = false
        /// Whether something is under way.
        public var isBusy = false
        /// What did not work last.
        public var problem: ShownProblem?
    }

    /// Projects of one group.
    public struct Group: Sendable, Hashable, Identifiable {
        /// The group; empty for none.
        public let id: String
        /// The projects, in the registry's order.
        public let projects: [Project]
    }

    /// What is shown now.
    public private(set) var snapshot = Snapshot()
    private var registry: ProjectRegistry.Snapshot?

    /// An empty list.
    public init() {}

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

extension HermesHome {
    /// A list of the skills.
    public func skillsModel() -> HomeModel<SkillsMachine> {
        let skills = skills
        return HomeModel(SkillsMachine()) { effect in
            do {
                switch effect {
                case .list: return .loaded(try await skills.list())
                case .install(let identifier, let category):
                    try await skills.install(identifier, category: category)
                    return .installed
                }
            } catch {
                return .failed(ShownProblem(error))
            }
        }
    }

    /// The settings.
    public func settingsModel() -> HomeModel<SettingsMachine> {
        HomeModel(SettingsMachine()) { effect in
            switch effect {
            case .read:
                do { return .loaded(try await config()) } catch { return .failed(ShownProblem(error)) }
            case .set(let key, let value):
                do {
                    if let value { try await setConfig(key, to: value) } else { try await unsetConfig(key) }
                    return .wasSet(key)
                } catch {
                    return .failed(ShownProblem(error), key: key)
                }
            }
        }
    }

    /// A list of the projects.
    public func projectsModel() -> HomeModel<ProjectsMachine> {
        let projects = projects
        return HomeModel(ProjectsMachine()) { effect in
            do {
                switch effect {
                case .read: return .loaded(try await projects.read())
                case .change(let project, let name, let group, let isArchived, let old):
                    return .loaded(
                        try await projects.change(project, name: name, group: group, isArchived: isArchived, since: old)
                    )
                case .remove(let project, let old): return .loaded(try await projects.remove(project, since: old))
                }
            } catch {
                return .failed(ShownProblem(error))
            }
        }
    }
}

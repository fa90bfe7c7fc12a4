// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension ProjectRegistry {
    /// The projects that a view shows.
    public enum Filter: Sendable, Hashable {
        /// Those that are not archived.
        case current
        /// All, archived ones among them.
        case all
    }

    /// The projects of one group.
    public struct Group: Sendable, Hashable, Identifiable {
        /// The group; empty for none.
        public let id: String
        /// The projects, in the registry's order.
        public let projects: [ProjectRegistry.Project]
    }

    /// Creates a presenter of the projects by group; those without one come first, under the empty name.
    ///
    /// - Returns: The presenter; nothing is read before it shows something.
    public func live() -> HermesLive<Filter, [Group]> {
        HermesLive(ProjectsMachine()) { effect in
            do {
                switch effect {
                case .read: return .loaded(try await read())
                case .change(let project, let name, let group, let isArchived, let old):
                    return .loaded(
                        try await change(project, name: name, group: group, isArchived: isArchived, since: old)
                    )
                case .remove(let project, let old): return .loaded(try await remove(project, since: old))
                }
            } catch {
                return .failed(Problem(error))
            }
        }
    }
}

extension HermesLive where Question == ProjectRegistry.Filter, Value == [ProjectRegistry.Group] {
    /// Archives a project, or takes it out of the archive.
    public func setArchived(_ isArchived: Bool, _ project: ProjectRegistry.Project.ID) async {
        await send(.archive(project, isArchived), to: ProjectsMachine.self)
    }

    /// Gives a project another name.
    public func rename(_ project: ProjectRegistry.Project.ID, to name: String) async {
        await send(.rename(project, to: name), to: ProjectsMachine.self)
    }

    /// Moves a project to a group; `nil` takes it out of its group.
    public func move(_ project: ProjectRegistry.Project.ID, to group: String?) async {
        await send(.move(project, to: group), to: ProjectsMachine.self)
    }

    /// Takes a project out of the list; its folder stays.
    public func remove(_ project: ProjectRegistry.Project.ID) async {
        await send(.remove(project), to: ProjectsMachine.self)
    }
}

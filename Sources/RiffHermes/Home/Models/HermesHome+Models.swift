// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

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
                return .failed(Problem(error))
            }
        }
    }

    /// The settings.
    public func settingsModel() -> HomeModel<SettingsMachine> {
        HomeModel(SettingsMachine()) { effect in
            switch effect {
            case .read:
                do { return .loaded(try await config()) } catch { return .failed(Problem(error)) }
            case .set(let key, let value):
                do {
                    if let value { try await setConfig(key, to: value) } else { try await unsetConfig(key) }
                    return .wasSet(key)
                } catch {
                    return .failed(Problem(error), key: key)
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
                return .failed(Problem(error))
            }
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension SkillFolder {
    /// The skills that have a text, by category.
    public struct Listing: Sendable, Hashable {
        /// The categories by name; skills without one come first, under the empty name.
        public package(set) var categories: [Category]
        /// The difference to the reading before, such as "2 new, 4 updated"; `nil` if there is none.
        public package(set) var news: String?
    }

    /// The skills of one category.
    public struct Category: Sendable, Hashable, Identifiable {
        /// The category; empty for none.
        public let id: String
        /// The skills, by name.
        public let skills: [SkillFolder.Skill]
    }

    /// Creates a presenter of the skills. Its question is a text that skills must have; empty for all.
    ///
    /// - Returns: The presenter; nothing is read before it shows something.
    public func live() -> HermesLive<String, Listing> {
        HermesLive(SkillsMachine()) { effect in
            do {
                switch effect {
                case .list: return .loaded(try await list())
                case .install(let identifier, let category):
                    try await install(identifier, category: category)
                    return .installed
                case .uninstall(let name):
                    try await uninstall(name)
                    return .installed
                }
            } catch {
                return .failed(Problem(error))
            }
        }
    }
}

extension HermesLive where Question == String, Value == SkillFolder.Listing {
    /// Installs a skill, as ``SkillFolder/install(_:category:)`` does, and reads the skills again.
    public func install(_ identifier: String, category: String? = nil) async {
        await send(.install(identifier, category: category), to: SkillsMachine.self)
    }

    /// Removes a skill that was installed, as ``SkillFolder/uninstall(_:)`` does, and reads the skills again.
    public func uninstall(_ name: String) async { await send(.uninstall(name), to: SkillsMachine.self) }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// The sessions of a host as pages, in the order in which a person finds them, and the page that is looked at.
///
/// There is always a page, and always an active one; no name stands twice, and the base session's page is the first
/// wherever there is one. The active page is known by its name, so that it stays the same page whatever comes or goes
/// beside it.
package struct SessionList: Sendable, Hashable {
    /// A page of the list.
    package struct Page: Sendable, Hashable {
        /// The session's name.
        package let name: SessionName
        /// Which of the server's sessions it is; `nil` until the server has listed it.
        package let identity: SessionIdentity?

        package init(_ name: SessionName, identity: SessionIdentity? = nil) {
            self.name = name
            self.identity = identity
        }
    }

    /// The pages in order.
    package private(set) var pages = [Page(.base)]
    /// The page that is looked at, and that keys go to.
    package private(set) var active = SessionName.base

    /// The base session's page alone.
    package init() {}

    /// The pages' names.
    package var names: [SessionName] { pages.map(\.name) }
    /// The index of the active page.
    package var activeIndex: Int { index(of: active) ?? 0 }

    /// Whether there is a page for a session.
    package func contains(_ name: SessionName) -> Bool { index(of: name) != nil }

    /// Returns the index of a session's page.
    package func index(of name: SessionName) -> Int? { pages.firstIndex { $0.name == name } }

    /// The page nearest to a place: the first for a negative one, the last for one behind all pages.
    package func name(at index: Int) -> SessionName { pages[min(max(index, 0), pages.count - 1)].name }

    /// Makes a page the active one; a name without a page changes nothing.
    package mutating func activate(_ name: SessionName) {
        if contains(name) { active = name }
    }

    /// Adds a page behind all others, or before them for the base session; one that is there stays where it is.
    package mutating func add(_ name: SessionName) { insert(Page(name)) }

    /// Takes a page away. When it was the active one, the page to its left is active now, or the first; when it was the
    /// only one, there is a page for the base session instead.
    package mutating func remove(_ name: SessionName) {
        replace(with: pages.map { $0.name == name ? nil : $0 }, adding: [])
    }

    /// Takes over what a server told.
    package mutating func apply(_ diff: SessionDiff) {
        replace(with: diff.kept, adding: diff.appended.map { Page($0.name, identity: $0.identity) })
    }

    private mutating func insert(_ page: Page) {
        guard !contains(page.name) else { return }
        pages.insert(page, at: page.name == .base ? 0 : pages.count)
    }

    /// - Parameters:
    ///   - replacements: For each page what is left of it, in order.
    ///   - newPages: Pages to insert then.
    private mutating func replace(with replacements: [Page?], adding newPages: [Page]) {
        let nearest = replacements[...activeIndex].compactMap(\.self).last
        pages = replacements.compactMap(\.self)
        let next = nearest ?? pages.first
        for page in newPages { insert(page) }
        if pages.isEmpty { pages = [Page(.base)] }
        active = next?.name ?? pages[0].name
    }
}

/// The identity of one of a server's sessions, whatever its name: tmux counts sessions, and begins again with a new
/// server.
package struct SessionIdentity: Sendable, Hashable {
    /// tmux's own id, such as `$3`.
    package let id: String
    /// When it was made, in seconds since 1970 of the host's clock.
    package let created: Int

    /// Creates an identity from tmux's number and the time of creation.
    package init(id: String, created: Int) {
        self.id = id
        self.created = created
    }
}

extension LiveSession {
    /// Which session it is, whatever its name.
    package var identity: SessionIdentity { SessionIdentity(id: id, created: created) }
    /// The number in tmux's id: sessions that were made later have a higher one.
    package var number: Int { Int(id.dropFirst()) ?? .max }
}

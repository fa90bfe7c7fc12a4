// Riff
// SPDX-License-Identifier: Apache-2.0

/// The differences between the pages and a server's list: pages to be added and to be dropped, and pages that have
/// changed.
///
/// Pages that stay keep their order. The base session's page always stays: it is made again when a client attaches to
/// it. Nothing here ends a session.
package struct SessionDiff: Sendable, Hashable {
    /// A session that got another name on the server.
    package struct Rename: Sendable, Hashable {
        /// The page's name until now.
        package let from: SessionName
        /// The name that the server lists.
        package let to: SessionName

        /// Creates a rename of a session.
        package init(from: SessionName, to: SessionName) {
            self.from = from
            self.to = to
        }
    }

    /// Sessions without a page, in the order in which they were made.
    package let appended: [LiveSession]
    /// Pages without a session, in their order.
    package private(set) var dropped: [SessionName] = []
    /// Pages whose session has another name now, in their order.
    package private(set) var renamed: [Rename] = []
    /// Pages under whose name there is another session now, since the one that was there has ended.
    package private(set) var replaced: [SessionName] = []
    /// The pages that stay although their session got another name, which is the base session's or was: a client that
    /// is attached by such a page looks at a session that the page does not represent.
    package private(set) var displaced: [SessionName] = []
    /// For each page what is left of it.
    let kept: [SessionList.Page?]

    /// Creates the differences between the pages and the live sessions.
    ///
    /// - Parameters:
    ///   - list: The pages.
    ///   - live: What the server lists, in any order.
    package init(from list: SessionList, to live: [LiveSession]) {
        var unclaimed = Dictionary(live.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let current = Dictionary(live.map { ($0.identity, $0.name) }, uniquingKeysWith: { first, _ in first })
        func claim(_ name: SessionName) -> SessionList.Page? {
            unclaimed.removeValue(forKey: name).map { SessionList.Page($0.name, identity: $0.identity) }
        }
        var claimed: [SessionName: SessionList.Page] = [:]
        // Sessions that are known come first, since their names may have changed places.
        for page in list.pages {
            guard let name = page.identity.flatMap({ current[$0] }) else { continue }
            if name == page.name {
                claimed[page.name] = claim(name)
            } else if page.name != .base, name != .base, let renamedPage = claim(name) {
                claimed[page.name] = renamedPage
                renamed.append(Rename(from: page.name, to: name))
            } else {
                displaced.append(page.name)
            }
        }
        var kept: [SessionList.Page?] = []
        for page in list.pages {
            if let known = claimed[page.name] {
                kept.append(known)
            } else if let other = claim(page.name) {
                if page.identity != nil, !displaced.contains(page.name) { replaced.append(page.name) }
                kept.append(other)
            } else if page.name == .base {
                kept.append(SessionList.Page(.base))
            } else {
                dropped.append(page.name)
                kept.append(nil)
            }
        }
        self.kept = kept
        appended = unclaimed.values.sorted { ($0.number, $0.name.rawValue) < ($1.number, $1.name.rawValue) }
        displaced.removeAll { dropped.contains($0) }
    }

    /// Whether the pages are what the server lists.
    package var isEmpty: Bool {
        appended.isEmpty && dropped.isEmpty && renamed.isEmpty && replaced.isEmpty && displaced.isEmpty
    }
}

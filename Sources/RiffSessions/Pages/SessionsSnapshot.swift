// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The sessions of a host as a front end shows them.
public struct SessionsSnapshot: Sendable {
    /// A session's page.
    public struct Page: Sendable, Identifiable {
        /// The session's name; no two pages have the same.
        public let name: SessionName
        /// Its terminal, to read the output of; `nil` while the page is not attached. A page that is attached anew has
        /// another one.
        public let terminal: TerminalSession?
        /// The state of its terminal; `nil` while the page is not attached.
        public let state: TerminalSessionState?
        /// Why its terminal is over, where that is known.
        public let problem: (any RiffError)?

        /// The name of the session.
        public var id: SessionName { name }
    }

    /// The pages in their order, at least one.
    public var pages: [Page]
    /// The place of the page that is looked at, and that keys go to.
    public var activeIndex: Int
    /// Whether the host's sessions were listed once, or that was given up.
    public var isSetUp: Bool
    /// Whether to show that the active page is being connected, or that a session is being made or ended: only once
    /// that has lasted 0.3 seconds.
    public var isBusy: Bool
    /// Why the host could not be asked for its sessions the last time, or the active session's name not be kept.
    public var problem: (any RiffError)?

    /// The page that is looked at.
    public var active: Page { pages[activeIndex] }

    /// The page of a session.
    public func page(_ name: SessionName) -> Page? { pages.first { $0.name == name } }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
package import RiffCore
package import RiffScreen
import RiffSessions

/// The last line: how the connection and the sessions stand, and what the person can do or was told.
package struct StatusLine: Hashable {
    /// How a page stands.
    package enum Mark: String { case open = "", underWay = "…", over = "!" }

    package struct Page: Hashable {
        let name: SessionName
        let mark: Mark
        /// What the agent in it does, in a word; `nil` without one.
        let agent: String?

        package init(_ name: SessionName, _ mark: Mark, agent: String? = nil) {
            self.name = name
            self.mark = mark
            self.agent = agent
        }
    }

    var connection: ConnectionState
    var pages: [Page]
    var active: Int
    /// What is told now; ``help`` where there is nothing.
    var words: String

    package static let help = "Ctrl-] for commands"

    package init(connection: ConnectionState, pages: [Page], active: Int, words: String) {
        self.connection = connection
        self.pages = pages
        self.active = active
        self.words = words
    }

    /// Its rows, as wide as there are columns; more than one where the words need them.
    ///
    /// - Parameters:
    ///   - columns: The terminal's.
    ///   - limit: The most rows; what does not fit is left out.
    /// - Returns: The rows, at least one.
    package func rows(columns: Int, limit: Int) -> [ScreenRow] {
        let pages = pages.enumerated().map { place, page in
            // A host lists the names; none of them paints.
            let agent = page.agent.map { " (\(InertText.line($0)))" } ?? ""
            let name = InertText.line(page.name.rawValue) + page.mark.rawValue + agent
            return place == active ? "\u{1B}[1m[\(name)]\u{1B}[22m" : name
        }
        let line = " \(Self.text(of: connection)) · \(pages.joined(separator: " ")) · \(InertText.line(words))"
        // One row more, whose text is what does not fit.
        var screen = Screen(size: TerminalSize(columns: columns, rows: limit + 1))
        screen.feed("\u{1B}[7m\(line)")
        let count = min(screen.cursor.row + 1, limit)
        guard screen.lines.lowerBound == 0, screen.visibleLines.lowerBound == 0 else {
            return Array(screen.picture(of: 0..<limit).rows)
        }
        // Blanks give the bar its end.
        screen.feed("\u{1B}[?7l" + String(repeating: " ", count: max(columns - screen.cursor.column, 0)))
        return Array(screen.picture.rows.prefix(count))
    }

    package static func text(of connection: ConnectionState) -> String {
        switch connection {
        case .idle, .connecting: "connecting"
        case .connected: "connected"
        case .reconnecting(let attempt, _): attempt > 1 ? "reconnecting (\(attempt))" : "reconnecting"
        case .disconnected(.deliberate): "closed"
        case .disconnected(.suspended): "suspended"
        case .disconnected(.failed): "not connected"
        }
    }

    /// What a person can do now, or what happened.
    ///
    /// - Parameters:
    ///   - state: What the person is doing.
    ///   - problem: What is wrong with the connection or the page, where something is.
    /// - Returns: The words, on one line.
    package static func words(_ state: TermState, problem: String?) -> String {
        switch state.mode {
        case .session: state.notice ?? problem ?? help
        case .command:
            "n new  x close  ←→ 1-9 turn  / search  l links  d dictate  p picture  w away  r reconnect  q quit  Ctrl-] itself"
        case .closing(let name): "End \(name) and what runs in it? y ends it, any other key does not"
        case .typing(let text): "Search: \(text)▏"
        case .searching(let text): "Searching \(text) …  Esc gives up"
        case .found(let text, let place, let count):
            "\(text): \(place + 1) of \(count)  ↑ older  ↓ newer  l links  Esc back"
        case .links(let links, let chosen):
            "\(chosen + 1) of \(links.count): \(links[chosen])  Return copies  o opens  ↑↓ other  Esc back"
        }
    }
}

extension StatusLine.Page {
    init(_ page: SessionsSnapshot.Page, agents: [AgentListing]) {
        let mark: StatusLine.Mark =
            switch page.state {
            case .open: .open
            case .opening, .reconnecting, nil: .underWay
            case .ended: .over
            }
        let agent = agents.first { agent in
            if case .pane(let session, _) = agent.place {
                session.utf8.elementsEqual(page.name.rawValue.utf8)
            } else {
                false
            }
        }
        self.init(page.name, mark, agent: agent?.report.state.name)
    }
}

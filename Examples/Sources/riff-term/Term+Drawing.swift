// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import RiffCore
import RiffScreen
import RiffSessions
import RiffTransport

/// What is on show.
extension Term {
    /// The lines of a screen that the page shows.
    struct Shown {
        let screen: Screen
        let lines: Range<Int>
    }

    /// What the page shows; `nil` where its session is not connected.
    var shown: Shown? {
        if state.showsHistory, let search {
            return Shown(screen: search.screen, lines: search.lines(around: state.place, rows: rows))
        }
        return view.map { Shown(screen: $0.screen, lines: $0.screen.visibleLines) }
    }

    private var rows: Int { Self.pageSize(size).rows }

    /// What to write to the terminal for the next frame.
    func nextFrame() -> String {
        defer { asides = "" }
        return asides + painter.paint(frame(isDrawn: true))
    }

    /// Everything as it is now.
    ///
    /// - Parameter isDrawn: Whether it is drawn next, so that the rows that are on the terminal already can stay.
    /// - Returns: The frame.
    func frame(isDrawn: Bool) -> Frame {
        var frame = Frame(columns: size.columns)
        if case .links(_, let chosen) = state.mode, let shown {
            still(shown, &frame, marked: links[chosen].range)
        } else if state.showsHistory, let shown, let search {
            still(shown, &frame, marked: search.found[state.place])
        } else if let view {
            frame.source = .live(ObjectIdentifier(view))
            let rows = isDrawn ? view.rows(since: painter.rows(of: frame.source)) : view.screen.picture.rows
            frame.rows = rows
            frame.title = view.screen.title
            if view.screen.modes.cursorVisible, state.takesKeys { frame.cursor = view.screen.cursor }
        }
        if let view { frame.modes = view.screen.modes }
        let status = status.rows(columns: size.columns, limit: min(max(size.rows - 1, 1), 4))
        // One that needs more than its row covers the page's last ones.
        if status.count > 1 { frame.source = .still }
        let rows = size.rows - status.count
        if let cursor = frame.cursor, cursor.row >= rows { frame.cursor = nil }
        // A page that is not connected yet, or whose size is about to change, has too few.
        let blank = ScreenRow(cells: [])
        frame.rows = frame.rows.prefix(rows) + Array(repeating: blank, count: max(rows - frame.rows.count, 0)) + status
        return frame
    }

    private func still(_ shown: Shown, _ frame: inout Frame, marked: Range<ScreenPosition>) {
        frame.source = .still
        frame.rows = shown.screen.picture(of: shown.lines).rows
        frame.mark(marked, first: shown.lines.lowerBound)
    }

    private var status: StatusLine {
        let (link, snapshot) = (host.current, sessions.current)
        let problem = link.problem ?? snapshot.active.problem ?? snapshot.problem
        return StatusLine(
            connection: link.connection,
            pages: snapshot.pages.map { StatusLine.Page($0, agents: board.current.agents) },
            active: snapshot.activeIndex,
            words: StatusLine.words(state, problem: problem?.message)
        )
    }
}

extension TermState {
    /// Whether somebody waits for what is looked for.
    var isSearching: Bool { if case .searching = mode { true } else { false } }

    /// Whether keys go to the session, or the next one is a command.
    var takesKeys: Bool { mode == .session || mode == .command }
}

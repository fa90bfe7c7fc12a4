// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffScreen
import RiffSessions

/// A text looked for in everything that a session still has: what tmux keeps above the screen, and the screen.
struct HistorySearch: Sendable {
    /// The history with the session's screen beneath it.
    let screen: Screen
    /// Where the text is, the newest last.
    let found: [Range<ScreenPosition>]

    /// Reads the history and searches it, beside the session: nothing on it moves, and nothing here waits for it.
    ///
    /// - Parameters:
    ///   - text: What is looked for.
    ///   - session: Where.
    ///   - live: What is on its screen when the history was read.
    /// - Returns: What was found, also where that is nothing.
    /// - Throws: As `TerminalSession.history(lines:)`.
    @concurrent
    static func run(
        _ text: String,
        in session: TerminalSession,
        live: @Sendable () async -> Screen
    ) async throws -> HistorySearch {
        var history = ScreenHistory(try await session.history(lines: -1000..<1000))
        while let wanted = history.wantedLines(5000) {
            // Rows that do not join were dropped by tmux meanwhile: what is here is what there is.
            guard history.prepend(try await session.history(lines: wanted)) != nil else { break }
        }
        let screen = history.joined(to: await live()).screen
        return HistorySearch(screen: screen, found: screen.find(ScreenSearch(text)))
    }

    /// Some lines around a place, as many as the page has rows, where there are as many.
    func lines(around place: Int, rows: Int) -> Range<Int> {
        let (lines, wanted) = (screen.lines, found[place].lowerBound.line - rows / 2)
        let first = max(min(wanted, lines.upperBound - rows), lines.lowerBound)
        return first..<min(first + rows, lines.upperBound)
    }
}

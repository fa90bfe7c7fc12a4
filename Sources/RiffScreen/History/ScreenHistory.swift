// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

// sample: session: TerminalSession, live: Screen
/// The rows above a tmux session's screen, read page by page from the newest to the oldest, as one screen with a
/// scrollback: to be searched, copied from, drawn, and put above the live screen.
///
/// ```swift
/// var history = ScreenHistory(try await session.history(lines: -500..<1000))
/// while let wanted = history.wantedLines(500) {
///     guard history.prepend(try await session.history(lines: wanted)) != nil else { break }
/// }
/// let (screen, _) = history.joined(to: live)
/// ```
///
/// The program may go on meanwhile: pages overlap, and are joined where their rows are the same.
public struct ScreenHistory: Sendable {
    /// Everything that was read: the scrollback, and the pane's screen at the moment of the first page.
    public private(set) var screen: Screen
    /// Whether there is nothing more to be read: all that tmux has is here, or all that ``Screen/Limits`` let it keep.
    public private(set) var isComplete = false
    /// The number of rows that tmux had above its screen when it was last asked.
    private var historyCount: Int
    /// The first row that was read, as tmux counted it when it was last asked.
    private var firstLine: Int

    /// A history that begins with the newest rows.
    ///
    /// - Parameters:
    ///   - page: Rows up to the end of the screen: of `-n..<1000` or so, since those that are not there do not count.
    ///   - limits: The most that is kept.
    public init(_ page: TmuxHistoryPage, limits: Screen.Limits = Screen.Limits()) {
        screen = Screen(size: page.size, limits: limits)
        historyCount = page.historyCount
        firstLine = page.lines.lowerBound
        screen.load(page)
        isComplete = page.lines.lowerBound <= -page.historyCount
    }

    /// Which rows to ask tmux for next.
    ///
    /// - Parameter count: How many new ones.
    /// - Returns: Those, and some that are known already; `nil` when there is nothing more.
    public func wantedLines(_ count: Int) -> Range<Int>? {
        guard !isComplete else { return nil }
        // tmux counts with 32 bits: more rows than that are not there.
        return firstLine - min(max(count, 1), Int(UInt32.max))..<firstLine + screen.size.rows
    }

    /// Puts older rows before the others.
    ///
    /// - Parameter page: Of the rows that ``wantedLines(_:)`` told.
    /// - Returns: How many rows were new: a line that was n before is n more now. `nil` where the page does not join
    ///   those that are here, because tmux has dropped rows or wrapped them for another width; then begin anew.
    public mutating func prepend(_ page: TmuxHistoryPage) -> Int? {
        guard page.size.columns == screen.size.columns else { return nil }
        var older = Screen(size: page.size, limits: screen.limits)
        let rows = older.load(page)
        // What is on the screen may have changed since; what is above it does not.
        let known = screen.allRows(upTo: min(screen.size.rows, max(screen.grid.history.count, 1)))
        // Rows that came in meanwhile moved all others up by as many, until tmux drops old ones.
        let expected = firstLine - (page.historyCount - historyCount) - page.lines.lowerBound
        if expected < 0, page.lines.lowerBound > -page.historyCount {
            // More came in than were asked for: none of the page is older.
            firstLine = page.lines.lowerBound + expected
            historyCount = page.historyCount
            return 0
        }
        guard let start = Self.start(of: known, in: rows, near: expected, older, screen) else { return nil }
        screen.prepend(rows[..<start].map { screen.adopt($0, from: older) })
        historyCount = page.historyCount
        firstLine = page.lines.lowerBound
        isComplete = firstLine <= -historyCount || screen.lines.lowerBound > 0
        return start
    }

    /// Returns the index at which the known rows begin among others: as near as can be to the expected one.
    private static func start(
        of known: [Row],
        in rows: [Row],
        near expected: Int,
        _ older: Screen,
        _ newer: Screen
    ) -> Int? {
        let texts = rows.map { older.text(of: $0) }
        let wanted = known.map { newer.text(of: $0) }
        guard texts.count >= wanted.count else { return nil }
        return (0...texts.count - wanted.count).sorted { abs($0 - expected) < abs($1 - expected) }.first { start in
            texts[start..<start + wanted.count].elementsEqual(wanted)
        }
    }

    /// The history with the live screen beneath it, of the live screen's width.
    ///
    /// What scrolled off the live screen since the first page was read is found on that page's screen: the rows that
    /// both have tell by how much. Where they have none in common, something is missing or was cleared.
    ///
    /// - Parameter live: What the session's terminal shows now.
    /// - Returns: One screen, and whether nothing is missing between the two parts as far as can be told; read the
    ///   history again otherwise.
    public func joined(to live: Screen) -> (screen: Screen, isContinuous: Bool) {
        var joined = screen
        joined.resize(to: TerminalSize(columns: live.columns, rows: joined.rowCount))
        let shown = joined.grid.rows.map { joined.text(of: $0) }
        let now = live.grid.rows.map { live.text(of: $0) }
        var (scrolled, most) = (0, 0)
        for count in shown.indices {
            let same = zip(shown[count...], now).count { $0 == $1 && !$0.isEmpty }
            if same > most { (scrolled, most) = (count, same) }
        }
        joined.replaceScreen(with: live, keeping: scrolled)
        return (joined, most > 0 || shown.allSatisfy(\.isEmpty))
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

// sample: bytes: [UInt8]
/// A terminal's screen as data: bytes of a program go in, and what a person would see comes out. No view, no clock, no
/// I/O; a value that can be kept, compared and sent.
///
/// ```swift
/// var screen = Screen(size: TerminalSize(columns: 80, rows: 24))
/// screen.feed(bytes)
/// print(screen.visibleText)
/// ```
///
/// It does what tmux does, the terminal that the SDK's sessions live in, and xterm where tmux does nothing. Bytes may
/// be split anywhere. Everything in it is bounded: cells by the size, the scrollback by ``Screen/Limits``, strings and
/// tables by constants.
public struct Screen: Sendable {
    /// Bounds on memory.
    public struct Limits: Sendable, Hashable {
        /// The most bytes of scrollback; the oldest rows go first. 16 MiB hold about 20,000 rows of half-full 100
        /// columns. Rows of plain text count as much and take less; up to 64 KiB more are set aside.
        public var scrollbackBytes = 16 << 20
        /// The most events that wait to be taken; the oldest go first.
        public var events = 256

        /// Creates the default limits.
        public init() {}
    }

    /// The cells that are shown.
    var grid: Grid
    /// The primary screen's cells while the alternate ones are shown.
    var beneath: Grid?
    /// The cursor, which marks the place of the next character.
    public internal(set) var cursor = ScreenCursor()
    /// The modes that the program set.
    public internal(set) var modes = TerminalModes()
    var pen = Pen()
    var region: ClosedRange<Int>
    var tabStops: TabStops
    var saved = SavedState()
    /// The cursor and the pen to come back to from the alternate screen.
    var beforeAlternate = BeforeAlternate()
    var charsets = Charsets()
    var parser = ControlParser()
    var decoder = UTF8Decoder()
    var clusters = ClusterTable()
    var extras = ExtraTable()
    var notification = NotificationParts()
    var keyboard = KeyboardRequests()
    /// The number of times that all cells were looked through for entries that a full table need not hold any more.
    package internal(set) var sweepCount = 0
    /// The character that REP repeats: the ASCII character, or the sign that it was shown as, written just before.
    var lastScalar: UInt32?
    /// Whether a joiner came, and the next character belongs to the one before it.
    var isJoining = false
    var changes: ScreenChanges
    let limits: Limits

    /// The replies that programs asked for, in order: answers to device reports, to be written to the program. They are
    /// not to be sent if another terminal (tmux) is between the program and this screen: that one has answered.
    public internal(set) var replies: [UInt8] = []
    /// The events that programs caused; see ``takeEvents()``.
    var events: [ScreenEvent] = []
    /// The title of the window (OSC 0 and 2).
    public internal(set) var title = ""

    /// A blank screen.
    ///
    /// - Parameters:
    ///   - size: Its cells: at most 2^24 of them; a size without any becomes 80 by 24.
    ///   - limits: Bounds on memory.
    public init(size: TerminalSize = .standard, limits: Limits = Limits()) {
        let size = Self.bounded(size) ?? .standard
        self.limits = limits
        grid = Grid(
            columns: size.columns,
            rows: size.rows,
            keepsHistory: true,
            historyLimit: limits.scrollbackBytes
        )
        region = 0...size.rows - 1
        tabStops = TabStops(columns: size.columns)
        changes = ScreenChanges(rows: size.rows)
    }

    // MARK: What it is

    /// Its size in cells.
    public var size: TerminalSize { TerminalSize(columns: columns, rows: rowCount) }
    /// Whether the alternate screen is shown: a full-screen program, without scrollback.
    public var isAlternate: Bool { beneath != nil }

    var columns: Int { grid.columns }
    var rowCount: Int { grid.rows.count }

    // MARK: What it tells

    /// Takes what programs asked for since the last call, oldest first.
    public mutating func takeEvents() -> [ScreenEvent] {
        defer { events = [] }
        return events
    }

    /// Takes the answers to device reports since the last call.
    public mutating func takeReplies() -> [UInt8] {
        defer { replies = [] }
        return replies
    }

    mutating func report(_ event: ScreenEvent) {
        if events.count >= limits.events { events.removeFirst() }
        events.append(event)
    }

    /// Answers the program; at most 4 KiB wait.
    mutating func reply(_ text: String) {
        guard replies.count < 4096 else { return }
        replies += Array(text.utf8)
    }
}

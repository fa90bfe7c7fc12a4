// Riff
// SPDX-License-Identifier: Apache-2.0

/// Rows of a tmux pane as they were at one moment, with the styles of their text; see ``TmuxServer/history(_:lines:)``.
public struct TmuxHistoryPage: Sendable, Hashable {
    /// The pane's size then.
    public let size: TerminalSize
    /// The number of rows above the pane's screen at that time.
    public let historyCount: Int
    /// Whether a full-screen program was on its screen then. Such a program has no rows above its own.
    public let isAlternate: Bool
    /// Which rows these are, as tmux counts: 0 is the screen's top row, -1 the one above it. Rows that were asked for
    /// and are not there are not among them.
    public let lines: Range<Int>
    /// The rows as `capture-pane -e -J` prints them: UTF-8 with SGR sequences, one line for a text that tmux wrapped.
    public let text: [UInt8]

    /// The most rows that tmux can count: its number has 32 bits.
    private static let countLimit = Int(UInt32.max)

    /// Creates a page that was read in another way than this package does. Numbers that tmux cannot say are brought to
    /// the nearest that it can.
    package init(size: TerminalSize, historyCount: Int, isAlternate: Bool, lines: Range<Int>, text: [UInt8]) {
        self.size = size
        self.historyCount = min(max(historyCount, 0), Self.countLimit)
        self.isAlternate = isAlternate
        self.lines = lines.clamped(to: -Self.countLimit..<Self.countLimit)
        self.text = text
    }

    /// Reads what the command printed.
    ///
    /// - Parameters:
    ///   - output: Its standard output.
    ///   - lines: What it was asked for.
    /// - Throws: ``CoreError`` with `malformedHistory`.
    package init(output: some Collection<UInt8>, lines: Range<Int>) throws(CoreError) {
        let head = output.prefix { $0 != UInt8(ascii: "\n") }
        let words = String(decoding: head.prefix(400), as: UTF8.self).split(separator: " ")
        let numbers = words.compactMap { Int($0) }
        guard words.count == 4, numbers.count == 4, (0...Self.countLimit).contains(numbers[0]),
            numbers[1...2].allSatisfy((0...65_535).contains)
        else {
            let read = InertText.line(String(words.joined(separator: " ").prefix(100)))
            let message = "tmux's history cannot be read: it begins with '\(read)'. Is another program named tmux?"
            throw CoreError(.malformedHistory, message)
        }
        size = TerminalSize(columns: numbers[1], rows: numbers[2])
        historyCount = numbers[0]
        isAlternate = numbers[3] != 0
        self.lines = lines.clamped(to: -historyCount..<max(size.rows, 0))
        // tmux prints the nearest row where there is none of those.
        var text = self.lines.isEmpty ? [] : Array(output.dropFirst(head.count + 1))
        if text.last == UInt8(ascii: "\n") { text.removeLast() }
        self.text = text
    }
}

extension CoreErrorCode {
    /// The text that should be a pane's rows is something else.
    public static let malformedHistory = CoreError.Code(rawValue: "malformedHistory")
}

extension TmuxServer {
    /// Prints rows of a session's active pane for ``TmuxHistoryPage``, all of one moment.
    ///
    /// - Parameters:
    ///   - name: The session.
    ///   - lines: Which rows, at least one: 0 is the screen's top row, those above it are negative.
    /// - Returns: The call.
    public func history(_ name: SessionName, lines: Range<Int>) -> TmuxCommand {
        let format = "#{history_size} #{pane_width} #{pane_height} #{alternate_on}"
        let (first, last) = (
            ShellWord("\(lines.lowerBound)"), ShellWord("\(max(lines.upperBound - 1, lines.lowerBound))")
        )
        return TmuxCommand(socket, ["display-message", "-p", "-t", name.paneTarget, ShellWord(format)])
            .then(["capture-pane", "-p", "-e", "-J", "-t", name.paneTarget, "-S", first, "-E", last])
    }
}

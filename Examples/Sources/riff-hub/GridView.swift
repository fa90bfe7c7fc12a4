// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
package import RiffCore
package import RiffHub
package import RiffScreen

/// What the terminal shows of a hub: a snapshot in, rows out.
package struct GridView {
    /// What is shown besides the hub itself.
    package struct Desk: Equatable {
        /// Where the hub is.
        package var address = ""
        /// What the person has typed.
        package var typed = ""
        /// What the person is told.
        package var notice: String?
        /// How loud the microphone is, from 0 to 1.
        package var level = 0.0
        /// How many rows of the chat lie beneath what is shown of it.
        package var scrolled = 0

        package init() {}
    }

    /// A terminal's rows, and where its cursor stands.
    package struct Frame: Equatable {
        package var rows: [ScreenRow]
        package var columns: Int
        /// In the last row.
        package var cursorColumn: Int
    }

    private struct ChatKey: Equatable {
        let open: HubSnapshot.Open
        let columns: Int
    }

    /// The chat as it was wrapped last: it changes less often than the rest.
    private var chat: (key: ChatKey, rows: [ScreenRow])?

    package init() {}

    /// Draws.
    ///
    /// - Parameters:
    ///   - snapshot: The hub.
    ///   - desk: The rest; how far the chat is scrolled is held within what there is.
    ///   - size: The terminal's.
    /// - Returns: What the terminal is to show.
    package mutating func draw(_ snapshot: HubSnapshot, _ desk: inout Desk, size: TerminalSize) -> Frame {
        let last = Self.lastRows(snapshot, desk, size)
        let top = size.rows - last.rows.count
        var screen = Screen(size: size)
        screen.feed("\u{1B}[?7l")
        let bar: HarmlessText = " \(Self.status(snapshot, desk)) "
        let rest = HarmlessText(drawn: String(repeating: " ", count: size.columns))
        Self.put("\u{1B}[7m" + bar + rest, row: 0, on: &screen)
        var row = Self.putCards(of: snapshot, from: 1, on: &screen)
        if let open = snapshot.open {
            Self.put(CardText.color(open.voice.color) + Self.rule(open, columns: size.columns), row: row, on: &screen)
            row += 1
        }
        var picture = screen.picture
        if let open = snapshot.open { place(open, &desk, in: &picture, from: row, to: top) }
        for (index, line) in last.rows.enumerated() where picture.rows.indices.contains(top + index) {
            picture.rows[top + index] = line
        }
        return Frame(rows: picture.rows, columns: size.columns, cursorColumn: last.cursor)
    }

    /// Puts the cards side by side.
    ///
    /// - Returns: The row beneath them.
    private static func putCards(of snapshot: HubSnapshot, from first: Int, on screen: inout Screen) -> Int {
        let size = screen.size
        // Where there is little room, the conversation has it.
        let isNarrow = snapshot.open != nil && size.rows < 16
        let places = snapshot.cards.indices.filter { !isNarrow || snapshot.cards[$0].isOpen }
        let across = max(1, min(4, size.columns / 24))
        let width = size.columns / across
        var row = first
        for start in stride(from: 0, to: places.count, by: across) {
            for (index, place) in places[start..<min(start + across, places.count)].enumerated() {
                let card = snapshot.cards[place]
                put(CardText.title(card, place: place + 1), row: row, column: index * width, on: &screen)
                put(CardText.state(card), row: row + 1, column: index * width, on: &screen)
            }
            row += 2
        }
        return row
    }

    /// Puts a text into a row, and nothing behind it; more than fits is cut off.
    private static func put(_ text: HarmlessText, row: Int, column: Int = 0, on screen: inout Screen) {
        guard row < screen.size.rows else { return }
        screen.feed("\u{1B}[\(row + 1);\(column + 1)H\u{1B}[0m\u{1B}[K\(text.text)\u{1B}[0m")
    }

    /// Puts the chat's end, or what was scrolled to, into rows of a picture.
    private mutating func place(
        _ open: HubSnapshot.Open,
        _ desk: inout Desk,
        in picture: inout ScreenPicture,
        from first: Int,
        to end: Int
    ) {
        guard end > first else { return }
        let key = ChatKey(open: open, columns: picture.columns)
        let rows = chat?.key == key ? chat?.rows ?? [] : Self.chat(open, columns: picture.columns)
        chat = (key, rows)
        desk.scrolled = max(0, min(desk.scrolled, rows.count - (end - first)))
        let shown = rows.dropLast(desk.scrolled).suffix(end - first)
        for (index, row) in shown.enumerated() { picture.rows[end - shown.count + index] = row }
    }

    /// The messages, as they stand in lines of so many columns.
    private static func chat(_ open: HubSnapshot.Open, columns: Int) -> [ScreenRow] {
        var screen = Screen(size: TerminalSize(columns: columns, rows: 2))
        let text = open.chat.map { message -> HarmlessText in
            let lines = message.text.split(separator: "\n", omittingEmptySubsequences: false)
            let words = lines.map { "\(String($0))" as HarmlessText }.joined(separator: "\r\n")
            switch message.role {
            case .assistant:
                return "\(CardText.color(open.voice.color))\u{1B}[1m\(open.voice.name)\u{1B}[0m \(words)"
            case .user: return "\u{1B}[1mYou\u{1B}[0m \(words)"
            default: return "\u{1B}[2m\(words)\u{1B}[0m"
            }
        }
        screen.feed(text.joined(separator: "\r\n").text)
        guard !text.isEmpty else { return [] }
        let end = screen.visibleLines.lowerBound + screen.cursor.row + 1
        return screen.picture(of: screen.lines.lowerBound..<end).rows
    }

    // MARK: Words

    private static func status(_ snapshot: HubSnapshot, _ desk: Desk) -> String {
        var parts = ["riff-hub", snapshot.connectionLabel, desk.address]
        if let generation = snapshot.generation { parts.append("ClawMux \(generation)") }
        if snapshot.isMuted { parts.append("muted") }
        switch snapshot.microphone {
        case .closed: break
        case .watching: parts.append("you can interrupt")
        case .recording:
            let bars = max(0, min(8, Int(desk.level * 8)))
            parts.append("recording \(String(repeating: "▮", count: bars))\(String(repeating: "·", count: 8 - bars))")
        }
        let unread = snapshot.cards.filter(\.hasUnread).count
        if unread > 0 { parts.append("\(unread) unread") }
        return parts.joined(separator: " · ")
    }

    private static func rule(_ open: HubSnapshot.Open, columns: Int) -> HarmlessText {
        let title: HarmlessText = "── \(open.voice.name)\(open.speed == 1 ? "" : ", speed \(open.speed)") "
        return title + HarmlessText(drawn: String(repeating: "─", count: max(0, columns - title.text.count)))
    }

    private static func hint(_ snapshot: HubSnapshot) -> String {
        guard let open = snapshot.open else { return "A number and Return open a voice; /help shows the commands." }
        if snapshot.microphone == .recording { return "Return sends what you say; Ctrl-C forgets it." }
        return open.isInvited
            ? "Return records; or type an answer; /grid goes back."
            : "Type, and it is sent when you are listened to; /grid goes back."
    }

    /// What is told, and the line that is typed: its end, where it is longer than the terminal is wide.
    private static func lastRows(
        _ snapshot: HubSnapshot,
        _ desk: Desk,
        _ size: TerminalSize
    ) -> (rows: [ScreenRow], cursor: Int) {
        let told = desk.notice ?? (snapshot.failure ?? snapshot.connectionFailure).map { "! \($0.message)" }
        var telling = Screen(size: TerminalSize(columns: size.columns, rows: max(1, min(4, size.rows / 3))))
        let words: HarmlessText = told.map { "\($0)" } ?? "\u{1B}[2m\(hint(snapshot))\u{1B}[0m"
        telling.feed(words.text)
        var typing = Screen(size: TerminalSize(columns: size.columns, rows: 1))
        let typed = desk.typed.split(separator: "\n", omittingEmptySubsequences: false).map {
            InertText.line(String($0))
        }
        // A blank behind the last word is typed, too.
        let tail = desk.typed.hasSuffix(" ") && !desk.typed.allSatisfy { $0 == " " } ? " " : ""
        typing.feed("> \(typed.joined(separator: "⏎"))\(tail)")
        let rows = telling.picture.rows.prefix(telling.cursor.row + 1) + [typing.picture.rows[0]]
        return (Array(rows.suffix(size.rows)), min(typing.cursor.column, size.columns - 1))
    }
}

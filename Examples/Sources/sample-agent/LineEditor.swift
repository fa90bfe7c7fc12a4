// Riff
// SPDX-License-Identifier: Apache-2.0

/// The line being edited, the cursor in it, and the lines before: keys in, what to do out. No terminal, no clock.
package struct LineEditor: Sendable, Equatable {
    /// What a key asks of the program.
    package enum Action: Equatable, Sendable {
        /// Nothing beyond showing the line again.
        case none
        /// The line was submitted; the editor is empty.
        case submit(String)
        /// Ctrl-C in an empty line.
        case interrupt
        /// Ctrl-D in an empty line.
        case leave
        /// Ctrl-L.
        case redraw
    }

    /// The text, by what a person sees as one character.
    package private(set) var characters: [Character] = []
    /// How many characters lie before the cursor.
    package private(set) var cursor = 0
    private var history: [String] = []
    /// Where in the history the shown line is; `history.count` is the line being written.
    private var place = 0
    private var draft = ""

    /// An empty line without a past.
    package init() {}

    /// The whole text.
    package var text: String { String(characters) }

    /// Takes one key.
    package mutating func handle(_ key: Key) -> Action {
        switch key {
        case .text(let text), .paste(let text): insert(text)
        case .newline: insert("\n")
        case .enter: return submit()
        case .backspace: if cursor > 0 { remove((cursor - 1)..<cursor) }
        case .delete: if cursor < characters.count { remove(cursor..<(cursor + 1)) }
        case .left: cursor = max(0, cursor - 1)
        case .right: cursor = min(characters.count, cursor + 1)
        case .home: cursor = lineStart
        case .end: cursor = lineEnd
        case .eraseToStart: remove(lineStart..<cursor)
        case .eraseToEnd: remove(cursor..<lineEnd)
        case .eraseWord: remove(wordStart..<cursor)
        case .up: recall(place - 1)
        case .down: recall(place + 1)
        case .redraw: return .redraw
        case .interrupt:
            guard !characters.isEmpty else { return .interrupt }
            show("")
            place = history.count
        case .endOfInput:
            guard !characters.isEmpty else { return .leave }
            if cursor < characters.count { remove(cursor..<(cursor + 1)) }
        case .unknown: break
        }
        return .none
    }

    private mutating func insert(_ text: String) {
        // Joined as strings, so that a combining mark becomes one character with what it marks.
        let left = Array(String(characters[..<cursor]) + text)
        let right = String(characters[cursor...])
        characters = Array(String(left) + right)
        cursor = min(left.count, characters.count)
    }

    private mutating func remove(_ range: Range<Int>) {
        characters.removeSubrange(range)
        cursor = range.lowerBound
    }

    private mutating func submit() -> Action {
        let line = text
        guard !line.allSatisfy(\.isWhitespace) else { return .none }
        if history.last != line { history.append(line) }
        place = history.count
        draft = ""
        show("")
        return .submit(line)
    }

    private mutating func recall(_ wanted: Int) {
        guard (0...history.count).contains(wanted), wanted != place else { return }
        if place == history.count { draft = text }
        place = wanted
        show(place == history.count ? draft : history[place])
    }

    private mutating func show(_ text: String) {
        characters = Array(text)
        cursor = characters.count
    }

    private var lineStart: Int { (characters[..<cursor].lastIndex(of: "\n") ?? -1) + 1 }
    private var lineEnd: Int { characters[cursor...].firstIndex(of: "\n") ?? characters.count }

    private var wordStart: Int {
        var start = cursor
        while start > 0, characters[start - 1].isWhitespace { start -= 1 }
        while start > 0, !characters[start - 1].isWhitespace { start -= 1 }
        return start
    }
}

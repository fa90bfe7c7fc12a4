// Riff
// SPDX-License-Identifier: Apache-2.0

/// A place in a line, in bytes and in columns: tabs reach to the next multiple of four.
struct LineCursor {
    /// The line without its end.
    let line: Bytes
    private(set) var offset: Int
    private(set) var column = 0
    /// The first byte from ``offset`` on that is neither space nor tab, and its column.
    private(set) var nonspace = -1
    private var nonspaceColumn = 0
    /// Whether only a part of the tab at ``offset`` is behind the cursor.
    private(set) var isInTab = false

    init(_ line: Bytes, offset: Int = 0) {
        self.line = line
        self.offset = offset
    }

    /// The indentation of the rest of the line, in columns. Valid after ``findNonspace()``.
    var indent: Int { nonspaceColumn - column }
    /// Whether nothing follows. Valid after ``findNonspace()``.
    var isBlank: Bool { nonspace >= line.count }
    /// Whether the rest is indented like code. Valid after ``findNonspace()``.
    var isIndented: Bool { indent >= 4 }
    /// The columns left of the tab at ``offset``.
    var columnsToTab: Int { 4 - column % 4 }

    /// The byte at a place; the line's end is a line feed.
    func byte(at place: Int) -> UInt8 { place < line.count ? line[place] : .lineFeed }

    mutating func findNonspace() {
        // What was found stays right while the cursor moves up to it; long indentation is read once.
        guard nonspace <= offset else { return }
        nonspace = offset
        nonspaceColumn = column
        while nonspace < line.count {
            switch line[nonspace] {
            case .space: nonspaceColumn += 1
            case .tab: nonspaceColumn += 4 - nonspaceColumn % 4
            default: return
            }
            nonspace += 1
        }
    }

    mutating func advance(bytes: Int) {
        let end = min(offset + bytes, line.count)
        while offset < end {
            column += line[offset] == .tab ? columnsToTab : 1
            offset += 1
            isInTab = false
        }
    }

    mutating func advance(columns: Int) {
        var left = columns
        while left > 0, offset < line.count {
            let width = line[offset] == .tab ? columnsToTab : 1
            isInTab = width > left
            column += min(width, left)
            if !isInTab { offset += 1 }
            left -= width
        }
    }

    /// Moves to the first byte that is neither space nor tab.
    mutating func skipIndent() { advance(bytes: nonspace - offset) }

    /// Moves over one column of space, if there is one.
    mutating func skipBlank() {
        if byte(at: offset).isBlank { advance(columns: 1) }
    }
}

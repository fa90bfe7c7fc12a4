// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore

/// A table for a terminal: columns as wide as their widest cell.
struct TerminalTable {
    private struct Cell {
        var text = ""
        var alignment: MarkdownNode.Alignment
    }

    private var rows: [[Cell]] = []
    /// Wider cells do not widen the others of their column: one of a megabyte would make as much of each row.
    private static let widest = 100

    mutating func startRow() { rows.append([]) }

    mutating func startCell(_ alignment: MarkdownNode.Alignment) {
        guard !rows.isEmpty else { return }
        rows[rows.count - 1].append(Cell(alignment: alignment))
    }

    mutating func add(_ text: String) {
        guard let row = rows.indices.last, let cell = rows[row].indices.last else { return }
        rows[row][cell].text += text
    }

    /// The table, line by line, with a rule below the header.
    func lines() -> [String] {
        var widths: [Int] = []
        for row in rows {
            for (column, cell) in row.enumerated() {
                if column == widths.count { widths.append(0) }
                widths[column] = max(widths[column], min(Self.width(cell.text), Self.widest))
            }
        }
        var lines = rows.map { row in
            row.enumerated().map { Self.padded($1, to: widths[$0], isLast: $0 + 1 == widths.count) }
                .joined(separator: " │ ")
        }
        if !lines.isEmpty {
            lines.insert(widths.map { String(repeating: "─", count: $0) }.joined(separator: "─┼─"), at: 1)
        }
        return lines
    }

    private static func padded(_ cell: Cell, to width: Int, isLast: Bool) -> String {
        let missing = max(width - Self.width(cell.text), 0)
        let before = cell.alignment == .right ? missing : cell.alignment == .center ? missing / 2 : 0
        let after = isLast ? 0 : missing - before
        return String(repeating: " ", count: before) + cell.text + String(repeating: " ", count: after)
    }

    /// The cells that a text takes; control sequences take none.
    static func width(_ text: String) -> Int {
        var width = 0
        var cells = TextWidth()
        var sequence: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            switch (sequence, scalar) {
            case (nil, "\u{1B}"):
                sequence = scalar
                // A joiner joins nothing over a sequence.
                cells = TextWidth()
            case (nil, _): width += cells.width(of: scalar.value)
            case ("\u{1B}", "["), ("\u{1B}", "]"): sequence = scalar
            case ("[", "@"..."~"), ("\u{1B}", _): sequence = nil
            // An address ends with an escape and a backslash.
            case ("]", "\u{1B}"): sequence = scalar
            default: break
            }
        }
        return width
    }
}

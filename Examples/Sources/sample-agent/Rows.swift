// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore

/// Text cut into the rows of a terminal.
package struct Rows: Sendable, Equatable {
    /// Each row's text.
    package private(set) var texts: [String] = [""]
    /// How many cells each row fills.
    package private(set) var widths: [Int] = [0]

    /// No text yet: one empty row.
    package init() {}

    /// Where the next character would come: a row, and a column in cells.
    package var position: (row: Int, column: Int) { (texts.count - 1, widths[widths.count - 1]) }

    /// Adds text; a character that no longer fits into `columns` cells starts a row, and `\n` starts one that is
    /// indented.
    package mutating func append(_ text: some Sequence<Character>, columns: Int, indent: Int = 0) {
        for character in text {
            if character == "\n" {
                startRow(indent)
                continue
            }
            let cells = CharacterWidth.of(String(character))
            // One cell is left free: a full row would leave the cursor in the terminal's pending-wrap state.
            if position.column + cells > Swift.max(2, columns - 1) { startRow(0) }
            texts[texts.count - 1].append(character)
            widths[widths.count - 1] += cells
        }
    }

    private mutating func startRow(_ indent: Int) {
        texts.append(String(repeating: " ", count: indent))
        widths.append(indent)
    }

    /// How many rows of a terminal `columns` wide the first `count` rows take.
    package func height(ofFirst count: Int, columns: Int) -> Int {
        widths.prefix(count).reduce(0) { $0 + Swift.max(1, ($1 + columns - 1) / columns) }
    }
}

extension Rows {
    /// The rows of one, then those of the other.
    package static func joined(_ first: Rows?, _ second: Rows) -> Rows {
        guard var all = first else { return second }
        all.texts += second.texts
        all.widths += second.widths
        return all
    }
}

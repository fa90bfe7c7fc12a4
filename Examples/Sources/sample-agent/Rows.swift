// Riff
// SPDX-License-Identifier: Apache-2.0

extension Character {
    /// How many cells a terminal gives it: 0, 1 or 2. Wide are East Asian wide and full-width characters (UAX 11) and
    /// what is shown as an emoji.
    package var cells: Int {
        let scalars = unicodeScalars
        guard let first = scalars.first else { return 0 }
        if scalars.contains("\u{FE0F}") { return 2 }
        // Two regional indicators are one flag.
        if (0x1F1E6...0x1F1FF).contains(first.value) { return 2 }
        if first.properties.isEmojiPresentation { return 2 }
        if Self.wide.contains(where: { $0.contains(first.value) }) { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return 1
        }
    }

    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
        0x17000...0x18CFF, 0x1B000...0x1B2FF, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}

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
            let cells = character.cells
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

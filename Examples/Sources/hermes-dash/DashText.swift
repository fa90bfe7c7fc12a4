// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore

/// Rows of text with colors, for a screen that cuts them at its edge.
enum DashText {
    /// Columns at fixed places, each cut off where the next begins; what is in them is no more than text.
    static func row(_ columns: [(column: Int, text: String)]) -> String {
        columns.map { "\u{1B}[\($0.column)G\u{1B}[K" + $0.text }.joined()
    }

    /// What somebody else wrote, as one harmless line.
    static func inert(_ text: String) -> String { InertText.line(text) }

    static func dim(_ text: String) -> String { "\u{1B}[2m\(text)\u{1B}[22m" }
    static func bold(_ text: String) -> String { "\u{1B}[1m\(text)\u{1B}[22m" }
    static func colored(_ text: String, _ color: Int) -> String { "\u{1B}[3\(color)m\(text)\u{1B}[39m" }

    /// Right-aligned ASCII.
    static func right(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// Displayed mathematics: from `$$` or `\[` at a line's start to `$$` or `\]` at a line's end.
enum MathBlockScanner {
    /// The mark of the display that starts at a place: `$` or `[`.
    static func opens(_ line: Bytes, at place: Int) -> UInt8? {
        guard place + 1 < line.count else { return nil }
        let mark: UInt8
        switch (line[place], line[place + 1]) {
        case (UInt8(ascii: "$"), UInt8(ascii: "$")): mark = UInt8(ascii: "$")
        case (.backslash, UInt8(ascii: "[")): mark = UInt8(ascii: "[")
        default: return nil
        }
        let (first, second) = closer(mark)
        var at = place + 2
        while at + 1 < line.count {
            if line[at] == first, line[at + 1] == second {
                // What ends before its line does is mathematics in the text.
                return closes(mark, line, from: place + 2) == at ? mark : nil
            }
            at += 1
        }
        return mark
    }

    /// Returns the place of the closing mark, if a line ends with it.
    static func closes(_ mark: UInt8, _ line: Bytes, from place: Int) -> Int? {
        let (first, second) = closer(mark)
        var end = line.count
        while end > place, line[end - 1].isSpace { end -= 1 }
        guard end - 2 >= place, line[end - 2] == first, line[end - 1] == second else { return nil }
        return end - 2
    }

    private static func closer(_ mark: UInt8) -> (UInt8, UInt8) {
        mark == UInt8(ascii: "$") ? (mark, mark) : (.backslash, UInt8(ascii: "]"))
    }
}

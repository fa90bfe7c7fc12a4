// Riff
// SPDX-License-Identifier: Apache-2.0

/// The state that DECSC keeps and DECRC brings back.
struct SavedState {
    var row = 0
    var column = 0
    var pen = Pen()
    var origin = false
    var charsets = Charsets()
}

/// The state that comes back with the primary screen.
struct BeforeAlternate {
    /// The cursor's place before; `nil` if it was never kept.
    var place: (row: Int, column: Int)?
    var pen = Pen()
}

/// The character sets in use: ASCII, or DEC's line drawing.
struct Charsets {
    /// Whether G0 and G1 are line drawing.
    var isDrawing = (false, false)
    /// Whether G1 is in use, and not G0.
    var usesSecond = false

    var draws: Bool { usesSecond ? isDrawing.1 : isDrawing.0 }

    /// DEC's line drawing, from `_` (0x5F) to `~` (VT100 user guide, table 3-9).
    static let drawing: [UInt32] = Array(" ◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·".unicodeScalars).map(\.value)

    static func drawn(_ byte: UInt8) -> UInt32 {
        byte >= 0x5F && byte < 0x7F ? drawing[Int(byte - 0x5F)] : UInt32(byte)
    }
}

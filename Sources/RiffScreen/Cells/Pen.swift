// Riff
// SPDX-License-Identifier: Apache-2.0

/// What the next character is drawn with.
struct Pen: Hashable {
    var foreground = ScreenColor.standard
    var background = ScreenColor.standard
    var attributes: CellStyle.Attributes = []
    var extra: UInt16 = 0
    /// What ``extra`` stands for.
    var details = CellExtra()

    /// A cell with a glyph.
    @inline(__always)
    func cell(_ glyph: UInt32) -> Cell {
        Cell(glyph: glyph, foreground: foreground, background: background, attributes: attributes, extra: extra)
    }
}

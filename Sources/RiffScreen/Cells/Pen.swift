// Riff
// SPDX-License-Identifier: Apache-2.0

/// The style that the next character is drawn with.
struct Pen: Hashable {
    var foreground = ScreenColor.standard
    var background = ScreenColor.standard
    var attributes: CellStyle.Attributes = []
    var extra: UInt16 = 0
    /// The details that ``extra`` refers to.
    var details = CellExtra()

    /// A cell with a glyph.
    @inline(__always)
    func cell(_ glyph: UInt32) -> Cell {
        Cell(glyph: glyph, foreground: foreground, background: background, attributes: attributes, extra: extra)
    }
}

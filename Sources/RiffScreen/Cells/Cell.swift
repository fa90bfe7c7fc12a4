// Riff
// SPDX-License-Identifier: Apache-2.0

/// One cell as it is kept: 16 bytes, whatever it shows.
///
/// What does not fit is an index: clusters of several scalars, links and underline colors lie in the screen's tables.
struct Cell: Hashable {
    /// The scalar or the cluster's index in the low 24 bits, the ``Flag`` bits above; 0 is a cell that was never
    /// written.
    var glyph: UInt32
    var foreground: ScreenColor
    var background: ScreenColor
    var attributes: CellStyle.Attributes
    /// An index into the table of links and underline colors; 0 is neither.
    var extra: UInt16

    enum Flag {
        /// The low bits are a cluster's index.
        static let cluster: UInt32 = 1 << 31
        /// The left half of a wide cell.
        static let wide: UInt32 = 1 << 30
        /// The right half of a wide cell.
        static let spacer: UInt32 = 1 << 29
    }

    static let content: UInt32 = 0xFF_FFFF

    /// A cell that was never written, or was erased with the default background.
    static let blank = Cell(glyph: 0, foreground: .standard, background: .standard, attributes: [], extra: 0)

    /// A cell that holds a plain space.
    static let space = Cell(glyph: 0x20, foreground: .standard, background: .standard, attributes: [], extra: 0)

    /// An erased cell: it keeps nothing but the background (the erase color of terminfo's `bce`).
    static func erased(_ background: ScreenColor) -> Cell {
        var cell = blank
        cell.background = background
        return cell
    }

    var isWide: Bool { glyph & Flag.wide != 0 }
    var isSpacer: Bool { glyph & Flag.spacer != 0 }
    var isBlank: Bool { glyph == 0 }
    /// The cells that its character takes: none for a right half.
    @inline(__always)
    var width: Int { isSpacer ? 0 : isWide ? 2 : 1 }

    /// Whether it is ``blank``.
    @inline(__always)
    var isPlainBlank: Bool { glyph | style == 0 }

    /// 0 where there is nothing to it but the character.
    @inline(__always)
    var style: UInt32 { foreground.bits | background.bits | UInt32(attributes.rawValue) | UInt32(extra) }

    /// Whether it holds one character, or none, in one cell, and has neither link nor underline of its own color.
    @inline(__always)
    var isSingle: Bool { glyph & ~Self.content | UInt32(extra) == 0 }

    /// The index of its cluster, if it holds one.
    var cluster: Int? { glyph & Flag.cluster != 0 ? Int(glyph & Cell.content) : nil }

    /// Whether the cell is drawn without a style, apart from the text.
    var hasPlainStyle: Bool {
        foreground.bits == 0 && background.bits == 0 && attributes.rawValue == 0 && extra == 0
    }
}

extension Screen {
    /// The number of bytes that a cell on the screen takes.
    package static var bytesPerCell: Int { MemoryLayout<Cell>.stride }
}

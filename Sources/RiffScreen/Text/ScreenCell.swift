// Riff
// SPDX-License-Identifier: Apache-2.0

/// One place on the screen, with everything that it takes to draw it.
public struct ScreenCell: Sendable, Hashable {
    /// Its character with its marks; empty where nothing was written, and for the right half of a wide character.
    public var text: String
    /// The cells that it takes: 1, or 2 for a wide character, whose right half has 0.
    public var width: Int
    /// The style in which it is drawn.
    public var style: CellStyle
    /// The link that a program put on it (OSC 8).
    public var link: ScreenLink?

    /// Creates a cell.
    package init(text: String, width: Int = 1, style: CellStyle = CellStyle(), link: ScreenLink? = nil) {
        self.text = text
        self.width = width
        self.style = style
        self.link = link
    }
}

/// Colors and attributes of a cell.
public struct CellStyle: Sendable, Hashable {
    /// The color of the text.
    public var foreground: ScreenColor
    /// The color behind it.
    public var background: ScreenColor
    /// The color of the line under it; standard is the text's.
    public var underlineColor: ScreenColor
    /// Weight, slant, lines and the like.
    public var attributes: CellStyle.Attributes

    /// A style; without arguments the plain one.
    package init(
        foreground: ScreenColor = .standard,
        background: ScreenColor = .standard,
        underlineColor: ScreenColor = .standard,
        attributes: CellStyle.Attributes = []
    ) {
        self.foreground = foreground
        self.background = background
        self.underlineColor = underlineColor
        self.attributes = attributes
    }
}

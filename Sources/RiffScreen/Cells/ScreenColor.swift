// Riff
// SPDX-License-Identifier: Apache-2.0

/// A color as a program asked for it; what it looks like is the renderer's palette.
public struct ScreenColor: Sendable, Hashable {
    /// The kind of the color.
    public enum Kind: Sendable, Hashable {
        /// The renderer's own foreground or background.
        case standard
        /// An entry of the 256-color palette; 0 to 7 are the plain colors, 8 to 15 the bright ones.
        case palette(UInt8)
        /// Red, green and blue.
        case rgb(UInt8, UInt8, UInt8)
    }

    /// Bits 24 and 25: the kind; below them the number or the three parts.
    package let bits: UInt32

    package init(bits: UInt32) { self.bits = bits }

    /// The renderer's own foreground or background.
    public static let standard = ScreenColor(bits: 0)

    /// An entry of the 256-color palette.
    public static func palette(_ index: UInt8) -> ScreenColor { ScreenColor(bits: 1 << 24 | UInt32(index)) }

    /// Red, green and blue.
    public static func rgb(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> ScreenColor {
        ScreenColor(bits: 2 << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue))
    }

    /// The kind of the color, with its parts.
    public var kind: Kind {
        switch bits >> 24 {
        case 0: .standard
        case 1: .palette(UInt8(truncatingIfNeeded: bits))
        default:
            .rgb(
                UInt8(truncatingIfNeeded: bits >> 16),
                UInt8(truncatingIfNeeded: bits >> 8),
                UInt8(truncatingIfNeeded: bits)
            )
        }
    }
}

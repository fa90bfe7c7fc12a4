// Riff
// SPDX-License-Identifier: Apache-2.0

extension CellStyle {
    /// The style of a cell's text, besides its colors (SGR, ECMA-48 8.3.117 and its common extensions).
    public struct Attributes: OptionSet, Sendable, Hashable {
        /// The bits; the lowest three hold the underline's style.
        public var rawValue: UInt16

        /// Attributes from bits.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// SGR 1.
        public static let bold = CellStyle.Attributes(rawValue: 1 << 3)
        /// SGR 2.
        public static let dim = CellStyle.Attributes(rawValue: 1 << 4)
        /// SGR 3.
        package static let italic = CellStyle.Attributes(rawValue: 1 << 5)
        /// SGR 5 and 6.
        package static let blink = CellStyle.Attributes(rawValue: 1 << 6)
        /// SGR 7: foreground and background change places.
        public static let reverse = CellStyle.Attributes(rawValue: 1 << 7)
        /// SGR 8: takes its place and is not shown.
        public static let hidden = CellStyle.Attributes(rawValue: 1 << 8)
        /// SGR 9.
        public static let strikethrough = CellStyle.Attributes(rawValue: 1 << 9)
        /// SGR 53.
        package static let overline = CellStyle.Attributes(rawValue: 1 << 10)

        /// The line under the text.
        public var underline: CellStyle.Underline {
            get { CellStyle.Underline(rawValue: UInt8(truncatingIfNeeded: rawValue & 7)) ?? .none }
            set { rawValue = rawValue & ~7 | UInt16(newValue.rawValue) }
        }
    }
}

extension CellStyle {
    /// The line under a cell's text: SGR 4, 21 and `4:n`.
    public enum Underline: UInt8, Sendable, Hashable, CaseIterable {
        /// No line.
        case none
        /// One line.
        case single
        /// Two lines.
        case double
        /// An underline as a wave.
        case curly
        /// An underline of dots.
        case dotted
        /// An underline of dashes.
        case dashed
    }
}

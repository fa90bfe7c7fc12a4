// Riff
// SPDX-License-Identifier: Apache-2.0

/// The look of colors in a picture.
public struct ScreenPalette: Sendable, Hashable {
    /// The color of text without one, as `#rrggbb`.
    public var foreground: String
    /// The color behind text without one.
    public var background: String
    /// The first sixteen colors.
    public var sixteen: [String]

    /// Creates a palette.
    ///
    /// - Parameters:
    ///   - foreground: As `#rrggbb`, like all others.
    ///   - background: Behind the text.
    ///   - sixteen: Sixteen colors; others are not used.
    package init(foreground: String, background: String, sixteen: [String]) {
        self.foreground = foreground
        self.background = background
        self.sixteen = sixteen
    }

    /// Light on dark.
    public static let dark = ScreenPalette(
        foreground: "#d7dae0",
        background: "#14161b",
        sixteen: [
            "#2b2f38", "#e06c75", "#98c379", "#e5c07b", "#61afef", "#c678dd", "#56b6c2", "#c8ccd4", "#5c6370",
            "#ff7b86",
            "#b1e08f", "#ffd68a", "#7cc4ff", "#de8ff5", "#6fd3de", "#ffffff",
        ]
    )

    /// A color as `#rrggbb`; `nil` for the standard one.
    public func hex(_ color: ScreenColor) -> String? {
        switch color.kind {
        case .standard: return nil
        case .rgb(let red, let green, let blue): return Self.hex(Int(red), Int(green), Int(blue))
        case .palette(let index) where index < 16: return Int(index) < sixteen.count ? sixteen[Int(index)] : nil
        case .palette(let index) where index < 232:
            let levels = [0, 95, 135, 175, 215, 255]
            let number = Int(index) - 16
            return Self.hex(levels[number / 36], levels[number / 6 % 6], levels[number % 6])
        case .palette(let index):
            let gray = 8 + 10 * (Int(index) - 232)
            return Self.hex(gray, gray, gray)
        }
    }

    private static func hex(_ parts: Int...) -> String {
        "#" + parts.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The colors that a style is drawn with, after reverse; `nil` for the standard ones.
    func colors(_ style: CellStyle) -> (foreground: String?, background: String?) {
        let (front, back) = (hex(style.foreground), hex(style.background))
        guard style.attributes.contains(.reverse) else { return (front, back) }
        return (back ?? background, front ?? foreground)
    }
}

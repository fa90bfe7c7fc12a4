// Riff
// SPDX-License-Identifier: Apache-2.0

extension ScreenPicture {
    /// The rows as text with control sequences, as another terminal shows them: a line feed between rows, space at
    /// their ends left out, links as OSC 8.
    public var ansi: String {
        var result = ""
        var style = CellStyle()
        var link: ScreenLink?
        for (index, row) in rows.enumerated() {
            if index > 0 { result += "\n" }
            let end = (row.cells.lastIndex { !$0.isPlainBlank } ?? -1) + 1
            for cell in row.cells.prefix(end) where cell.width > 0 {
                if cell.style != style {
                    result += "\u{1B}[0" + cell.style.parameters + "m"
                    style = cell.style
                }
                if cell.link != link {
                    link = cell.link
                    let id = link?.id.map { "id=" + $0 } ?? ""
                    result += "\u{1B}]8;\(id);\(link?.uri ?? "")\u{1B}\\"
                }
                result += cell.text.isEmpty ? " " : cell.text
            }
        }
        if link != nil { result += "\u{1B}]8;;\u{1B}\\" }
        return style == CellStyle() ? result : result + "\u{1B}[0m"
    }
}

extension ScreenCell {
    var isPlainBlank: Bool { (text.isEmpty || text == " ") && width == 1 && style == CellStyle() && link == nil }
}

extension CellStyle {
    /// The SGR parameters after a reset, each with its `;`.
    var parameters: String {
        let flags: [(CellStyle.Attributes, Int)] = [
            (.bold, 1), (.dim, 2), (.italic, 3), (.blink, 5), (.reverse, 7), (.hidden, 8), (.strikethrough, 9),
            (.overline, 53),
        ]
        var parts = flags.filter { attributes.contains($0.0) }.map { "\($0.1)" }
        if attributes.underline == .single { parts.append("4") }
        if attributes.underline.rawValue > 1 { parts.append("4:\(attributes.underline.rawValue)") }
        parts += Self.parameters(foreground, base: 38) + Self.parameters(background, base: 48)
        parts += Self.parameters(underlineColor, base: 58)
        return parts.map { ";" + $0 }.joined()
    }

    private static func parameters(_ color: ScreenColor, base: Int) -> [String] {
        switch color.kind {
        case .standard: []
        case .palette(let index) where index < 8 && base < 58: ["\(base - 8 + Int(index))"]
        case .palette(let index) where index < 16 && base < 58: ["\(base + 44 + Int(index))"]
        case .palette(let index): ["\(base);5;\(index)"]
        case .rgb(let red, let green, let blue): ["\(base);2;\(red);\(green);\(blue)"]
        }
    }
}

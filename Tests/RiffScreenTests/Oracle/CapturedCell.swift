// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffScreen

/// A cell as `capture-pane -e` tells it: the right halves of wide characters are not among them.
struct CapturedCell: Hashable {
    var text: String
    var look = CapturedLook()

    /// A cell of a screen; `nil` for a right half.
    init?(_ cell: ScreenCell) {
        guard cell.width > 0 else { return nil }
        text = cell.text.isEmpty ? " " : cell.text
        look.foreground = CapturedLook.name(cell.style.foreground)
        look.background = CapturedLook.name(cell.style.background)
        let flags: [(CellStyle.Attributes, Int)] = [
            (.bold, 1), (.dim, 2), (.italic, 3), (.blink, 5), (.reverse, 7), (.hidden, 8), (.strikethrough, 9),
            (.overline, 53),
        ]
        look.attributes = Set(flags.filter { cell.style.attributes.contains($0.0) }.map(\.1))
        look.underline = Int(cell.style.attributes.underline.rawValue)
    }

    init(text: String, look: CapturedLook) {
        self.text = text
        self.look = look
    }

    /// As a capture shows it, which does not tell joined characters from neighbors. Where the cursor stands does.
    var pieces: [CapturedCell] {
        var pieces: [CapturedCell] = []
        for scalar in text.unicodeScalars {
            if CharacterWidth.of(scalar.value) == 0, let last = pieces.indices.last {
                pieces[last].text.unicodeScalars.append(scalar)
            } else {
                pieces.append(CapturedCell(text: String(scalar), look: look))
            }
        }
        return pieces
    }
}

/// Colors and attributes by SGR's own numbers.
struct CapturedLook: Hashable {
    var foreground = ""
    var background = ""
    var attributes: Set<Int> = []
    var underline = 0

    static func name(_ color: ScreenColor) -> String {
        switch color.kind {
        case .standard: ""
        case .palette(let index): "\(index)"
        case .rgb(let red, let green, let blue): "\(red)/\(green)/\(blue)"
        }
    }
}

/// Reads what `capture-pane -e -p` prints, without anything of the screen that is tested but the widths of characters.
struct CaptureReader {
    struct Unknown: Error { let text: String }

    private var look = CapturedLook()
    private var isDrawing = false
    private var cells: [CapturedCell] = []

    static func read(_ capture: String) throws -> [[CapturedCell]] {
        var reader = CaptureReader()
        return try capture.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            reader.cells = []
            try reader.read(line)
            return reader.cells
        }
    }

    private mutating func read(_ line: Substring) throws {
        var rest = line.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\u{0E}": isDrawing = true
            case "\u{0F}": isDrawing = false
            case "\u{1B}":
                guard let end = rest.firstIndex(of: "m"), rest.first == "[" else { throw Unknown(text: String(line)) }
                try select(String(rest[..<end].dropFirst()))
                rest = rest[rest.index(after: end)...]
            default: append(scalar)
            }
        }
    }

    private static let drawing = Array(" ◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·")

    private mutating func append(_ scalar: Unicode.Scalar) {
        if CharacterWidth.of(scalar.value) == 0, let last = cells.indices.last {
            cells[last].text.unicodeScalars.append(scalar)
        } else if isDrawing, (0x5F..<0x7F).contains(scalar.value) {
            cells.append(CapturedCell(text: String(Self.drawing[Int(scalar.value) - 0x5F]), look: look))
        } else {
            cells.append(CapturedCell(text: String(scalar), look: look))
        }
    }

    private mutating func select(_ parameters: String) throws {
        var codes = parameters.split(separator: ";", omittingEmptySubsequences: false)[...]
        while let code = codes.popFirst() {
            if code.hasPrefix("4:"), let style = Int(code.dropFirst(2)) {
                look.underline = style
            } else if code == "5:3" {
                // How 3.3a prints 53.
                look.attributes.insert(53)
            } else if let number = Int(code.isEmpty ? "0" : code) {
                try select(number, &codes)
            } else {
                throw Unknown(text: parameters)
            }
        }
    }

    private mutating func select(_ number: Int, _ codes: inout ArraySlice<Substring>) throws {
        switch number {
        case 0: look = CapturedLook()
        case 4: look.underline = 1
        case 1, 2, 3, 5, 7, 8, 9: look.attributes.insert(number)
        case 30...37: look.foreground = "\(number - 30)"
        case 39: look.foreground = ""
        case 40...47: look.background = "\(number - 40)"
        case 49: look.background = ""
        case 90...97: look.foreground = "\(number - 82)"
        case 100...107: look.background = "\(number - 92)"
        case 38, 48:
            let color: String
            if codes.popFirst() == "5" {
                color = String(codes.popFirst() ?? "")
            } else {
                color = codes.prefix(3).joined(separator: "/")
                codes = codes.dropFirst(3)
            }
            if number == 38 { look.foreground = color } else { look.background = color }
        default: throw Unknown(text: "\(number)")
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// One row of a terminal's screen, compared scalar by scalar: a mark that joins the space before it moves no column.
struct ScreenRow: Sendable, Hashable {
    /// The row without spaces at its end.
    let scalars: [Unicode.Scalar]

    init(_ text: String) {
        var scalars = Array(text.unicodeScalars)
        while scalars.last == " " || scalars.last == "\r" { scalars.removeLast() }
        self.scalars = scalars
    }

    /// Whether nothing but spaces is in it; a space that is not the ordinary one counts as blank too.
    var isBlank: Bool { scalars.allSatisfy(\.properties.isWhitespace) }

    /// The number of spaces before the first character.
    var indent: Int { scalars.prefix { $0 == " " }.count }

    /// The row without white space around it.
    var text: String {
        let start = scalars.prefix { $0.properties.isWhitespace }.count
        let end = scalars.reversed().prefix { $0.properties.isWhitespace }.count
        return start < scalars.count - end ? String(scalars[start..<(scalars.count - end)]) : ""
    }

    /// The least number of columns that the row takes: wide characters count as one here, marks as none.
    var leastWidth: Int {
        scalars.count { scalar in
            if scalar.value < 0x300 || (0x2500..<0x2600).contains(scalar.value) { return true }
            return !scalar.properties.isDefaultIgnorableCodePoint && !scalar.isMark
        }
    }

    /// The length of the row if it is made of one character from its first column on; 0 if it is not, or is short.
    func rule(of scalar: Unicode.Scalar) -> Int {
        scalars.count >= ScreenRow.shortestRule && scalars.allSatisfy { $0 == scalar } ? scalars.count : 0
    }

    /// The least length of a rule from the first column on that holds a name near its end: `────── name ─`; 0 if it is
    /// none.
    var namedRule: Int {
        let start = scalars.prefix { $0 == "─" }.count
        guard start >= 3, start < scalars.count - 3, scalars[start] == " ", scalars.suffix(2) == [" ", "─"], isPlain
        else { return 0 }
        return leastWidth
    }

    /// No program draws its questions on a narrower screen.
    static let shortestRule = 20

    /// The text without the sides of a box around it.
    var unboxed: String {
        let start = scalars.prefix(while: ScreenRow.isSide).count
        let end = scalars.reversed().prefix(while: ScreenRow.isSide).count
        return start < scalars.count - end ? String(scalars[start..<(scalars.count - end)]) : ""
    }

    private static func isSide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case " ", "\u{A0}", "\t", "|", "│", "┃", "║", "▌", "▎", "▏", "▐": true
        default: false
        }
    }

    /// Whether lines are drawn in it: three or more characters for boxes, blocks or rules in a row.
    var holdsDrawing: Bool {
        var run = 0
        for scalar in scalars {
            switch scalar.value {
            case 0x2500...0x259F, 0x23AF, 0x23BA...0x23BD, 0x2015, 0x2E3A, 0x2E3B, 0x1FB70...0x1FB8F: run += 1
            default: run = 0
            }
            if run == 3 { return true }
        }
        return false
    }

    /// Whether all of it can be seen where it stands: no controls, no marks of direction, nothing without width or ink,
    /// no mark on a space, and no space but the ordinary one.
    var isPlain: Bool {
        var previous: Unicode.Scalar = " "
        for scalar in scalars {
            if !(0x20..<0x7F).contains(scalar.value), !scalar.isPlain || scalar.isMark && previous == " " {
                return false
            }
            previous = scalar
        }
        return true
    }
}

extension Unicode.Scalar {
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: true
        default: false
        }
    }

    fileprivate var isPlain: Bool {
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
        case .spaceSeparator: self == " "
        // A braille pattern without dots; and what a program shows in place of a character that it hides.
        default: !properties.isDefaultIgnorableCodePoint && value != 0x2800 && value != 0xFFFD
        }
    }
}

extension String {
    init(_ scalars: some Sequence<Unicode.Scalar>) {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        self = String(view)
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore

/// The words of a peer that wants the terminal of whoever reads them.
package enum HostileWords {
    /// The clipboard (OSC 52), an erased screen (CSI 2J), a cursor that moves, a device control string, C1 controls,
    /// marks that turn the direction of writing, and single controls, each between letters that stay.
    package static let text =
        "evil\u{1B}]52;c;aGk=\u{7}a\u{1B}[2Jb\u{1B}[8866;1Hc\u{1B}Pq8866\u{1B}\\d\u{9B}8866me\u{85}f\u{202E}g\u{2066}h"
        + "\u{200F}i\u{61C}j\u{8}k\u{7F}l\u{9D}0;8866\u{9C}m\u{E}n\rz"

    /// The beginning of what is left to read of them.
    package static let left = "evil]52;c;aGk=a[2Jb"

    /// The words as they stand in JSON, with the marks around them.
    package static let json = String(decoding: JSONValue.string(text).bytes(), as: UTF8.self)

    /// The words as SQLite reads them, whatever is between.
    package static let sql = "CAST(x'\(text.utf8.map { String(format: "%02x", $0) }.joined())' AS TEXT)"
}

/// Ways to read the output of a program.
package enum OutputReader {
    /// Nothing in the output is for a terminal.
    case pipe
    /// A terminal that the program writes lines to: it makes a carriage return and a line feed of each end.
    case lines
    /// A terminal that the program draws on.
    case drawing
}

extension [UInt8] {
    /// What a reader would obey of this output and is not the program's own: nothing, whatever a peer says.
    package func foreign(to reader: OutputReader) -> [String] {
        var found: [String] = []
        var before = ""
        var rest = Array<Unicode.Scalar>(String(decoding: self, as: UTF8.self).unicodeScalars)[...]
        while let scalar = rest.popFirst() {
            var sequence = ""
            switch scalar.value {
            case 0x09, 0x0A: break
            case 0x0D where reader != .pipe: break
            case 0x1B where reader == .drawing:
                sequence = Self.sequence(&rest)
                if !Self.isOwn(sequence, after: before) { found.append("ESC \(sequence)") }
            case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069:
                found.append("U+\(String(scalar.value, radix: 16, uppercase: true))")
            default: break
            }
            before = sequence
        }
        return found
    }

    /// The rest of a sequence, behind its escape character.
    private static func sequence(_ rest: inout ArraySlice<Unicode.Scalar>) -> String {
        guard let first = rest.popFirst() else { return "" }
        var sequence = String(first)
        guard first == "[" else { return sequence }
        while let scalar = rest.popFirst() {
            sequence.unicodeScalars.append(scalar)
            if (0x40...0x7E).contains(scalar.value) { break }
        }
        return sequence
    }

    /// The examples' own: colors, the cursor, erasing, modes. Hostile words have a number that is in none of these, and
    /// a letter in front of what erases a whole screen, which the examples do behind a reset alone.
    private static func isOwn(_ sequence: String, after before: String) -> Bool {
        if sequence == "[2J" { return before == "[0m" }
        guard sequence.hasPrefix("["), !sequence.contains("8866"), let last = sequence.last else {
            return sequence == ">"
        }
        return "mHJKAGhlq".contains(last)
    }
}

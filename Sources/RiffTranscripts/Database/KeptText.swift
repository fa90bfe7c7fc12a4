// Riff
// SPDX-License-Identifier: Apache-2.0

/// Texts as the database keeps them: without U+0000, at which SQLite's functions and its readers end a text.
///
/// U+001A and a digit stand for it, and for U+001A itself; hardly any text holds either.
enum KeptText {
    private static let mark: Unicode.Scalar = "\u{1A}"

    static func kept(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0 || $0 == 0x1A }) else { return text }
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\u{0}": kept.append(contentsOf: [mark, "0"])
            case mark: kept.append(contentsOf: [mark, "1"])
            default: kept.append(scalar)
            }
        }
        return String(kept)
    }

    static func kept(orNil text: String?) -> String? { text.map { kept($0) } }

    static func whole(_ kept: String) -> String {
        guard kept.utf8.contains(0x1A) else { return kept }
        var text = String.UnicodeScalarView()
        var isMarked = false
        for scalar in kept.unicodeScalars {
            if isMarked {
                text.append(scalar == "0" ? "\u{0}" : mark)
                isMarked = false
            } else if scalar == mark {
                isMarked = true
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }

    static func whole(orNil kept: String?) -> String? { kept.map { whole($0) } }
}

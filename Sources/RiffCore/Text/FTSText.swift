// Riff
// SPDX-License-Identifier: Apache-2.0

/// The classes that SQLite's tokenizers sort characters into.
package enum FTSText {
    /// Whether a character ends a word.
    package static func isSpace(_ character: Character) -> Bool { character.isWhitespace }

    /// Whether `unicode61` finds a word in a text: letters, digits and private characters make words.
    package static func hasWord(_ text: String) -> Bool { text.unicodeScalars.contains(where: isWord) }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .privateUse:
            true
        default: false
        }
    }

    /// Returns whether a word is found as a part of the text only: it is in a script that is written without spaces, or
    /// its words are glued to others, or there is no word in it, or an emoji.
    package static func needsSubstrings(_ text: String) -> Bool {
        !hasWord(text) || text.unicodeScalars.contains { isUnspaced($0) || isEmoji($0) }
    }

    private static func isEmoji(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value > 0x203B && scalar.properties.isEmoji
    }

    private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Thai, Lao, Tibetan, Myanmar; Hangul Jamo; Khmer.
        case 0x0E00...0x0FFF, 0x1000...0x109F, 0x1100...0x11FF, 0x1780...0x17FF: true
        // Radicals, kana, Bopomofo, Hangul, ideographs; half and full width forms of kana and Hangul.
        case 0x2E80...0x2FDF, 0x3040...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA960...0xA97F, 0xAC00...0xD7FF,
            0xF900...0xFAFF, 0xFF66...0xFFDC, 0x1B000...0x1B16F, 0x20000...0x3FFFF:
            true
        default: false
        }
    }

    /// Whether a text has letters beyond ASCII that are upper or lower case.
    package static func hasCaseBeyondASCII(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.value >= 0x80 && $0.properties.isCased }
    }

    /// The pattern of `LIKE ? ESCAPE '\'` that finds a text; only letters of ASCII are found whatever their case.
    package static func pattern(_ text: String) -> String {
        var pattern = "%"
        for scalar in text.unicodeScalars {
            if scalar == "%" || scalar == "_" || scalar == "\\" { pattern.unicodeScalars.append("\\") }
            pattern.unicodeScalars.append(scalar)
        }
        return pattern + "%"
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// Pictures within a text, whose names a voice would read out: emoji in all their forms, arrows, stars, ticks and the
/// icons of terminal fonts.
enum SpokenPictures {
    /// The text without them, with a space where one was; signs that are words, such as © and ™, stay.
    static func removed(from text: String) -> String {
        // Most text has none.
        guard text.utf8.contains(where: { $0 >= 0xC2 }) else { return text }
        var result = ""
        for character in text {
            if isPicture(character) {
                result += " "
            } else if character.utf8.count < 3 {
                result.append(character)
            } else {
                result.unicodeScalars.append(contentsOf: character.unicodeScalars.filter { !isVariant($0) })
            }
        }
        return result
    }

    /// Prose without them, and without the space that they leave; as it was where nothing else is in it.
    static func leftOut(of prose: String) -> String {
        let rest = removed(from: prose)
        guard rest != prose, !rest.allSatisfy({ $0.isWhitespace || $0.isPunctuation }) else { return prose }
        return rest.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map {
            $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }.joined(separator: "\n")
    }

    /// Whether a character as a person sees it is a picture.
    static func isPicture(_ character: Character) -> Bool {
        let scalars = character.unicodeScalars
        guard let first = scalars.first else { return false }
        if first.isASCII {
            // "1" in a box; the digit alone has the property of an emoji, too.
            return first.properties.isEmoji && scalars.contains { $0.value == 0x20E3 }
        }
        if signs.contains(first) { return false }
        if isVariant(first) { return true }
        if inSentences.contains(first) { return scalars.contains { $0.value == 0xFE0F } }
        return first.properties.isEmoji || isSymbol(first)
    }

    /// Signs that are read as the words they stand for.
    private static let signs: Set<Unicode.Scalar> = ["©", "®", "™", "‼", "⁉"]
    /// Japanese signs that are pictures only where the text says so.
    private static let inSentences: Set<Unicode.Scalar> = ["〰", "〽", "㊗", "㊙"]

    /// Returns whether a scalar changes the look of the character before it, and is nothing by itself: variation
    /// selectors, the colors of skin, the box of a key, and the letters of a flag.
    private static func isVariant(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0xFE0E, 0xFE0F, 0x20E3, 0x1F3FB...0x1F3FF, 0xE0020...0xE007F: true
        default: false
        }
    }

    private static func isSymbol(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        // Digits in circles are numbers.
        case 0x2776...0x2793: false
        // Arrows, shapes, dingbats, the dots that spinners are made of.
        case 0x2190...0x21FF, 0x25A0...0x27BF, 0x2800...0x28FF, 0x2B00...0x2BFF: true
        case 0x1F000...0x1F0FF, 0x1F200...0x1FBFF: true
        // Icons of fonts made for terminals.
        case 0xE000...0xF8FF, 0xF0000...0x10FFFF: true
        default: false
        }
    }
}

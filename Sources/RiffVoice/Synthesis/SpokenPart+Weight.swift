// Riff
// SPDX-License-Identifier: Apache-2.0

extension SpokenPart {
    /// The weights that the scripts of a text give its length and its words.
    enum Weight {
        private enum Script {
            case other
            case han
            case hiragana
            case katakana
            case hangul
            /// Thai, Lao, Khmer and Burmese: neither spaces nor marks between words.
            case unmarked
            case wideMark
        }

        private static func script(_ character: Character) -> Script {
            guard let scalar = character.unicodeScalars.first, scalar.value >= 0xE00 else { return .other }
            return switch scalar.value {
            case 0xE01...0xEFF, 0x1000...0x109F, 0x1780...0x17FF: .unmarked
            case 0x3005...0x3007, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: .han
            case 0x3041...0x309F: .hiragana
            case 0x30A0...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F: .katakana
            case 0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7AF: .hangul
            case 0x3000...0x3004, 0x3008...0x303F, 0xFF01...0xFF0F, 0xFF1A...0xFF20, 0xFF5B...0xFF65: .wideMark
            default: .other
            }
        }

        /// Returns the time that a character takes to say, a Latin letter being one.
        static func of(_ character: Character) -> Int {
            switch script(character) {
            case .han: 4
            case .hiragana, .katakana, .hangul, .wideMark: 2
            case .other, .unmarked: 1
            }
        }

        /// Whether it belongs to a script without spaces between words.
        static func isSpaceless(_ character: Character) -> Bool {
            switch script(character) {
            case .han, .hiragana, .katakana, .wideMark: true
            case .other, .hangul, .unmarked: false
            }
        }

        static func isHiragana(_ character: Character) -> Bool { script(character) == .hiragana }

        /// Whether it belongs to a script whose spaces part sentences.
        static func isUnmarked(_ character: Character) -> Bool { script(character) == .unmarked }

        /// Whether a word may begin at a place: another script begins, but no ending of a Japanese verb; or a vowel
        /// that Thai and Lao write before its consonant.
        static func isBreak(_ text: [Character], at place: Int) -> Bool {
            guard place > 0, place < text.count else { return false }
            let (before, after) = (script(text[place - 1]), script(text[place]))
            if after == .wideMark { return false }
            if before == .wideMark { return true }
            if before == .unmarked, after == .unmarked {
                let vowel = text[place].unicodeScalars.first?.value ?? 0
                return (0xE40...0xE44).contains(vowel) || (0xEC0...0xEC4).contains(vowel)
            }
            return before != after && !(before == .han && after == .hiragana) && after != .other
                || before != after && before != .other && after == .other && text[place].isLetter
        }
    }
}

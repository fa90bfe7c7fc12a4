// Riff
// SPDX-License-Identifier: Apache-2.0

/// The words of an utterance as a recognizer gave it: without case and punctuation, which recognizers put where they
/// like.
struct UtteranceWords: Sendable, Hashable {
    /// Lower case, apostrophes straight; hyphens and apostrophes inside of words stay.
    let words: [String]
    /// Whether it was written as going on: an ellipsis, a comma, a dash or a colon at its end.
    let trailsOff: Bool

    init(_ text: String) {
        words = Self.words(of: text)
        trailsOff = Self.trailsOff(text)
    }

    private static func words(of text: String) -> [String] {
        var words: [String] = []
        var word = ""
        func endWord() {
            let bare = word.trimmed { "'-.,".contains($0) }
            if !bare.isEmpty { words.append(bare) }
            word = ""
        }
        for character in text.lowercased() {
            switch character {
            case "\u{2019}", "\u{2018}", "\u{02BC}", "'": word.append("'")
            case "-", "\u{2010}", "\u{2011}": word.append("-")
            case _ where character.isLetter || character.isNumber: word.append(character)
            // A dot or a comma inside of a number or a name belongs to it; at its end it is punctuation, and taken off.
            case "." where !word.isEmpty, "," where word.last?.isNumber == true: word.append(character)
            default: endWord()
            }
        }
        endWord()
        return words
    }

    private static func trailsOff(_ text: String) -> Bool {
        let tail = text.reversed().drop { $0.isWhitespace || $0 == "\"" || $0 == "\u{201D}" }
        guard let last = tail.first else { return false }
        return last == "\u{2026}" || tail.prefix(2).elementsEqual("..") || ",:;-\u{2013}\u{2014}".contains(last)
    }
}

extension String {
    fileprivate func trimmed(_ isOutside: (Character) -> Bool) -> String {
        var rest = self[...]
        while let first = rest.first, isOutside(first) { rest = rest.dropFirst() }
        while let last = rest.last, isOutside(last) { rest = rest.dropLast() }
        return String(rest)
    }
}

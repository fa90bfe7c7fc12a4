// Riff
// SPDX-License-Identifier: Apache-2.0

/// The words of an utterance as a recogniser gave it: without case and punctuation, which recognisers put where they like.
struct UtteranceWords: Sendable, Hashable {
    /// Lower case, apostrophes straight; hyphens and apostrophes inside of words stay.
    let words: [String]
    /// Whether it was written as going on: an ellipsis, a comma, a dash or a colon at its end.
    let trailsOff: Bool

    init(_ text: String) {
        var words: [String] = []
        var word = ""
        func end() {
            let trimmed = word.trimmed { $0 == "'" || $0 == "-" }
            if !trimmed.isEmpty { words.append(trimmed) }
            word = ""
        }
        for character in text.lowercased() {
            switch character {
            case "\u{2019}", "\u{2018}", "\u{02BC}", "'": word.append("'")
            case "-", "\u{2010}", "\u{2011}": word.append("-")
            case _ where character.isLetter || character.isNumber: word.append(character)
            // A dot or a comma inside of a number or a name belongs to it; at its end it is punctuation, and taken off.
            case "." where !word.isEmpty, "," where word.last?.isNumber == true: word.append(character)
            default: end()
            }
        }
        end()
        self.words = words.flatMap { word in
            let bare = word.trimmed { $0 == "." || $0 == "," }
            return bare.isEmpty ? [] : [bare]
        }
        let tail = text.reversed().drop { $0.isWhitespace || $0 == "\"" || $0 == "\u{201D}" }
        let last = tail.first
        let isEllipsis = last == "\u{2026}" || tail.prefix(2).elementsEqual("..")
        trailsOff = isEllipsis || last.map { ",:;-\u{2013}\u{2014}".contains($0) } == true
    }

    var last: String? { words.last }

    /// The word at a distance from the end, 0 being the last one.
    func fromEnd(_ distance: Int) -> String? {
        words.count > distance ? words[words.count - 1 - distance] : nil
    }

    /// Whether it ends in these words.
    func ends(_ phrase: String) -> Bool {
        let phrase = phrase.split(separator: " ")
        return words.count >= phrase.count && zip(words.suffix(phrase.count), phrase).allSatisfy { $0 == $1 }
    }

    /// Whether it ends in one of these phrases, which a comma separates.
    func endsInOne(of phrases: [String]) -> Bool { phrases.contains { ends($0) } }

    /// Without words that only begin a turn ("okay so ...").
    func withoutOpening(_ openers: Set<String>) -> ArraySlice<String> {
        words.dropLast(0).drop { openers.contains($0) }
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

// Riff
// SPDX-License-Identifier: Apache-2.0

extension SentenceTextToSpeech {
    /// Cuts a text into pieces that are spoken one after another, so that speech begins before all of the text is made.
    ///
    /// A piece ends where a sentence does; one that is too long is cut at a comma or between words. Initials, common
    /// abbreviations, numbers and names with a point in them end no sentence. In Chinese and Japanese the marks alone
    /// tell where that is, in Thai the spaces.
    public struct Sentences: Sendable {
        /// The most characters of a piece. One of Chinese counts as four, and one of Japanese or Korean as two, as long
        /// as they take to say.
        package var longest: Int
        /// Pieces shorter than this are joined with the next one: a lone "Yes." costs a request of its own.
        package var shortest: Int

        private let language: SpokenLanguage?

        /// Pieces of 20 to 300 characters, unless said otherwise; a Chinese one counts as four.
        ///
        /// - Parameters:
        ///   - shortest: The least characters of a piece, where the text has more.
        ///   - longest: The most characters of a piece.
        ///   - language: The text's language, as a BCP 47 tag: its abbreviations and dates end no sentence.
        public init(shortest: Int = 20, longest: Int = 300, language: String = "en") {
            self.language = SpokenLanguage(tag: language)
            self.shortest = shortest
            self.longest = max(1, longest)
        }

        /// The pieces of a text, in order, without white space around them; joined by spaces they have the text's
        /// words.
        package func pieces(of text: String) -> [String] {
            var pieces: [(text: String, weight: Int)] = []
            var (piece, weight, isSpaced) = ("", 0, true)
            func end() {
                if !piece.isEmpty { pieces.append((piece, weight)) }
                (piece, weight) = ("", 0)
            }
            for line in text.split(whereSeparator: \.isNewline) {
                let words = line.split(whereSeparator: \.isWhitespace)
                for (place, word) in words.enumerated() {
                    let next = place + 1 < words.count ? words[place + 1] : nil
                    for part in SpokenPart.parts(of: word, before: next, longest: longest, language) {
                        if !piece.isEmpty, weight + 1 + part.weight > longest { end() }
                        if piece.isEmpty { isSpaced = part.isSpaced }
                        if part.isSpaced, !piece.isEmpty {
                            piece += " "
                            weight += 1
                        }
                        piece += part.text
                        weight += part.weight
                        if weight >= shortest, part.end == .sentence { end() }
                        if weight > longest / 2, part.end == .clause { end() }
                    }
                }
                if weight >= shortest { end() }
            }
            // A short end goes with what is before it, where that has room.
            if let last = pieces.last, !piece.isEmpty, weight < shortest, last.weight + 1 + weight <= longest {
                pieces[pieces.count - 1].text += (isSpaced ? " " : "") + piece
            } else {
                end()
            }
            return pieces.map(\.text)
        }
    }
}

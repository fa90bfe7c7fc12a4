// Riff
// SPDX-License-Identifier: Apache-2.0

extension SentenceTextToSpeech {
    /// Cuts a text into pieces that are spoken one after another, so that speech begins before all of the text is made.
    ///
    /// A piece ends where a sentence does; one that is too long is cut at a comma or between words. Initials, common
    /// abbreviations, numbers and names with a point in them end no sentence.
    public struct Sentences: Sendable {
        /// The most characters of a piece.
        package var longest: Int
        /// Pieces shorter than this are joined with the next one: a lone "Yes." costs a request of its own.
        package var shortest: Int

        /// Pieces of 20 to 300 characters, unless said otherwise.
        public init(shortest: Int = 20, longest: Int = 300) {
            self.shortest = shortest
            self.longest = max(1, longest)
        }

        /// The pieces of a text, in order, without white space around them; joined by spaces they have the text's
        /// words.
        package func pieces(of text: String) -> [String] {
            var pieces: [String] = []
            var piece = ""
            func end() {
                if !piece.isEmpty { pieces.append(piece) }
                piece = ""
            }
            for line in text.split(separator: "\n") {
                let words = line.split(whereSeparator: \.isWhitespace)
                for (place, word) in words.enumerated() {
                    if !piece.isEmpty, piece.count + 1 + word.count > longest { end() }
                    piece += (piece.isEmpty ? "" : " ") + word
                    while piece.count > longest {
                        pieces.append(String(piece.prefix(longest)))
                        piece = String(piece.dropFirst(longest))
                    }
                    let next = place + 1 < words.count ? words[place + 1] : nil
                    if piece.count >= shortest, Self.endsSentence(word, before: next) { end() }
                    if piece.count > longest / 2, word.last == "," || word.last == ";" { end() }
                }
                if piece.count >= shortest { end() }
            }
            // A short end goes with what is before it, where that has room.
            if let last = pieces.last, !piece.isEmpty, piece.count < shortest, last.count + 1 + piece.count <= longest {
                pieces[pieces.count - 1] += " " + piece
            } else {
                end()
            }
            return pieces
        }

        private static let abbreviations: Set<Substring> = [
            "mr", "mrs", "ms", "dr", "prof", "st", "vs", "e.g", "i.e", "etc", "approx", "fig", "cf", "inc", "ltd",
            "jr", "sr",
        ]

        private static func endsSentence(_ word: Substring, before next: Substring?) -> Bool {
            var core = word
            while let last = core.last, "\"')]”’»".contains(last) { core.removeLast() }
            guard let mark = core.last, ".!?…。！？:".contains(mark) else { return false }
            guard mark == "." else { return true }
            let name = core.dropLast().drop { "\"'([“‘«".contains($0) }
            if name.count == 1, name.first?.isLetter == true { return false }
            if abbreviations.contains(Substring(name.lowercased())) { return false }
            // A sentence does not begin with a small letter.
            return next?.first?.isLowercase != true
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A person's search text made into a pattern that SQLite's full-text search and LIKE understand; nothing in it
/// is an operator.
package struct HermesMatch: Sendable, Hashable {
    /// The words, without what no tokenizer keeps.
    let words: [String]

    package init(_ text: String) {
        words = text.split(whereSeparator: \.isWhitespace).map { $0.filter { $0 != "\0" } }.filter { !$0.isEmpty }
    }

    /// For MATCH: each word between quotes (https://www.sqlite.org/fts5.html#fts5_strings). One without a letter or a
    /// number would match nothing, and is left out.
    package var expression: String? {
        let terms = words.filter { $0.contains { $0.isLetter || $0.isNumber } }
        guard !terms.isEmpty else { return nil }
        return terms.map { "\"\(SQLLiteral.doubling("\"", in: $0))\"" }.joined(separator: " ")
    }

    /// For LIKE with `ESCAPE '\'`.
    package var patterns: [String] {
        words.map { word in
            var pattern = "%".unicodeScalars
            // By scalars, as in SQLLiteral.
            for scalar in word.unicodeScalars {
                if "\\%_".unicodeScalars.contains(scalar) { pattern.append("\\") }
                pattern.append(scalar)
            }
            return String(pattern) + "%"
        }
    }

    /// Whether the trigram index can find all words: it knows nothing shorter than three characters.
    var fitsTrigrams: Bool { !words.isEmpty && words.allSatisfy { $0.unicodeScalars.count >= 3 } }

    /// Whether some word is of a script that is written without spaces, where a whole sentence is one token, or whose
    /// words are glued to others, as in Korean; or has an emoji in it, which the index of words does not keep.
    var needsSubstrings: Bool {
        words.contains { word in
            guard FTSText.hasWord(word) else { return false }
            // And Yi.
            return FTSText.needsSubstrings(word)
                || word.unicodeScalars.contains { (0xA000...0xA48F).contains($0.value) }
        }
    }

    // MARK: Snippets

    /// The mark that begins a match in a snippet; it is not written into messages as a rule, and one that has it gets
    /// odd snippets.
    static let begin = "\u{2}"
    static let end = "\u{3}"

    /// A snippet with its marks, in pieces.
    static func pieces(_ marked: String) -> [HermesSearch.Hit.Piece] {
        var pieces: [HermesSearch.Hit.Piece] = []
        for (number, part) in marked.split(separator: Self.begin, omittingEmptySubsequences: false).enumerated() {
            let halves = part.split(separator: Self.end, maxSplits: 1, omittingEmptySubsequences: false)
            if number == 0 || halves.count < 2 {
                add(String(part), false)
            } else {
                add(String(halves[0]), true)
                add(String(halves[1]), false)
            }
        }
        func add(_ text: String, _ isMatch: Bool) {
            if !text.isEmpty { pieces.append(HermesSearch.Hit.Piece(text: text, isMatch: isMatch)) }
        }
        return pieces
    }

    /// A snippet of a text that was found by reading: around the first place of the first word that is there.
    func pieces(of text: String) -> [HermesSearch.Hit.Piece] {
        for word in words {
            guard let range = text.range(ofCaseless: word) else { continue }
            let start = text.index(range.lowerBound, offsetBy: -60, limitedBy: text.startIndex) ?? text.startIndex
            let end = text.index(range.upperBound, offsetBy: 100, limitedBy: text.endIndex) ?? text.endIndex
            let before = (start == text.startIndex ? "" : "\u{2026}") + text[start..<range.lowerBound]
            let after = text[range.upperBound..<end] + (end == text.endIndex ? "" : "\u{2026}")
            return [(before, false), (String(text[range]), true), (String(after), false)].filter { !$0.0.isEmpty }
                .map { HermesSearch.Hit.Piece(text: $0.0, isMatch: $0.1) }
        }
        return [HermesSearch.Hit.Piece(text: String(text.prefix(160)), isMatch: false)]
    }
}

extension String {
    /// Returns the range of a text, whatever the case of ASCII letters: as LIKE finds it.
    fileprivate func range(ofCaseless text: String) -> Range<String.Index>? {
        func folded(_ byte: UInt8) -> UInt8 { (65...90).contains(byte) ? byte + 32 : byte }
        let wanted = text.utf8.map(folded)
        let bytes = utf8.map(folded)
        guard !wanted.isEmpty, bytes.count >= wanted.count else { return nil }
        for place in 0...(bytes.count - wanted.count) where bytes[place..<(place + wanted.count)].elementsEqual(wanted)
        {
            let start = utf8.index(startIndex, offsetBy: place)
            return start..<utf8.index(start, offsetBy: wanted.count)
        }
        return nil
    }
}

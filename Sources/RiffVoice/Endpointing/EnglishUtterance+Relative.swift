// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// Whether what is missing at the end was said before.
    var hasStranding: Bool { hasWh || hasRelative || hasInfinitiveRelative || isPassive }

    /// Whether there is a word that a later verb or preposition may lack: "what are you waiting for", "whatever you
    /// want".
    var hasWh: Bool { whIndex != nil }

    /// The index of the first such word.
    var whIndex: Int? { words.dropLast().firstIndex(where: Self.fronted.contains) }

    private static let fronted = Lexicon.whWords.subtracting(["when", "why"])

    /// Whether a relative clause is at the end: a thing, a person who does something, and no object ("the file i told
    /// you about").
    var hasRelative: Bool { relativeIndex != nil }

    /// The index of the subject of the last relative clause.
    var relativeIndex: Int? {
        guard subordinateStart == nil else { return nil }
        return words.indices.dropFirst().dropLast().last {
            Lexicon.relativeSubjects.contains(words[$0]) && isDescribed(before: $0)
        }
    }

    /// Whether a clause that begins at a place may tell of the noun before it: "everything", "the file", "a file that".
    private func isDescribed(before index: Int) -> Bool {
        let before = words[index - 1]
        if Lexicon.nounHeads.contains(before) { return true }
        guard index > 1 else { return false }
        return Lexicon.isNoun(before) && hasMarker(before: index)
            || ["that", "which", "who"].contains(before) && Lexicon.isNoun(words[index - 2])
    }

    /// "Someone to talk to", "nothing to worry about", "that is hard to work with".
    var hasInfinitiveRelative: Bool {
        guard words.count > 3 else { return false }
        return (max(1, words.count - 5)...(words.count - 3)).contains {
            words[$0] == "to" && (isDescribedByInfinitive(before: $0) || $0 == words.count - 3 && isJudged(before: $0))
        }
    }

    private func isDescribedByInfinitive(before index: Int) -> Bool {
        let before = words[index - 1]
        if ["way", "time", "reason", "who", "what", "where"].contains(before) { return false }
        return Lexicon.nounHeads.contains(before) || ["lot", "much", "more", "nobody", "hard", "easy"].contains(before)
            || index > 1 && Lexicon.isNoun(before) && hasMarker(before: index)
    }

    /// "Is really hard": an adjective behind a form of `be`.
    private func isJudged(before index: Int) -> Bool {
        guard index > 1 else { return false }
        let adjective = words[index - 1]
        return !Lexicon.infinitiveHeads.contains(adjective) && !adjective.hasSuffix("ing") && !adjective.hasSuffix("ed")
            && words[..<(index - 1)].suffix(2).contains { Lexicon.be.contains($0) || $0.hasSuffix("'s") }
    }

    /// Returns whether an article, or a word in its place, is among the words before an index.
    private func hasMarker(before index: Int) -> Bool {
        words[..<index].suffix(4).contains(where: Lexicon.describedMarkers.contains)
    }

    /// "It was taken care of", "has it been dealt with".
    private var isPassive: Bool { ends(in: Lexicon.wholePassives) && isAnywhere(Lexicon.be) }

    /// Whether there is a predicate anywhere, relative clauses included.
    var hasPredicate: Bool { words.contains(where: Lexicon.isFinite) }

    /// Whether there is one, or an order, before the last two words.
    var hasPredicateBeforeEnd: Bool {
        words.dropLast(2).contains { Lexicon.isFinite($0) || Lexicon.imperatives.contains($0) }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// "The page has a new", "a very strange", "my old red": an adjective in front of its noun. `nil` where it has none
    /// to wait for ("the page is new").
    var isWholeAtAdjective: Bool? {
        guard let previous else { return nil }
        guard Lexicon.nounMarkers.contains(previous) else { return isModifiedAdjective(behind: previous) ? false : nil }
        if ["this", "that", "some", "any", "no"].contains(previous), !["main", "whole", "entire"].contains(last) {
            // "I want this clean", "it gets no better".
            return nil
        }
        // "The second", as an answer.
        if ["first", "second", "third", "last", "next", "fourth", "fifth"].contains(last) { return words.count <= 3 }
        // "Move it to the front", "deploy it to the staging" a noun behind its verb.
        if previous == "the", Self.adjectivesAsNouns.contains(last) { return words.count > 3 && hasPredicateBeforeEnd }
        return false
    }

    /// Whether the word before the last one grades it: "a fairly", "a completely".
    var isGraded: Bool { previous.map { $0.hasSuffix("ly") || Lexicon.degrees.contains($0) } == true }

    /// Returns whether the adjective follows another adjective or a grade that an article precedes: "the much faster",
    /// "a completely new".
    private func isModifiedAdjective(behind previous: String) -> Bool {
        guard let before = fromEnd(2) else { return false }
        if isGraded, Lexicon.isNoun(last) || Lexicon.adjectives.contains(last), last != "much" {
            // "This really helps": a pronoun and its verb.
            let isPronoun = Lexicon.demonstratives.contains(before) && !Lexicon.adjectives.contains(last)
            if before == "most" || Lexicon.nounMarkers.contains(before) && !isPronoun { return true }
        }
        return Lexicon.nounMarkers.contains(before)
            && (Lexicon.adjectives.contains(previous) || ["much", "more", "most", "less"].contains(previous))
    }

    private static let adjectivesAsNouns = Lexicon.words(
        "front back local right current default staging production remote real good final"
    )

    /// "Responsible", "useful": by their endings, but no "table" and no "handful".
    func isAdjectiveByForm(_ word: String) -> Bool {
        ["ous", "ful", "less", "ible", "able", "ional"].contains { word.hasSuffix($0) }
            && !Self.nounsLikeAdjectives.contains(word)
    }

    private static let nounsLikeAdjectives = Lexicon.words(
        "table variable cable syllable less handful professional bible crucible timetable executable"
    )
}

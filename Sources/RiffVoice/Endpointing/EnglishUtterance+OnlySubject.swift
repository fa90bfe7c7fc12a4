// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// Whether it is a person or a thing, without anything that they do: "the function that parses the header".
    var isOnlySubject: Bool {
        guard let first = core.first, let second = core.dropFirst().first else { return false }
        if first == "what", core.count > 3, Self.speakers.contains(second) {
            // "What i'd like to know", without what it is.
            return !core.dropFirst(2).contains { Lexicon.be.contains($0) && $0 != "been" && $0 != "be" }
        }
        if beginsWithSubject(first, second), EnglishNounPhrase(Array(core)).lacksPredicate { return true }
        return embeddedSubject.map { EnglishNounPhrase($0).lacksPredicate } ?? false
    }

    private static let speakers = Lexicon.words("i i'd i'm i've we we'd we've")

    /// "Anybody who", "most of the people", "the rest".
    private func beginsWithSubject(_ first: String, _ second: String) -> Bool {
        Lexicon.indefinitePersons.contains(first) && second == "who"
            || ["one", "some", "most", "each", "many", "several"].contains(first) && second == "of" && core.count > 4
            || Self.subjectMarkers.contains(first) && core.count > 2
    }

    private static let subjectMarkers = Lexicon.words("the my our your their those these every most his its")

    /// The words at the end of "i think the people in the apartment above the bakery".
    private var embeddedSubject: [String]? {
        let index = words.indices.dropLast(3).last {
            Self.introducers.contains(words[$0]) && Self.embeddedStarts.contains(words[$0 + 1])
        }
        guard let index else { return nil }
        let before = index > 0 ? words[index - 1] : ""
        switch words[index] {
        case "like" where !["looks", "seems", "sounds", "look"].contains(before): return nil
        case "that" where !Lexicon.cognition.contains(before) && !["me", "you", "us"].contains(before): return nil
        default: break
        }
        let clause = Array(words[(index + 1)...])
        // Two or three words may be the answer: "i think the second one".
        let isLong = clause.dropFirst(2).contains {
            Lexicon.prepositions.contains($0) || Lexicon.relativePronouns.contains($0) || $0.hasSuffix("ed")
                || Lexicon.personalSubjects.contains($0)
        }
        return isLong || clause.contains("reason") ? clause : nil
    }

    private static let introducers = Lexicon.words(
        """
        think believe sure heard guess hope suspect apparently because like maybe probably afraid that but mean seems
        """
    )
    private static let embeddedStarts = Lexicon.words("the my our everyone everybody people their")
}

// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// Whether it is somebody or something, and nothing that they do: "the function that parses the header".
    var isOnlySubject: Bool {
        guard let first = core.first, let second = core.dropFirst().first else { return false }
        if first == "what", core.count > 3, Self.speakers.contains(second) {
            // "What i'd like to know", without what it is.
            return !core.dropFirst(2).contains { Lexicon.be.contains($0) && $0 != "been" && $0 != "be" }
        }
        if beginsWithSubject(first, second), hasNoPredicate(Array(core)) { return true }
        return embeddedSubject.map(hasNoPredicate) ?? false
    }

    private static let speakers = Lexicon.words("i i'd i'm i've we we'd we've")

    /// "Anybody who", "most of the people", "the rest".
    private func beginsWithSubject(_ first: String, _ second: String) -> Bool {
        Lexicon.indefinitePersons.contains(first) && second == "who"
            || ["one", "some", "most", "each", "many", "several"].contains(first) && second == "of" && core.count > 4
            || Self.subjectMarkers.contains(first) && core.count > 2
    }

    private static let subjectMarkers = Lexicon.words("the my our your their those these every most his its")

    /// What stands at the end of "i think the people in the apartment above the bakery".
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

    /// Noun phrases that answer a question as they are: "the second one", "every five minutes".
    private func isAnswer(_ phrase: [String]) -> Bool {
        Self.answerEnds.contains(last) || phrase[1...].prefix(3).contains { $0 == "one" || $0 == "ones" }
            || phrase[0] == "the" && phrase.count <= 4 && Self.ordinals.contains(phrase[1])
            || phrase[0] == "every" && phrase.contains(where: Self.times.contains)
    }

    private static let answerEnds = Lexicon.words("one ones please thanks too instead though again")
    private static let ordinals = Lexicon.words(
        "first second third last left right same other whole next latest top bottom"
    )
    private static let times = Lexicon.words("minutes day hour week morning seconds month time hours night")

    /// Whether a noun phrase has no verb of its own, clauses within it left aside.
    private func hasNoPredicate(_ phrase: [String]) -> Bool {
        guard phrase.count > 1, !isAnswer(phrase) else { return false }
        var isWithinClause = false
        for index in phrase.indices.dropFirst() {
            if beginsClause(at: index, of: phrase, isWithinClause: isWithinClause) {
                isWithinClause = true
            } else if isWithinClause {
                // The clause has its verb; the next one is the main clause's.
                isWithinClause = !endsClause(at: index, of: phrase)
            } else if isPredicate(at: index, of: phrase) {
                return false
            }
        }
        return true
    }

    /// "The file that", "the file i", "the tests after".
    private func beginsClause(at index: Int, of phrase: [String], isWithinClause: Bool) -> Bool {
        let word = phrase[index]
        return Lexicon.relativePronouns.contains(word) || Self.clauseOpeners.contains(word)
            || !isWithinClause && Lexicon.isNoun(phrase[index - 1])
                && (Lexicon.personalSubjects.contains(word) || Lexicon.contractions.contains(word))
    }

    private static let clauseOpeners = Lexicon.words("while when because if as after before")

    /// Its verb, the last one of "has been seen".
    private func endsClause(at index: Int, of phrase: [String]) -> Bool {
        let word = phrase[index]
        let next = index + 1 < phrase.count ? phrase[index + 1] : ""
        let isHelping =
            Lexicon.auxiliaries.contains(word) && (Lexicon.isFinite(next) || Lexicon.isClauseVerb(next))
        return !isHelping
            && (Lexicon.isFinite(word)
                || Lexicon.isClauseVerb(word) && !Lexicon.determiners.contains(phrase[index - 1]))
    }

    /// "The server is", "the team decided", "the tests fail".
    private func isPredicate(at index: Int, of phrase: [String]) -> Bool {
        let (word, before) = (phrase[index], phrase[index - 1])
        if Lexicon.isFinite(word) { return !Lexicon.determiners.contains(before) }
        guard index > 1 else { return false }
        if word.hasSuffix("ed") {
            let hasObject = index + 1 < phrase.count && Self.objectLeads.contains(phrase[index + 1])
            let isOfSubject = Lexicon.isNoun(before) || before.hasSuffix("ly")
            return hasObject || isOfSubject && !Lexicon.modifyingParticiples.contains(word)
        }
        return Lexicon.pluralPredicates.contains(word) && Lexicon.isNoun(before)
            && (before.hasSuffix("s") || before == "people")
    }

    private static let objectLeads = Lexicon.words("that the a an it no my our their all me us them")
}

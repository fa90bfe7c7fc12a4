// Riff
// SPDX-License-Identifier: Apache-2.0

/// Words that begin with a noun phrase, and may be a sentence by the verb that follows it.
struct EnglishNounPhrase {
    private typealias Lexicon = EnglishTurnLexicon

    let words: [String]

    init(_ words: [String]) { self.words = words }

    /// Whether it has no verb of its own, clauses within it left aside.
    var lacksPredicate: Bool {
        guard words.count > 1, !isAnswer else { return false }
        var isWithinClause = false
        var hasClause = false
        for index in words.indices.dropFirst() {
            if beginsClause(at: index, isWithinClause: isWithinClause) {
                isWithinClause = true
                hasClause = true
            } else if hasClause, words[index] == "and" || words[index] == "or" {
                // "The man who bought the car and sold": it goes on.
                isWithinClause = true
            } else if isWithinClause {
                // The clause has its verb; the next one is the main clause's.
                isWithinClause = !endsClause(at: index)
            } else if isPredicate(at: index) {
                return false
            }
        }
        return true
    }

    /// Noun phrases that answer a question as they are: "the second one", "every five minutes".
    private var isAnswer: Bool {
        words.last.map(Self.answerEnds.contains) == true
            || words[1...].prefix(3).contains { $0 == "one" || $0 == "ones" }
            || words[0] == "the" && words.count <= 4 && Self.ordinals.contains(words[1])
            || words[0] == "every" && words.contains(where: Self.times.contains)
    }

    private static let answerEnds = Lexicon.words("one ones please thanks too instead though again")
    private static let ordinals = Lexicon.words(
        "first second third last left right same other whole next latest top bottom"
    )
    private static let times = Lexicon.words("minutes day hour week morning seconds month time hours night")

    /// "The file that", "the file i", "the tests the team", "the tests after".
    private func beginsClause(at index: Int, isWithinClause: Bool) -> Bool {
        let word = words[index]
        return Lexicon.relativePronouns.contains(word) || Self.clauseOpeners.contains(word)
            || !isWithinClause && Lexicon.isNoun(words[index - 1])
                && (Lexicon.personalSubjects.contains(word) || Lexicon.contractions.contains(word)
                    || Lexicon.determiners.contains(word))
    }

    private static let clauseOpeners = Lexicon.words("while when because if as after before")

    /// Its verb, the last one of "has been seen".
    private func endsClause(at index: Int) -> Bool {
        let word = words[index]
        let next = index + 1 < words.count ? words[index + 1] : ""
        let isHelping =
            Lexicon.auxiliaries.contains(word) && (Lexicon.isFinite(next) || Lexicon.isClauseVerb(next))
        return !isHelping
            && (Lexicon.isFinite(word)
                || Lexicon.isClauseVerb(word) && !Lexicon.determiners.contains(words[index - 1]))
    }

    /// "The server is", "the team decided", "the dog bit", "the user clicks the button", "the tests fail".
    private func isPredicate(at index: Int) -> Bool {
        let (word, before) = (words[index], words[index - 1])
        if Lexicon.isFinite(word) { return !Lexicon.determiners.contains(before) }
        guard index > 1, Lexicon.isNoun(before) || before.hasSuffix("ly") else {
            return index > 1 && word.hasSuffix("ed") && hasObject(behind: index)
        }
        if Lexicon.pastForms.contains(word) || Lexicon.thirdPersons.contains(word) { return true }
        if word.hasSuffix("ed") {
            return !Lexicon.modifyingParticiples.contains(word) || hasObject(behind: index)
        }
        if Lexicon.pastParticiples.contains(word) { return hasObject(behind: index) }
        let isPlural = before.hasSuffix("s") || before == "people"
        if isPlural { return Lexicon.pluralPredicates.contains(word) }
        return word.hasSuffix("s") && !word.hasSuffix("ss") && hasObject(behind: index)
            && words[index + 1] != "that"
    }

    private func hasObject(behind index: Int) -> Bool {
        index + 1 < words.count && Self.objectLeads.contains(words[index + 1])
    }

    private static let objectLeads = Lexicon.words(
        """
        that the a an it no my our their all me us them this these those his her its your every nothing everything
        something anything somebody someone everyone two three itself himself herself themselves
        """
    )
}

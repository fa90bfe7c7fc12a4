// Riff
// SPDX-License-Identifier: Apache-2.0

/// The words after a conjunction: its clause, and perhaps a main clause after that ("[if] it rains we stay").
struct EnglishSubordinateClause {
    private typealias Lexicon = EnglishTurnLexicon

    /// The words behind the conjunction; at least two.
    let words: [String]
    /// The index of its first verb, if it has one that is known.
    let verb: Int?

    init(_ words: [String]) {
        self.words = words
        verb = words.firstIndex { Lexicon.isFinite($0) || Lexicon.isClauseVerb($0) }
    }

    /// Whether another clause begins after it, with a subject and its verb, or with a verb that is an order.
    var hasMainClause: Bool {
        if beginsWithMainVerb { return true }
        let verb = self.verb ?? 0
        var article: Int?
        var hasLink = false
        for index in (verb + 1)..<words.count {
            if beginsWithSubject(at: index, behind: verb) || beginsWithOrder(at: index, behind: verb) { return true }
            if let article, !hasLink, isPredicate(words[index]), isSecondSubject(at: article, behind: verb, to: index) {
                return true
            }
            if Lexicon.determiners.contains(words[index]) || Self.moreArticles.contains(words[index]) {
                article = index
            }
            if Self.nounLinks.contains(words[index]) { hasLink = true }
        }
        return false
    }

    private static let moreArticles = Lexicon.words("this those these all")
    /// The words that make a noun after them part of the first clause.
    private static let nounLinks = Lexicon.words("that which who and or whose")

    /// "If it rains we'll stay": the first verb that is known is the main clause's.
    private var beginsWithMainVerb: Bool {
        guard let verb, verb > 0, Lexicon.contractions.contains(words[verb]) else { return false }
        return words[verb - 1] != "that" && !Lexicon.subordinators.contains(words[verb - 1])
    }

    /// "... we'll stay", "... it should stop": a pronoun that is no object and no part of a relative clause.
    private func beginsWithSubject(at index: Int, behind verb: Int) -> Bool {
        let (word, before) = (words[index], words[index - 1])
        // Behind a verb of saying or thinking a clause is its object.
        if Lexicon.cognition.contains(before) { return false }
        if Lexicon.contractions.contains(word), !Lexicon.subordinators.contains(before),
            !["that", "which", "who", "what", "and", "where"].contains(before)
        {
            return true
        }
        guard Lexicon.clauseSubjects.contains(word), !Lexicon.subjectLinks.contains(before) else { return false }
        let next = index + 1 < words.count ? words[index + 1] : ""
        guard Lexicon.isFinite(next) || Lexicon.isClauseVerb(next) || next == "just" || next == "also" else {
            return false
        }
        // "If the file you" tells which file; "when i click on save nothing" does not.
        let isRelative =
            Lexicon.personalSubjects.contains(word) && Lexicon.isNoun(before)
            && !Lexicon.isFinite(words[max(0, index - 2)]) && index <= verb + 1
        return !isRelative
    }

    /// "... then", "... restart it", "... should we stop".
    private func beginsWithOrder(at index: Int, behind verb: Int) -> Bool {
        let (word, before) = (words[index], words[index - 1])
        if Lexicon.clauseLinks.contains(before) || Lexicon.allAuxiliaries.contains(before) { return false }
        let isObject = Lexicon.cognition.contains(before)
        if !isObject, isUnlistedOrder(at: index, behind: verb) { return true }
        guard Lexicon.clauseStarters.contains(word), word == "then" || index >= 2 && !isObject else { return false }
        guard Lexicon.allAuxiliaries.contains(word) else { return true }
        let next = index + 1 < words.count ? words[index + 1] : ""
        return Lexicon.clauseSubjects.contains(next) || next == "the"
    }

    /// "... the doorbell flash the lights": a verb that nobody has listed, with its object.
    private func isUnlistedOrder(at index: Int, behind verb: Int) -> Bool {
        let (word, before) = (words[index], words[index - 1])
        guard index >= 2, index + 1 < words.count, Lexicon.objectStarts.contains(words[index + 1]),
            index > verb + 1 || Lexicon.be.contains(words[verb]), !word.hasSuffix("s") || word.hasSuffix("ss"),
            !word.hasSuffix("ed")
        else { return false }
        let isVerb =
            Lexicon.isNoun(word)
            ? !Lexicon.adjectives.contains(before)
            : Lexicon.imperatives.contains(word) || Lexicon.transitive.contains(word)
        return isVerb
            && (Lexicon.isNoun(before) || before.hasSuffix("ed") || before == "done" || Lexicon.isParticiple(before)
                || Lexicon.particles.contains(before) || Lexicon.predicates.contains(before))
    }

    private func isPredicate(_ word: String) -> Bool {
        Lexicon.allAuxiliaries.contains(word) || Lexicon.predicates.contains(word)
    }

    /// Returns whether a noun of its own, from its article on, is between two verbs: "[If] it fails the server should".
    private func isSecondSubject(at article: Int, behind verb: Int, to index: Int) -> Bool {
        guard index - verb > 2 else { return false }
        let before = words[article - 1]
        if Lexicon.prepositions.contains(before) || Lexicon.transitive.contains(before) || Lexicon.be.contains(before) {
            return false
        }
        return article - verb > 1 || !Lexicon.objectVerbs.contains(words[verb])
    }
}

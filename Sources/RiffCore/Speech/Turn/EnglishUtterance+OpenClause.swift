// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// Whether it is a condition or a time without what is to happen then: "once the tests have passed".
    var isOpenClause: Bool { hasOpenPair || hasCutRelative || isOpenCondition }

    private var isOpenCondition: Bool {
        guard let start = subordinateStart, core.count - start > 1 else { return false }
        let clause = Array(core.dropFirst(start))
        guard let verb = clause.firstIndex(where: { isFinite($0) || isClauseVerb($0) }) else {
            // "After lunch" and "until tomorrow" answer something; "if the file" does not.
            guard let first = core.first, Lexicon.openingPrepositions.contains(first) else {
                return !hasMainClause(clause, behind: 0)
            }
            return Lexicon.personalSubjects.contains(clause[0])
                || clause.count > 5 && first != "since" && !hasMainClause(clause, behind: 0)
        }
        // "If it rains we'll stay": the first verb that is known is the main clause's.
        let isOfMainClause =
            verb > 0 && Self.contractions.contains(clause[verb]) && clause[verb - 1] != "that"
            && !Lexicon.subordinators.contains(clause[verb - 1])
        return !isOfMainClause && !hasMainClause(clause, behind: verb)
    }

    /// How many words of the core are the conjunction that it begins with.
    var subordinateStart: Int? {
        // "Now" is taken for an opening word.
        if words.starts(with: ["now", "that"]) { return 1 }
        guard let first = core.first, core.count > 1 else { return nil }
        if let phrase = Lexicon.openingPhrases.first(where: { core.starts(with: $0) }) { return phrase.count }
        guard Lexicon.openingConjunctions.contains(first), let second = core.dropFirst().first else { return nil }
        switch first {
        case "when": return Lexicon.allAuxiliaries.contains(second) ? nil : 1
        case "once": return ["more", "again", "and"].contains(second) ? nil : 1
        case "after", "before": return second == "that" || second == "all" && core.count < 4 ? nil : 1
        case "since", "until": return ["that", "all"].contains(second) && core.count < 4 ? nil : 1
        default: return 1
        }
    }

    func isClauseVerb(_ word: String) -> Bool {
        Lexicon.cognition.contains(word) || Lexicon.transitive.contains(word) || word.hasSuffix("ed")
            || Lexicon.imperatives.contains(word) || isParticiple(word) || Lexicon.clauseVerbs.contains(word)
    }

    private func hasMainClause(_ clause: [String], behind verb: Int) -> Bool {
        clause.indices.dropFirst(max(1, verb + 1)).contains { beginsMainClause(at: $0, of: clause, behind: verb) }
    }

    /// Whether another clause begins at a word, with a subject and its verb, or with a verb that tells somebody to do something.
    private func beginsMainClause(at index: Int, of clause: [String], behind verb: Int) -> Bool {
        let (word, before) = (clause[index], clause[index - 1])
        let next = index + 1 < clause.count ? clause[index + 1] : ""
        // Behind a verb of saying or thinking a clause is its object.
        let isObject = Lexicon.cognition.contains(before)
        if Self.contractions.contains(word), !isObject, !Lexicon.subordinators.contains(before),
            !["that", "which", "who", "what", "and", "where"].contains(before)
        {
            return true
        }
        if Lexicon.clauseSubjects.contains(word), !isObject, !Lexicon.subjectLinks.contains(before),
            isFinite(next) || isClauseVerb(next) || next == "just" || next == "also"
        {
            let isRelative = isNoun(before) && !isFinite(clause[max(0, index - 2)]) && index <= verb + 1
            if !isRelative { return true }
        }
        let isLinked = Lexicon.clauseLinks.contains(before) || Lexicon.allAuxiliaries.contains(before)
        if !isLinked, !isObject, isOrder(at: index, of: clause, behind: verb) { return true }
        if Lexicon.clauseStarters.contains(word), !isLinked, word == "then" || index >= 2 && !isObject {
            guard Lexicon.allAuxiliaries.contains(word) else { return true }
            if Lexicon.clauseSubjects.contains(next) || next == "the" { return true }
        }
        let isPredicate = Lexicon.allAuxiliaries.contains(word) || Lexicon.predicates.contains(word)
        return isPredicate && hasSecondSubject(clause, before: index, behind: verb)
    }

    /// "... the doorbell flash the lights": a verb that nobody has listed, with its object.
    private func isOrder(at index: Int, of clause: [String], behind verb: Int) -> Bool {
        let (word, before) = (clause[index], clause[index - 1])
        guard index >= 2, index + 1 < clause.count, Lexicon.objectStarts.contains(clause[index + 1]),
            index > verb + 1 || Lexicon.be.contains(clause[verb]),
            isNoun(word) || Lexicon.imperatives.contains(word) || Lexicon.transitive.contains(word),
            !word.hasSuffix("s") || word.hasSuffix("ss"), !word.hasSuffix("ed"),
            !(isNoun(word) && Lexicon.adjectives.contains(before))
        else { return false }
        return isNoun(before) || before.hasSuffix("ed") || before == "done" || isParticiple(before)
            || Lexicon.particles.contains(before) || Lexicon.predicates.contains(before)
    }

    /// "If it fails the server should": a noun of its own stands between two verbs, and no relative pronoun.
    private func hasSecondSubject(_ clause: [String], before index: Int, behind verb: Int) -> Bool {
        guard index - verb > 2 else { return false }
        let between = clause[(verb + 1)..<index]
        let isArticle = { (word: String) in
            Lexicon.determiners.contains(word) || ["this", "those", "these", "all", "that"].contains(word)
        }
        guard let article = between.lastIndex(where: isArticle),
            !between.contains(where: { ["that", "which", "who", "and", "or", "whose"].contains($0) })
        else { return false }
        let before = clause[article - 1]
        if Lexicon.prepositions.contains(before) || Lexicon.transitive.contains(before) || Lexicon.be.contains(before)
            || before == "to"
        {
            return false
        }
        return article - verb > 1 || !Lexicon.objectVerbs.contains(clause[verb])
    }
}

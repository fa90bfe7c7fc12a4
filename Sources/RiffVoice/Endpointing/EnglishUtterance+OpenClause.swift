// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// Whether something was begun that wants a second part: "either", "the dog whose", "once the tests have passed".
    var isOpenClause: Bool { hasOpenPair || hasCutRelative || isOpenCondition }

    /// "If the tests fail": a condition or a time without what is to happen then.
    private var isOpenCondition: Bool {
        guard let start = subordinateStart, core.count - start > 1, let first = core.first else { return false }
        let clause = EnglishSubordinateClause(Array(core.dropFirst(start)))
        if clause.verb != nil || !Lexicon.openingPrepositions.contains(first) { return !clause.hasMainClause }
        // "After lunch" and "until tomorrow" answer something.
        return Lexicon.personalSubjects.contains(clause.words[0])
            || clause.words.count > 5 && first != "since" && !clause.hasMainClause
    }

    /// The number of the core's words that are the conjunction that it begins with.
    var subordinateStart: Int? {
        // "Now" is taken for an opening word.
        if words.starts(with: ["now", "that"]) { return 1 }
        guard let first = core.first, let second = core.dropFirst().first else { return nil }
        if let phrase = Lexicon.openingPhrases.first(where: { core.starts(with: $0) }) { return phrase.count }
        guard Lexicon.openingConjunctions.contains(first) else { return nil }
        let isAdverb =
            switch first {
            // "When will it be done", "once more", "before that", "until all of it".
            case "when": Lexicon.allAuxiliaries.contains(second)
            case "once": ["more", "again", "and"].contains(second)
            case "after", "before": second == "that" || second == "all" && core.count < 4
            case "since", "until": core.count < 4 && ["that", "all"].contains(second)
            default: false
            }
        return isAdverb ? nil : 1
    }

    /// Whether a relative clause is cut off, with nothing said of the noun that was named last: "the color that the
    /// designer", "a neighbor whose dog".
    private var hasCutRelative: Bool {
        guard let index = words.lastIndex(where: { ["whose", "which", "that", "who"].contains($0) }), index > 0,
            index < words.count - 1
        else { return false }
        let before = words[index - 1]
        let rest = words[(index + 1)...]
        // A word in -s at its end may be the verb.
        let mayHaveVerb = rest.count > 1 && last.hasSuffix("s") && !last.hasSuffix("ss")
        if mayHaveVerb || rest.contains(where: { Lexicon.isFinite($0) || Lexicon.isClauseVerb($0) }) { return false }
        switch words[index] {
        case "which": return index > 1 && ["in", "on", "for", "at", "of", "with", "from", "by"].contains(before)
        case "whose": return Lexicon.isNoun(before) || before == "one"
        case "who": return Lexicon.isNoun(before) && rest.count > 1
        default:
            return index > 1 && Lexicon.isNoun(before) && Lexicon.determiners.contains(words[index + 1])
                && ["the", "a", "this", "any", "every"].contains(words[index - 2])
        }
    }
}

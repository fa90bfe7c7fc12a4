// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// Words of the closed classes: articles, conjunctions, question words, demonstratives, quantifiers.
    var isWholeAtFunctionWord: Bool? {
        if Lexicon.fillers.contains(last) || Lexicon.determiners.contains(last) { return false }
        if Lexicon.whWords.contains(last) { return isWholeAtWhWord }
        if Lexicon.coordinators.contains(last) || Lexicon.subordinators.contains(last) { return isAdverbialConjunction }
        if Lexicon.adjectives.contains(last) { return isWholeAtAdjective }
        if isGraded, isWholeAtAdjective == false { return false }
        if Lexicon.demonstratives.contains(last) { return isWholeAtDemonstrative }
        if let isWhole = isWholeAtQuantifier { return isWhole }
        if words.count > 1, isAdjectiveByForm(last) { return isWholeAtAdjective }
        return Lexicon.leading.contains(last) ? false : nil
    }

    /// "All at once", "not really though", "the root cause": a few conjunctions are something else too.
    private var isAdverbialConjunction: Bool {
        guard let previous else { return false }
        return switch last {
        case "since": ["ever", "long", "happened", "changed"].contains(previous)
        case "once": ["at", "all", "just", "only", "for", "more"].contains(previous) || words.count > 3 && hasPredicate
        case "though": words.count > 2
        case "plus": previous == "a"
        case "cause": ["the", "a", "root", "any"].contains(previous)
        default: false
        }
    }

    /// "Tell me why" is whole; "what" at the end of most others is not.
    private var isWholeAtWhWord: Bool {
        guard let previous else { return true }
        switch last {
        case "why", "how", "when", "where":
            return Self.whTakers.contains(previous) && !(previous == "and" && words.count == 2)
        case "who", "which", "what":
            return ["know", "or", "matter", "say", "remember", "guess", "so", "sure", "says"].contains(previous)
        default: return false
        }
    }

    private static let whTakers = Lexicon.words(
        """
        me know understand explain see say wonder wondering remember sure idea matter and us you or them tell figure out
        care clue forgot not that's here's
        """
    )

    /// "Do that" is whole; "i think that", "and this" and "error that" are not.
    private var isWholeAtDemonstrative: Bool {
        guard let previous else { return true }
        if Lexicon.coordinators.contains(previous) || ["so", "such", "now"].contains(previous) { return false }
        if ["in", "on", "at", "into", "of"].contains(previous) {
            return last == "that" && words.count > 3 || hasWh && words.count > 4
        }
        if last == "that", Self.thatTakers.contains(previous) { return hasWh && ["mean", "think"].contains(previous) }
        return !Lexicon.isNoun(previous) || previous == "time" || hasWh
    }

    /// The words that a clause with "that" follows; not "know" or "see", which as often have "that" for their object.
    private static let thatTakers = Lexicon.words(
        """
        sure think means mean believe suggest suggests ensure assume noticed notice given hope realized realised idea
        shows found told tells says thing fact feeling seems appears guess one ones something anything everything clear
        suspect afraid worried problem except provided saying thinking remember figured
        """
    )

    /// "Not that many", "fix both", "do it for all", but "are all", "a few" alone, "and some".
    private var isWholeAtQuantifier: Bool? {
        guard let previous else { return nil }
        return switch last {
        case "no":
            // "The answer is no", "there is no".
            previous == "is"
                ? fromEnd(2) != "there"
                : ["say", "said", "says", "or", "a", "it's"].contains(previous) || words.count <= 3 && previous != "has"
        case "another": previous == "yet" || previous == "one"
        case "each": words.count > 3 && previous != "for" && previous != "of"
        case "much", "many": ["how", "too", "so", "very", "that", "as", "this"].contains(previous)
        case "more":
            !["the", "a", "is", "are", "be", "even", "much", "was", "and", "it's", "far"].contains(previous)
        case "most": previous == "the" || previous == "at"
        case "several": false
        case "few": words.count > 2 && ["a", "the", "very"].contains(previous)
        case "all":
            !["of", "in", "on", "at", "and", "are", "is", "not", "with", "from", "for"].contains(previous)
        case "both": !["of", "in", "on", "are", "is", "to", "between", "can"].contains(previous)
        case "some", "any":
            !["in", "on", "at", "of", "to", "with", "is", "are", "from", "there", "and"].contains(previous)
        default: nil
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// A preposition lacks what it is of, unless that was said before or it is a verb's particle.
    var isWholeAtPreposition: Bool? {
        guard Lexicon.prepositions.contains(last) || Lexicon.particles.contains(last) else { return nil }
        // "Off", "back" and "again" answer something; "in" and "by" are of something.
        guard let previous else { return Lexicon.particles.contains(last) && !Self.neverAlone.contains(last) }
        if last == "behind" { return Self.behindLeads.contains(previous) }
        if let isParticle = isWholeAtParticle(behind: previous) { return isParticle }
        switch last {
        case "of":
            return Self.ofLeads.contains(previous) && (hasStranding || previous == "heard")
        case "between", "among", "amongst", "during", "per", "via", "except", "against", "onto", "upon", "toward",
            "towards":
            return hasRelative && Lexicon.isVerbLike(previous)
        case "like": return isWholeAtLike(behind: previous)
        case "before", "after": return isTimeAdverb(behind: previous)
        case "inside", "outside", "above", "below", "along", "around", "across", "past", "near":
            return hasStranding || Self.placeLeads.contains(previous)
        default: return isStranded(behind: previous)
        }
    }

    private static let neverAlone = Lexicon.words("in by through across around")

    /// "We are an hour behind".
    private static let behindLeads = Lexicon.words(
        """
        hour minutes days is are left fall fell falls lag lags i'm we're from day hours minute week weeks get running
        """
    )
    /// "The thing i was thinking of", "never heard of".
    private static let ofLeads = Lexicon.words(
        """
        think thinking thought made consist consists heard aware proud afraid care rid full capable dreamed speaking
        sure part
        """
    )
    /// "The one above", "as mentioned below".
    private static let placeLeads = Lexicon.words("from the mentioned see shown described one as look")

    /// "The day before", "like we did before".
    private func isTimeAdverb(behind previous: String) -> Bool {
        Self.timeLeads.contains(previous)
            || last == "before" && words.count > 4 && hasPredicate && (previous == "that" || previous.hasSuffix("ed"))
    }

    private static let timeLeads = Lexicon.words(
        "day one as like never ever week was were did had right just not year looked than soon"
    )

    /// "What does it look like", "if you like", "the one you'd like".
    private func isWholeAtLike(behind previous: String) -> Bool {
        ends(in: Self.likings) || hasRelative && ["would", "you", "i'd", "you'd"].contains(previous)
            || hasStranding && ["don't", "didn't"].contains(previous)
            || hasWh && (previous == "you" || previous == "i" || isAnywhere(Self.appearances))
    }

    private static let likings = Lexicon.phrases("if you like, as you like")
    private static let appearances = Lexicon.words("look looks be is feel sound sounds looked was it feels")

    /// "What are you waiting for", "someone to talk with"; not "what is the name of", where the noun wants more.
    private func isStranded(behind previous: String) -> Bool {
        guard hasStranding, !Lexicon.determiners.contains(previous) else { return false }
        let isInShortRelative = relativeIndex.map { words.count - $0 < 6 } == true
        guard Lexicon.isNoun(previous), !Lexicon.isVerbLike(previous), !isInShortRelative else { return true }
        guard words.count > 4 else { return isBeQuestion && words.count == 4 && ["about", "from"].contains(last) }
        if isBeQuestion, ["about", "from"].contains(last) { return true }
        return whIndex == 0 && !isBeQuestion
            || hasInfinitiveRelative && ["about", "with", "on", "in", "for"].contains(last)
    }

    /// "What is the difference", where a preposition belongs to the noun.
    private var isBeQuestion: Bool {
        guard let index = whIndex else { return false }
        return (Lexicon.be.contains(words[index + 1]) || words[index].hasSuffix("'s")) && words.contains("the")
    }
}

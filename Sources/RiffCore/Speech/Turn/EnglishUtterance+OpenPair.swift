// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// Whether it has the first half of something that comes in two: "not only", "either", "the more workers i add".
    var hasOpenPair: Bool {
        if hasOpenComparison { return true }
        if words.starts(with: ["on", "the", "one", "hand"]), !words.contains("other") { return true }
        if let both = words.lastIndex(of: "both"), both < words.count - 2,
            ["the", "a", "my", "our"].contains(words[both + 1]), !words[both...].contains("and")
        {
            return true
        }
        guard words.count > 2 else { return false }
        if zip(words, words.dropFirst()).contains(where: { $0 == ("not", "only") }), !words.contains("but"),
            !words.contains("also")
        {
            return true
        }
        guard let either = words.firstIndex(of: "either"), either < words.count - 1, !words.contains("or") else {
            return false
        }
        return !["of", "way", "one", "side"].contains(words[either + 1])
    }

    /// "The longer it runs", without "the slower it gets".
    private var hasOpenComparison: Bool {
        let clause = words.drop { $0 != "and" && $0 != "but" }.dropFirst()
        if clause.starts(with: ["the", "more"]), clause.count > 3,
            clause.dropFirst(2).contains(where: Lexicon.subjects.contains), !clause.dropFirst(2).contains("the")
        {
            return true
        }
        guard core.first == "the", let comparative = core.dropFirst().first, Lexicon.comparatives.contains(comparative),
            core.dropFirst(2).first != "one",
            words.contains(where: { isFinite($0) || Lexicon.personalSubjects.contains($0) })
        else { return false }
        let pairs = zip(core, core.dropFirst()).filter {
            $0 == "the" && (Lexicon.comparatives.contains($1) || $1.hasSuffix("er"))
        }
        return pairs.count < 2
    }

    /// "The colour that the designer", "a neighbour whose dog": nothing is told of who was named last.
    var hasCutRelative: Bool {
        guard let index = words.lastIndex(where: { ["whose", "which", "that", "who"].contains($0) }), index > 0,
            index < words.count - 1
        else { return false }
        let before = words[index - 1]
        let rest = words[(index + 1)...]
        // A word in -s at its end may be the verb.
        let mayHaveVerb = rest.count > 1 && last.hasSuffix("s") && !last.hasSuffix("ss")
        if mayHaveVerb || rest.contains(where: { isFinite($0) || isClauseVerb($0) }) { return false }
        switch words[index] {
        case "which": return ["in", "on", "for", "at", "of", "with", "from", "by"].contains(before) && index > 1
        case "whose": return isNoun(before) || before == "one"
        case "who": return isNoun(before) && rest.count > 1
        default:
            return isNoun(before) && index > 1 && rest.first.map(Lexicon.determiners.contains) == true
                && ["the", "a", "this", "any", "every"].contains(words[index - 2])
        }
    }
}

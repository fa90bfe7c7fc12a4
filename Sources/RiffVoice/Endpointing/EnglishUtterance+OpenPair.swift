// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// Whether it has the first half of something that comes in two.
    var hasOpenPair: Bool {
        hasOneHand || hasOpenBoth || hasOpenNotOnly || hasOpenEither || hasComparisonOfClauses || hasOpenComparison
    }

    /// "On the one hand it's fast".
    private var hasOneHand: Bool { words.starts(with: ["on", "the", "one", "hand"]) && !words.contains("other") }

    /// "Update both the client".
    private var hasOpenBoth: Bool {
        guard let both = words.lastIndex(of: "both"), both < words.count - 2 else { return false }
        return ["the", "a", "my", "our"].contains(words[both + 1]) && !words[both...].contains("and")
    }

    /// "It not only crashes".
    private var hasOpenNotOnly: Bool {
        words.count > 2 && !words.contains("but") && !words.contains("also")
            && zip(words, words.dropFirst()).contains { $0 == ("not", "only") }
    }

    /// "We either wait for the release"; not "either of them".
    private var hasOpenEither: Bool {
        guard words.count > 2, let either = words.firstIndex(of: "either"), either < words.count - 1 else {
            return false
        }
        return !words.contains("or") && !["of", "way", "one", "side"].contains(words[either + 1])
    }

    /// "I looked at it and the more i read": the first half, behind something else.
    private var hasComparisonOfClauses: Bool {
        let clause = words.drop { $0 != "and" && $0 != "but" }.dropFirst()
        let rest = clause.dropFirst(2)
        return clause.starts(with: ["the", "more"]) && rest.count > 1 && rest.contains(where: Lexicon.subjects.contains)
            && !rest.contains("the")
    }

    /// "The longer it runs", without "the slower it gets".
    private var hasOpenComparison: Bool {
        guard core.first == "the", let comparative = core.dropFirst().first, Lexicon.comparatives.contains(comparative),
            core.dropFirst(2).first != "one",
            words.contains(where: { Lexicon.isFinite($0) || Lexicon.personalSubjects.contains($0) })
        else { return false }
        let halves = zip(core, core.dropFirst()).filter {
            $0 == "the" && (Lexicon.comparatives.contains($1) || $1.hasSuffix("er"))
        }
        return halves.count < 2
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// Phrases that announce something, and those that only look so.
    func byPhrase() -> Bool? {
        if isAnnounced { return false }
        if utterance.endsInOne(of: Self.wholeEnds) { return true }
        if ["turned", "turns"].contains(previous), last == "out", words.count <= 4, !hasWh { return false }
        if words.count == 1, ["firstly", "secondly", "thirdly", "finally", "unfortunately"].contains(last) {
            return false
        }
        if last == "quote", ["says", "said", "reads", "say"].contains(previous) { return false }
        guard let phrase = Lexicon.fillerPhrases.first(where: ends) else { return nil }
        switch phrase {
        case "you know", "i mean": return whatever || words.count > 2 && isEmbeddedSubject(at: words.count - 2)
        case "what was it", "what's it called": return words.count <= 3
        case "no longer": return false
        case "at least", "by the way", "to be honest", "let's see": return words.count > 4
        case "every time": return words.count > 3
        case "the reason", "the fact", "the moment": return words.count > 4 && hasWh
        default: return hasStranding
        }
    }

    /// Whether something like a list or a quotation was announced and is still to come.
    private var isAnnounced: Bool {
        if let index = words.firstIndex(of: "following"), index > 0, words[index - 1] == "the", words.count - index <= 2
        {
            return true
        }
        if ["www", "http", "https"].contains(last)
            || Lexicon.quoting.contains(last) && !hasWh && !["it", "he"].contains(previous)
        {
            return true
        }
        if last == "read" || last == "say", ["should", "must"].contains(previous), !hasWh { return true }
        if let previous, Lexicon.quotedNouns.contains(last), ["the", "with"].contains(previous) {
            return utterance.ends("with the \(last)") || last == "following" || ends("with \(last)")
        }
        let isCounted = words.contains { Lexicon.numbers.contains($0) } && hasExistence
        guard isCounted, let head = words.lastIndex(where: Lexicon.announced.contains) else { return false }
        let rest = words[(head + 1)...]
        return rest.count <= 1 || last == "first"
            || rest.first.map { ["i", "we", "you", "that", "to"].contains($0) } == true
                && !rest.contains { Lexicon.be.contains($0) }
    }

    private var hasExistence: Bool {
        let start = core.prefix(2).joined(separator: " ")
        return start.hasPrefix("there") || start.hasPrefix("i have") || start.hasPrefix("i've")
            || start.hasPrefix("i see")
    }

    private static let wholeEnds = [
        "i think so", "if so", "or so", "even so", "and so on", "not so", "say so", "says so", "said so", "do so",
        "does so", "hope so",
        "guess so", "believe so", "think so", "is that so", "just so", "more so", "told you so", "why so", "how so",
        "guess not", "hope not", "or not", "why not", "think not", "maybe not", "probably not", "certainly not",
        "definitely not",
        "absolutely not", "if not", "of course not", "rather not", "better not", "believe or not", "not at all",
        "as well", "as such", "as usual", "as always", "as is", "just in case", "of course", "so far", "each other",
        "one another", "how come", "or else", "and all", "after all", "at all", "that's all", "it all", "them all",
        "that's it",
        "is that it", "no matter what", "so what", "guess what", "you know what", "or what", "now what", "then what",
        "and that's that",
        "or both", "get even", "break even", "no idea", "as planned", "as expected", "the same", "or whatever",
        "not really",
        "or either", "one by one", "by and large", "once and for all", "the other way around", "step by step",
        "or so i think",
        "a bit more", "a little more", "any more", "anymore", "what else", "anything else", "something else",
        "nothing else",
        "read only", "going on", "at least", "thank you", "the other", "no other", "or other",
    ].map { $0 }

    /// Words of the closed classes: conjunctions, articles, fillers and the like.
    func byClosedWord() -> Bool? {
        if Lexicon.fillers.contains(last) || Lexicon.determiners.contains(last) { return false }
        if Lexicon.coordinators.contains(last) || Lexicon.subordinators.contains(last) {
            guard Lexicon.whWords.contains(last) else { return isTrailing(last) }
            return endsInWhWord
        }
        if Lexicon.whWords.contains(last) { return endsInWhWord }
        if Lexicon.adjectives.contains(last) { return afterArticle }
        if let previous,
            previous.hasSuffix("ly") || ["very", "pretty", "quite", "fairly", "rather"].contains(previous),
            afterArticle == false
        {
            return false
        }
        switch last {
        case "that", "this", "these", "those": return endsInDemonstrative
        case "some", "any", "all", "both", "each", "several", "many", "much", "few", "most", "another", "other", "no",
            "more":
            return endsInQuantifier
        case "really", "pretty", "so", "too", "only", "also", "not", "well", "still", "always", "never", "actually",
            "maybe", "please",
            "then", "now", "often", "usually", "currently", "probably", "perhaps", "either", "going", "already":
            return nil
        case _ where utterance.words.count > 1 && isAdjectiveByForm(last): return afterArticle
        default: return Lexicon.intensifiers.contains(last) ? hasRelative && last == "who" : nil
        }
    }

    /// "fast as it was before", "whatever the reason since": a few of them end a sentence.
    private func isTrailing(_ word: String) -> Bool {
        switch word {
        case "since": ["ever", "long", "happened", "changed"].contains(previous)
        case "once": ["at", "all", "just", "only", "for", "more"].contains(previous) || words.count > 3 && hasPredicate
        case "though": words.count > 2
        case "plus": previous == "a"
        case "cause": ["the", "a", "root", "any"].contains(previous)
        default: false
        }
    }

    /// "Tell me why" is whole, "what" at the end of most others is not.
    private var endsInWhWord: Bool {
        guard words.count > 1, let previous else { return true }
        let verbs: Set = [
            "me", "know", "understand", "explain", "see", "say", "wonder", "wondering", "remember", "sure", "idea",
            "matter", "and",
            "us", "you", "or", "them", "tell", "figure", "out", "care", "clue", "forgot", "not", "that's", "here's",
        ]
        switch last {
        case "why", "how", "when", "where": return verbs.contains(previous) && !(previous == "and" && words.count == 2)
        case "who", "which", "what":
            return ["know", "or", "matter", "say", "remember", "guess", "so", "sure", "says"].contains(previous)
        default: return false
        }
    }

    /// Adjectives behind an article want their noun, unless they stand for it.
    private var afterArticle: Bool? {
        guard let previous else { return nil }
        let articles: Set = [
            "the", "a", "an", "my", "your", "our", "their", "its", "this", "that", "some", "any", "every", "no",
            "another",
        ]
        guard articles.contains(previous) else {
            let before = utterance.fromEnd(2)
            let isGraded =
                ["very", "completely", "slightly", "pretty", "really", "quite", "fairly", "rather", "totally", "much"]
                .contains(previous) || previous.hasSuffix("ly")
            if isGraded, before.map(articles.contains) == true || before == "most",
                isNoun(last) || Lexicon.adjectives.contains(last), last != "much"
            {
                return false
            }
            let isDouble =
                (Lexicon.adjectives.contains(previous)
                    || ["much", "very", "more", "really", "slightly", "bit", "most", "less", "few"].contains(previous))
                && before.map(articles.contains) == true && !(previous == "bit" || previous == "few")
            return isDouble ? false : nil
        }
        if ["this", "that", "some", "any", "no"].contains(previous), !["main", "whole", "entire"].contains(last) {
            return nil
        }
        let ordinals: Set = ["first", "second", "third", "last", "next", "latest", "same", "fourth", "fifth"]
        if ordinals.contains(last) { return words.count <= 3 }
        if [
            "front", "back", "local", "right", "current", "default", "staging", "production", "remote", "real", "good",
            "final",
        ]
        .contains(last), previous == "the" {
            return words.count > 3 && hasPredicateBeforeEnd
        }
        return false
    }

    private func isAdjectiveByForm(_ word: String) -> Bool {
        let nouns: Set = [
            "table", "variable", "cable", "syllable", "less", "unless", "handful", "professional", "bible", "crucible",
            "timetable", "executable", "national",
        ]
        return ["ous", "ful", "less", "ible", "able", "ional"].contains { word.hasSuffix($0) } && !nouns.contains(word)
    }

    private var endsInDemonstrative: Bool? {
        guard let previous else { return true }
        if Lexicon.coordinators.contains(previous) || previous == "so" || previous == "such" || previous == "now" {
            return false
        }
        if ["in", "on", "at", "into", "of"].contains(previous) {
            return last == "that" && words.count > 3 || hasWh && words.count > 4
        }
        if last == "that" {
            let clauses: Set = [
                "sure", "think", "means", "mean", "believe", "suggest", "suggests", "ensure", "assume", "noticed",
                "notice", "given",
                "hope", "realized", "realised", "idea", "shows", "found", "told", "tells", "says", "thing", "fact",
                "feeling",
                "seems", "appears", "guess", "one", "ones", "something", "anything", "everything", "so", "clear",
                "suspect",
                "afraid", "worried", "problem", "now", "except", "provided", "saying", "thinking", "remember",
                "figured",
            ]
            if clauses.contains(previous) { return hasWh && ["mean", "think"].contains(previous) }
        }
        return !isNoun(previous) || ["like", "time"].contains(previous) || hasWh
    }

    private var endsInQuantifier: Bool? {
        guard let previous else { return nil }
        switch last {
        case "no":
            return ["say", "said", "says", "or", "a", "it's", "is"].contains(previous)
                || words.count <= 3 && previous != "is" && previous != "has"
        case "another": return ["yet", "one"].contains(previous)
        case "other": return previous == "each" || words.contains("not")
        case "each": return words.count > 3 && previous != "for" && previous != "of"
        case "much", "many": return ["how", "too", "so", "very", "that", "as", "this"].contains(previous)
        case "more":
            return !["the", "a", "is", "are", "be", "even", "much", "was", "and", "it's", "far"].contains(previous)
        case "most": return ["the", "at"].contains(previous)
        case "several": return false
        case "few": return ["a", "the", "very"].contains(previous) && words.count > 2
        case "all":
            return !["of", "in", "on", "at", "and", "are", "is", "not", "with", "from", "for"].contains(previous)
        case "both": return !["of", "in", "on", "are", "is", "to", "between", "can"].contains(previous)
        default: return !["in", "on", "at", "of", "to", "with", "is", "are", "from", "there", "and"].contains(previous)
        }
    }
}

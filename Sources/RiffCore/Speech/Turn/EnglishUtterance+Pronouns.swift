// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// Pronouns: a subject goes on, an object ends.
    func byPronoun() -> Bool? {
        switch last {
        case "i", "we", "he", "she", "they": isTag
        case "there":
            previous.map {
                !Lexicon.coordinators.contains($0)
                    && !["if", "that", "think", "because", "when", "is", "are", "so"].contains($0) || hasWh
            } ?? true
        case "it": isObjectIt
        case "you": isObjectYou
        case "me", "us", "him", "her", "them": isObjectOfVerb
        default: nil
        }
    }

    /// "Shouldn't we", "so do i", "are they": an auxiliary before the pronoun, behind a sentence.
    private var isTag: Bool {
        guard let previous, Lexicon.allAuxiliaries.contains(previous) else {
            return ["like", "than", "and"].contains(previous) && words.count > 6 && last != "i"
        }
        if let before = utterance.fromEnd(2), ["so", "neither", "nor", "than", "as"].contains(before) { return true }
        if Lexicon.be.contains(previous), hasWh { return true }
        return words.count > 4 && !Lexicon.negatedAuxiliaries.isDisjoint(with: words.suffix(2))
            || words.count > 4 && words.dropLast(2).contains { Lexicon.negatedAuxiliaries.contains($0) }
    }

    private var isObjectIt: Bool? {
        guard let previous else { return false }
        let clauses: Set = [
            "that", "think", "because", "if", "when", "so", "then", "and", "but", "or", "whether", "unless", "until",
            "while", "since",
            "where", "how", "why", "believe", "guess", "hope", "although", "though", "once", "whenever", "wherever",
            "than", "says",
            "said", "suppose", "assume", "maybe", "perhaps", "now", "actually", "well", "ok", "okay", "what", "which",
            "know", "mean",
        ]
        if clauses.contains(previous) { return false }
        if Lexicon.allAuxiliaries.contains(previous) {
            if ["did", "do", "done", "had", "have", "has"].contains(previous), let before = utterance.fromEnd(2),
                Lexicon.subjects.contains(before) || before == "to" || Lexicon.auxiliaries.contains(before)
            {
                return true
            }
            if Lexicon.negatedAuxiliaries.contains(previous) { return words.count > 3 }
            if Lexicon.be.contains(previous) { return hasWh || words.count > 5 }
            return words.count > 5 && words.dropLast(2).contains { Lexicon.negatedAuxiliaries.contains($0) }
        }
        return true
    }

    private var isObjectYou: Bool? {
        guard let previous else { return true }
        if isNoun(previous), words.count > 2,
            ["the", "a", "that", "every", "any", "all"].contains(utterance.fromEnd(2))
        {
            return false
        }
        if previous == "thank" || previous == "to" || previous == "for" || previous == "with" { return true }
        if ["lets", "makes", "allows", "wants", "helps", "asks", "let"].contains(previous), !hasWh { return false }
        let clauses: Set = [
            "that", "if", "when", "because", "and", "but", "so", "then", "or", "what", "where", "how", "why", "once",
            "while", "unless",
            "want", "like", "i'd", "need", "think", "until", "before", "after", "as", "than", "whether", "since", "ask",
            "now", "did", "hope",
        ]
        if clauses.contains(previous) { return ["and", "like", "than", "as"].contains(previous) && words.count > 4 }
        if Lexicon.be.contains(previous) { return hasWh || words.count > 4 }
        if Lexicon.allAuxiliaries.contains(previous) {
            return words.count > 4
                && (Lexicon.negatedAuxiliaries.contains(previous)
                    || words.dropLast(2).contains { Lexicon.negatedAuxiliaries.contains($0) })
        }
        return true
    }

    /// "Fix them" is whole; "show me" is not, nor "let them".
    private var isObjectOfVerb: Bool? {
        guard let previous else { return last == "me" || last == "them" }
        if ["let", "make", "want", "need", "help", "get", "want"].contains(previous), previous != "help",
            previous != "need", previous != "want" || true
        {
            if previous == "help" || previous == "want" && hasWh { return true }
            if previous == "need" { return hasWh || words.count <= 3 }
            if previous == "get" { return hasStranding || last == "them" }
            return hasStranding && previous != "let"
        }
        if [
            "show", "give", "send", "bring", "find", "remind", "shows", "gives", "gave", "sends", "tell", "tells",
            "ask", "lets", "helps", "makes", "giving", "showing",
        ]
        .contains(previous) {
            if previous == "tell", core.first == "tell" || utterance.fromEnd(2) == "and" { return false }
            if ["tell", "ask", "find", "remind", "bring"].contains(previous), last != "me" { return true }
            if previous == "ask" { return true }
            return hasStranding || words.contains { $0 == "don't" || $0 == "just" || $0 == "didn't" }
        }
        if last == "her" {
            return !["of", "in", "from", "is", "at", "on", "by", "and", "was", "into"].contains(previous)
        }
        return !["and", "or", "but"].contains(previous) || words.count > 3
    }
}

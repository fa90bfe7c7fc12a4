// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// Whether it is somebody or something, and nothing that they do: "the function that parses the header".
    var isOnlySubject: Bool {
        guard let first = core.first, let second = core.dropFirst().first else { return false }
        if first == "what", core.count > 3, ["i", "i'd", "we", "we'd", "i'm", "i've", "we've"].contains(second) {
            // "What i'd like to know", without what it is.
            return !core.dropFirst(2).contains { Lexicon.be.contains($0) && $0 != "been" && $0 != "be" }
        }
        let isSomebody = Lexicon.indefinitePersons.contains(first) && second == "who"
        let isPart =
            ["one", "some", "most", "each", "many", "several"].contains(first) && second == "of" && core.count > 4
        let isNounPhrase =
            ["the", "my", "our", "your", "their", "those", "these", "every", "most", "his", "its"].contains(first)
            && core.count > 2
        if isSomebody || isPart || isNounPhrase, hasNoPredicate(Array(core)) { return true }
        guard let clause = embeddedNounPhrase else { return false }
        return hasNoPredicate(clause)
    }

    /// What stands at the end of "i think the people in the apartment above us".
    private var embeddedNounPhrase: [String]? {
        let introducers: Set = [
            "think", "believe", "sure", "heard", "guess", "hope", "suspect", "apparently", "because", "like", "maybe",
            "probably", "afraid", "that", "but", "mean", "seems",
        ]
        let starts: Set = ["the", "my", "our", "everyone", "everybody", "people", "their"]
        let index = words.indices.dropLast(3).last { introducers.contains(words[$0]) && starts.contains(words[$0 + 1]) }
        guard let index else { return nil }
        let before = index > 0 ? words[index - 1] : ""
        switch words[index] {
        case "like": guard ["looks", "seems", "sounds", "look"].contains(before) else { return nil }
        case "that":
            guard Lexicon.cognition.contains(before) || ["me", "you", "us"].contains(before) else { return nil }
        default: break
        }
        let clause = Array(words[(index + 1)...])
        // Two or three words may be the answer: "i think the second one".
        let isLong = clause.dropFirst(2).contains {
            Lexicon.prepositions.contains($0) || Lexicon.relativePronouns.contains($0) || $0.hasSuffix("ed")
                || Lexicon.personalSubjects.contains($0)
        }
        return isLong || clause.contains("reason") ? clause : nil
    }

    /// Noun phrases that answer a question as they are: "the second one", "every five minutes".
    private func isAnswer(_ phrase: [String]) -> Bool {
        if ["one", "ones", "please", "thanks", "too", "instead", "though", "again"].contains(last) { return true }
        if phrase.dropFirst().prefix(3).contains(where: { $0 == "one" || $0 == "ones" }) { return true }
        let ordinals: Set = [
            "first", "second", "third", "last", "left", "right", "same", "other", "whole", "next", "latest", "top",
            "bottom",
        ]
        if phrase[0] == "the", phrase.count <= 4, ordinals.contains(phrase[1]) { return true }
        let times: Set = ["minutes", "day", "hour", "week", "morning", "seconds", "month", "time", "hours", "night"]
        return phrase[0] == "every" && phrase.contains(where: times.contains)
    }

    /// Whether a noun phrase has no verb of its own, clauses within it left aside.
    private func hasNoPredicate(_ phrase: [String]) -> Bool {
        guard phrase.count > 1, !isAnswer(phrase) else { return false }
        var isWithin = false
        for (index, word) in phrase.enumerated().dropFirst() {
            let before = phrase[index - 1]
            let next = index + 1 < phrase.count ? phrase[index + 1] : ""
            if Lexicon.relativePronouns.contains(word)
                || ["while", "when", "because", "if", "as", "after", "before"].contains(word)
                || !isWithin && isNoun(before)
                    && (Lexicon.personalSubjects.contains(word) || Self.contractions.contains(word))
            {
                isWithin = true
            } else if isWithin {
                // The clause has its verb; the next one is the main clause's.
                let isVerb = isFinite(word) || isClauseVerb(word) && !Lexicon.determiners.contains(before)
                let isHelping = Lexicon.auxiliaries.contains(word) && (isFinite(next) || isClauseVerb(next))
                if isVerb, !isHelping { isWithin = false }
            } else if isPredicate(word, behind: before, isSecond: index == 1, next: next) {
                return false
            }
        }
        return true
    }

    private func isPredicate(_ word: String, behind before: String, isSecond: Bool, next: String) -> Bool {
        if isFinite(word) { return !Lexicon.determiners.contains(before) }
        guard !isSecond else { return false }
        if word.hasSuffix("ed") {
            let hasObject = ["that", "the", "a", "an", "it", "no", "my", "our", "their", "all", "me", "us", "them"]
                .contains(next)
            let isOfSubject = isNoun(before) || before.hasSuffix("ly")
            return hasObject || isOfSubject && !Lexicon.modifyingParticiples.contains(word)
        }
        return Lexicon.pluralPredicates.contains(word) && isNoun(before)
            && (before.hasSuffix("s") || before == "people")
    }
}

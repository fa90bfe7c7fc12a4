// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// A condition or a time without what is to happen then; "not only", "either" and "both" without their other half.
    var isOpenClause: Bool {
        if hasOpenPair { return true }
        guard let start = subordinateStart else { return false }
        let clause = Array(core.dropFirst(start))
        guard clause.count > 1 else { return false }
        let first = core.first ?? ""
        let isPreposition = ["before", "after", "until", "till", "since", "once", "like", "as"].contains(first)
        let verb = clause.firstIndex { isFinite($0) || isClauseVerb($0) }
        if let verb, verb > 0, Self.contractions.contains(clause[verb]),
            !Lexicon.subordinators.contains(clause[verb - 1]), clause[verb - 1] != "that"
        {
            return false
        }
        guard let verb else {
            // "After lunch", "until tomorrow" answer something; "if the file" does not.
            if isPreposition {
                return clause.first.map { ["i", "you", "we", "they", "he", "she", "it"].contains($0) } == true
                    || clause.count > 5 && first != "since" && !hasMainClause(clause, behind: 0)
            }
            return !hasMainClause(clause, behind: 0)
        }
        return !hasMainClause(clause, behind: verb)
    }

    var subordinateStart: Int? {
        if words.first == "now", words.dropFirst().first == "that" || words.dropFirst().first == "we" && false {
            return core.count > 1 && core.first == "that" ? 1 : nil
        }
        guard let first = core.first, core.count > 1 else { return nil }
        let phrases: [[String]] = [
            ["as", "soon", "as"], ["as", "long", "as"], ["in", "case"], ["even", "if"], ["even", "though"],
            ["given", "that"], ["every", "time"],
            ["each", "time"], ["the", "moment"], ["now", "that"], ["by", "the", "time"], ["the", "next", "time"],
            ["next", "time"], ["provided", "that"],
            ["as", "far", "as"],
        ]
        if let phrase = phrases.first(where: { core.starts(with: $0) }) { return phrase.count }
        let single: Set = [
            "if", "when", "whenever", "once", "unless", "until", "while", "wherever", "although", "though", "assuming",
            "before", "after", "suppose", "supposing", "whereas", "since", "till",
        ]
        guard single.contains(first) else { return nil }
        // "When is it due", "while true": a question, or no clause.
        if first == "when",
            core.dropFirst().first.map({ Lexicon.allAuxiliaries.contains($0) || ["'s"].contains($0) }) == true
        {
            return nil
        }
        if first == "once", ["more", "again", "and"].contains(core.dropFirst().first) { return nil }
        if ["after", "before", "since", "until"].contains(first), ["that", "all"].contains(core.dropFirst().first),
            core.count < 4
        {
            return nil
        }
        if first == "after" || first == "before", core.dropFirst().first == "that" { return nil }
        return 1
    }

    /// Verbs of a subordinate clause that are nouns elsewhere.
    private func isClauseVerb(_ word: String) -> Bool {
        Lexicon.cognition.contains(word) || Lexicon.transitive.contains(word) || word.hasSuffix("ed")
            || Lexicon.imperatives.contains(word) || isParticiple(word)
            || [
                "pass", "fail", "work", "finish", "end", "happen", "break", "crash", "exist", "matter", "succeed",
                "ready", "done",
            ].contains(word)
    }

    private func hasMainClause(_ clause: [String], behind verb: Int) -> Bool {
        let starters: Set = [
            "then", "please", "let", "let's", "don't", "tell", "show", "just", "merge", "push", "deploy", "revert",
            "stop", "send", "give", "call", "remind", "ping", "wake", "notify", "skip", "ignore",
            "delete", "remove", "retry", "restart", "rerun", "create", "try", "ask", "explain", "roll", "add", "put",
            "commit", "print", "what", "why", "how", "can", "could", "would", "should", "will", "do",
            "does", "did", "is", "are", "may", "feel", "text", "message", "email", "email", "bump", "tag", "publish",
            "move", "rename", "install", "rebuild", "abort", "cancel", "kill", "switch", "never", "write", "raise",
            "page", "rebase", "squash", "pause", "run", "close", "leave", "keep", "go", "make", "use", "open", "take",
            "turn", "change", "save", "fix", "set", "check", "continue", "who", "where",
            "start", "wait", "bring", "pick", "update", "clean", "build", "order", "shut", "fall", "escalate", "reply",
            "say", "drop", "release", "get", "have", "be", "find", "review", "mark", "report", "lock", "disable",
            "enable", "play", "read", "pull", "look", "increase", "lower", "always", "mention", "return", "throw",
            "log", "refuse", "ship", "turn", "warn", "book",
        ]
        let subjects: Set = [
            "i", "we", "you", "they", "he", "she", "it", "there", "this", "that", "nothing", "everything", "something",
            "someone", "nobody",
        ]
        var cognitive = false
        for index in clause.indices.dropFirst(max(1, verb + 1)) where index > 0 {
            let word = clause[index]
            let before = clause[index - 1]
            let next = index + 1 < clause.count ? clause[index + 1] : nil
            cognitive = Lexicon.cognition.contains(before)
            if Self.contractions.contains(word), !["that", "which", "who", "what", "and", "where"].contains(before),
                !Lexicon.subordinators.contains(before), !cognitive
            {
                return true
            }
            if subjects.contains(word), let next,
                isFinite(next) || isClauseVerb(next) || next == "just" || next == "also"
            {
                let isRelative = isNoun(before) && !isFinite(clause[max(0, index - 2)]) && index <= verb + 1
                let isLinked = [
                    "that", "if", "and", "or", "what", "which", "who", "where", "how", "when", "because", "than",
                    "whether", "as", "like", "so", "while", "but",
                ].contains(before)
                if !isLinked, !cognitive, !isRelative { return true }
            }
            let isAfterVerb =
                ![
                    "to", "the", "a", "an", "i", "you", "we", "they", "he", "she", "and", "or", "that", "which", "who",
                    "my", "your", "our", "of", "for", "in", "on", "with", "its", "their", "this", "not", "will", "can",
                    "could", "would", "should", "must", "may", "might", "don't", "doesn't", "didn't", "won't", "can't",
                    "new", "every", "no", "from", "by", "at", "next", "last", "first", "is", "are", "was", "were", "be",
                    "been", "have", "has", "had", "do", "does", "did", "about", "into", "really", "just", "never",
                    "also", "still", "already", "always", "it's", "i'm", "you're", "we're", "they're", "test", "unit",
                    "pull", "git", "each", "another", "any", "some", "all", "two", "long", "ever", "main", "if", "what",
                    "how", "whether", "where",
                ].contains(before) && !Lexicon.allAuxiliaries.contains(before)
            // "... the doorbell flash the lights": a word alone, and its object.
            let takesObject =
                next.map {
                    ["the", "my", "it", "them", "me", "all", "every", "your", "our", "an", "a", "everything"].contains(
                        $0
                    )
                } == true
            let isOpenWord = isNoun(word) || Lexicon.imperatives.contains(word) || Lexicon.transitive.contains(word)
            if takesObject, isOpenWord, isAfterVerb,
                index > verb + 1 || Lexicon.be.contains(clause[verb]) && index > verb,
                isNoun(before) || isParticipleWord(before),
                !(word.hasSuffix("s") && !word.hasSuffix("ss")), !word.hasSuffix("ed"), index >= 2, !cognitive,
                !(isNoun(word) && Lexicon.adjectives.contains(before))
            {
                return true
            }
            if starters.contains(word), isAfterVerb, index >= 2 || word == "then", !cognitive || word == "then" {
                if Lexicon.allAuxiliaries.contains(word) {
                    // "The server is", of the clause itself or of another with a subject of its own.
                    if let next, subjects.contains(next) || next == "the" { return true }
                    if ["can", "could", "would", "should", "will"].contains(word),
                        clause[..<index].contains(where: { isFinite($0) || isClauseVerb($0) }),
                        hasSecondSubject(clause, before: index, behind: verb)
                    {
                        return true
                    }
                    if ["is", "are", "does", "do", "did"].contains(word),
                        hasSecondSubject(clause, before: index, behind: verb)
                    {
                        return true
                    }
                    continue
                }
                return true
            }
            if Lexicon.allAuxiliaries.contains(word) || Lexicon.predicates.contains(word),
                hasSecondSubject(clause, before: index, behind: verb)
            {
                return true
            }
        }
        return false
    }

    private func isParticipleWord(_ word: String) -> Bool {
        word.hasSuffix("ed") || word == "done" || isParticiple(word) || Lexicon.particles.contains(word)
            || Lexicon.predicates.contains(word)
    }

    /// "If it fails the server should": an article and a noun of their own stand between two verbs, and no relative pronoun.
    private func hasSecondSubject(_ clause: [String], before index: Int, behind verb: Int) -> Bool {
        guard index - verb > 2 else { return false }
        let between = clause[(verb + 1)..<index]
        guard
            let article = between.lastIndex(where: {
                Lexicon.determiners.contains($0) || ["this", "those", "these", "all", "that"].contains($0)
            })
        else { return false }
        if between.contains(where: { ["that", "which", "who", "and", "or", "whose"].contains($0) }) { return false }
        let before = clause[article - 1]
        if Lexicon.prepositions.contains(before) || Lexicon.transitive.contains(before) || Lexicon.be.contains(before)
            || before == "to"
        {
            return false
        }
        return article - verb > 1 || !isTransitiveVerb(clause[verb])
    }

    private func isTransitiveVerb(_ word: String) -> Bool {
        [
            "see", "sees", "find", "finds", "run", "runs", "open", "opens", "close", "closes", "have", "has", "had",
            "is", "are", "was", "were", "merge", "fix", "push", "delete", "update", "deploy", "build", "write",
            "finish", "reach", "hit", "hits", "touch", "click", "clicks", "press", "change", "changes",
        ].contains(word)
            || Lexicon.transitive.contains(word)
    }

    private var hasOpenPair: Bool {
        if core.first == "the", let comparative = core.dropFirst().first,
            ["more", "less", "fewer", "longer", "faster", "bigger", "sooner", "higher", "larger", "smaller", "older"]
                .contains(comparative),
            core.dropFirst(2).first != "one", !hasSecondComparative, hasPredicateOrSubject
        {
            return true
        }
        if let index = words.lastIndex(of: "more"), index > 1, index < words.count - 2, words[index - 1] == "the",
            ["and", "but"].contains(words[index - 2]),
            words[(index + 1)...].contains(where: { Lexicon.subjects.contains($0) }),
            !words[(index + 1)...].contains("the")
        {
            return true
        }
        if words.starts(with: ["on", "the", "one", "hand"]), !words.contains("other") { return true }
        if let both = words.lastIndex(of: "both"), both < words.count - 2,
            ["the", "a", "my", "our"].contains(words[both + 1]), !words[both...].contains("and")
        {
            return true
        }
        if hasCutRelative { return true }
        if utterance.words.count > 2 {
            if words.indices.dropLast().contains(where: { words[$0] == "not" && words[$0 + 1] == "only" }),
                !words.contains("but"), !words.contains("also")
            {
                return true
            }
            if let either = words.firstIndex(of: "either"), either < words.count - 1, !words.contains("or"),
                words[either + 1] != "of", words[either + 1] != "way", words[either + 1] != "one",
                words[either + 1] != "side"
            {
                return true
            }
        }
        return false
    }

    /// Somebody or something, and nothing that it does: "the function that parses the header".
    var isOnlySubject: Bool {
        if core.first == "what", let second = core.dropFirst().first,
            ["i", "i'd", "we", "we'd", "i'm", "i've", "we've"].contains(second), core.count > 3
        {
            return !core.dropFirst(2).contains { Lexicon.be.contains($0) && $0 != "been" && $0 != "be" }
        }
        if let first = core.first,
            ["everybody", "everyone", "anybody", "anyone", "people", "somebody", "someone", "users", "nobody"].contains(
                first
            ), core.dropFirst().first == "who"
        {
            return onlySubject
        }
        if let of = core.dropFirst().first, of == "of", let first = core.first,
            ["one", "some", "most", "each", "many", "several"].contains(first), core.count > 4
        {
            return onlySubject
        }
        return isNounPhrase && onlySubject || isEmbeddedOnlySubject
    }

    private var hasSecondComparative: Bool {
        let comparatives: Set = [
            "more", "less", "fewer", "longer", "faster", "bigger", "sooner", "higher", "larger", "smaller", "older",
            "better", "worse", "slower", "easier", "harder", "merrier", "cheaper",
        ]
        return zip(core, core.dropFirst()).filter { $0 == "the" && (comparatives.contains($1) || $1.hasSuffix("er")) }
            .count > 1
    }

    /// "The colour that the designer", "a neighbour whose dog": nothing is told of who was named last.
    private var hasCutRelative: Bool {
        guard let index = words.lastIndex(where: { ["whose", "which", "that", "who"].contains($0) }), index > 0,
            index < words.count - 1
        else { return false }
        let before = words[index - 1]
        let rest = words[(index + 1)...]
        guard
            rest.allSatisfy({
                !isFinite($0) && !isClauseVerb($0) && !Lexicon.predicates.contains($0)
                    && !($0.hasSuffix("s") && !$0.hasSuffix("ss") && rest.count > 1 && $0 == rest.last)
            })
        else { return false }
        switch words[index] {
        case "which": return ["in", "on", "for", "at", "of", "with", "from", "by"].contains(before) && index > 1
        case "whose": return isNoun(before) || before == "one"
        case "who": return isNoun(before) && rest.count > 1
        default:
            return isNoun(before) && index > 1 && Lexicon.determiners.contains(rest.first ?? "")
                && ["the", "a", "this", "any", "every"].contains(words[max(0, index - 2)])
        }
    }

    private var hasPredicateOrSubject: Bool {
        words.contains { ["i", "we", "you", "it", "they"].contains($0) || isFinite($0) }
    }

    /// "I think the people in the apartment above us".
    private var isEmbeddedOnlySubject: Bool {
        let introducers: Set = [
            "think", "believe", "sure", "heard", "guess", "hope", "suspect", "apparently", "because", "like", "maybe",
            "probably", "afraid", "that", "but", "mean", "seems",
        ]
        guard
            let index = words.indices.dropLast(3).last(where: {
                introducers.contains(words[$0])
                    && ["the", "my", "our", "everyone", "everybody", "people", "their"].contains(words[$0 + 1])
            })
        else { return false }
        if words[index] == "like", index == 0 || !["looks", "seems", "sounds", "look"].contains(words[index - 1]) {
            return false
        }
        if words[index] == "that",
            index == 0
                || !Lexicon.cognition.contains(words[index - 1])
                    && !["me", "you", "us", "sure"].contains(words[index - 1])
        {
            return false
        }
        let clause = words[(index + 1)...]
        guard
            clause.dropFirst(2).contains(where: {
                Lexicon.prepositions.contains($0) || ["that", "who", "which"].contains($0)
                    || ["i", "we", "you", "they", "he", "she", "it"].contains($0) || $0.hasSuffix("ed")
            }) || clause.contains("reason")
        else { return false }
        return Self.isOnlySubject(Array(clause), self)
    }

    private var isNounPhrase: Bool {
        let starts: Set = ["the", "my", "our", "your", "their", "those", "these", "every", "most", "his", "its"]
        return core.first.map(starts.contains) == true && core.count > 2
    }

    private var onlySubject: Bool { Self.isOnlySubject(Array(core), self) }

    private static func isOnlySubject(_ words: [String], _ utterance: EnglishUtterance) -> Bool {
        guard let first = words.first else { return false }
        return utterance.hasNoPredicate(words, first)
    }

    private func hasNoPredicate(_ words: [String], _ first: String) -> Bool {
        if ["one", "ones", "please", "thanks", "too", "instead", "though", "again"].contains(last) { return false }
        if ["one", "ones"].contains(words[1]) || words.count > 2 && ["one", "ones"].contains(words[2])
            || words.count > 3 && ["one", "ones"].contains(words[3])
        {
            return false
        }
        if first == "the", words.count <= 4,
            [
                "first", "second", "third", "last", "left", "right", "same", "other", "whole", "next", "latest", "top",
                "bottom",
            ].contains(words[1])
        {
            return false
        }
        if ["every"].contains(first),
            words.contains(where: {
                ["minutes", "day", "hour", "week", "morning", "seconds", "month", "time", "hours", "night"].contains($0)
            })
        {
            return false
        }
        var isRelative = false
        for (index, word) in words.enumerated().dropFirst(1) {
            if ["that", "which", "who", "where", "whose", "while", "when", "because", "if", "as", "after", "before"]
                .contains(word)
            {
                isRelative = true
                continue
            }
            let before = words[index - 1]
            if isRelative {
                // The relative clause has its verb; the next one is the main clause's.
                if isFinite(word) || isClauseVerb(word) && !Lexicon.determiners.contains(before) {
                    if !(index + 1 < words.count && Lexicon.auxiliaries.contains(word)
                        && (isFinite(words[index + 1]) || isClauseVerb(words[index + 1])))
                    {
                        isRelative = false
                    }
                }
                continue
            }
            if ["i", "we", "you", "they", "he", "she", "it"].contains(word), isNoun(before) {
                isRelative = true
                continue
            }
            if Self.contractions.contains(word), isNoun(before) {
                isRelative = true
                continue
            }
            if isFinite(word), !Lexicon.determiners.contains(before) { return false }
            if word.hasSuffix("ed"), index > 1, isNoun(before) || before.hasSuffix("ly"),
                !Self.modifyingParticiples.contains(word)
            {
                return false
            }
            if word.hasSuffix("ed"), index + 1 < words.count, index > 1,
                ["that", "the", "a", "an", "it", "no", "my", "our", "their", "all", "me", "us", "them"].contains(
                    words[index + 1]
                )
            {
                return false
            }
            if [
                "work", "fail", "pass", "crash", "need", "want", "look", "go", "come", "run", "seem", "keep", "take",
                "make", "start", "stop", "break", "live", "belong", "say", "use", "have",
            ].contains(word), isNoun(before), index >= 2, before.hasSuffix("s") || before == "people" {
                return false
            }
        }
        return true
    }

    /// Participles that tell which one is meant: "the file mentioned above".
    private static let modifyingParticiples = Set(
        ("used mentioned called named needed required generated created based related attached located listed described provided "
            + "installed affected involved invited caused stored defined returned red bed edited produced added opened selected marked labelled "
            + "labeled included expected seed feed speed shared linked embedded hosted").split(separator: " ").map(
                String.init
            )
    )
}

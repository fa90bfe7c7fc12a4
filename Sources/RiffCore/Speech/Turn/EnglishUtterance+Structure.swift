// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// Words that are what a later verb or preposition lacks: "what are you waiting for", "whatever you want".
    var hasWh: Bool { whIndex != nil }

    var whIndex: Int? { words.dropLast().firstIndex { Lexicon.whWords.contains($0) && $0 != "when" && $0 != "why" } }

    var whatever: Bool { words.dropLast().contains("whatever") }

    /// Whether a relative clause stands at the end: a thing, who does something, and no object ("the file i told you about").
    var hasRelative: Bool { relativeIndex != nil }

    var relativeIndex: Int? {
        guard subordinateStart == nil else { return nil }
        let subjects: Set = [
            "i", "we", "you", "he", "she", "they", "it", "i'm", "we're", "you're", "they're", "i've", "we've", "you've",
            "i'd",
        ]
        for index in words.indices.dropFirst().reversed()
        where subjects.contains(words[index]) && index < words.count - 1 {
            let before = words[index - 1]
            if Lexicon.nounHeads.contains(before)
                || ["that", "which", "who"].contains(before) && index > 1 && isNoun(words[index - 2])
            {
                return index
            }
            let isAfterNoun = index > 1 && isNoun(before) && hasArticle(before: index)
            if isAfterNoun { return index }
        }
        return nil
    }

    /// "Someone to talk to", "nothing to worry about".
    var hasInfinitiveRelative: Bool {
        words.indices.dropFirst().dropLast(2).contains { index in
            words[index] == "to" && index == words.count - 3 && isDescribed(before: index)
                || words[index] == "to"
                    && !["way", "time", "reason", "who", "what", "where"].contains(words[index - 1])
                    && words.count - index <= 5
                    && (Lexicon.nounHeads.contains(words[index - 1])
                        || ["lot", "much", "more", "nobody", "hard", "easy"].contains(words[index - 1])
                        || index > 1 && isNoun(words[index - 1]) && hasArticle(before: index))
        }
    }

    /// Whether what is missing at the end was said before.
    var hasStranding: Bool { hasWh || hasRelative || hasInfinitiveRelative || isPassive }

    /// "It was taken care of", "has it been dealt with".
    var isPassive: Bool {
        let ends = [
            "care of", "dealt with", "looked after", "looked into", "looked at", "thought of", "thought about",
            "spoken to", "talked to", "talked about",
            "paid for", "cared for", "accounted for", "relied on", "worked on", "asked for", "listened to", "heard of",
            "called for", "signed off", "messed with",
        ]
        return utterance.endsInOne(of: ends) && words.contains { Lexicon.be.contains($0) }
    }

    /// "Is really hard": an adjective behind a form of `be`.
    private func isDescribed(before index: Int) -> Bool {
        guard index > 1,
            !Lexicon.infinitiveHeads.contains(words[index - 1]) || ["easy", "hard"].contains(words[index - 1])
        else { return false }
        return words[..<(index - 1)].suffix(2).contains { Lexicon.be.contains($0) || $0.hasSuffix("'s") }
            && !words[index - 1].hasSuffix("ing") && !words[index - 1].hasSuffix("ed")
    }

    /// Whether an article, or what stands for one, begins the words before a place.
    private func hasArticle(before index: Int) -> Bool {
        let articles: Set = [
            "the", "a", "an", "this", "that", "those", "these", "my", "your", "our", "any", "every", "some", "all",
            "another", "no", "one", "only", "first", "last",
        ]
        return words[..<index].suffix(4).contains { articles.contains($0) }
    }

    /// Whether a word may be a noun: it is in none of the lists of other words.
    func isNoun(_ word: String) -> Bool {
        !(Lexicon.allAuxiliaries.contains(word) || Lexicon.prepositions.contains(word)
            || Lexicon.particles.contains(word)
            || Lexicon.coordinators.contains(word) || Lexicon.subordinators.contains(word)
            || Lexicon.determiners.contains(word)
            || Lexicon.whWords.contains(word) || Lexicon.subjects.contains(word) || Lexicon.intensifiers.contains(word)
            || Lexicon.fillers.contains(word) || Lexicon.transitive.contains(word) || Lexicon.cognition.contains(word)
            || Lexicon.predicates.contains(word) || Lexicon.openers.contains(word) || Self.notNouns.contains(word)
            || word.hasSuffix("ly") || word.hasSuffix("n't") || isParticiple(word))
    }

    func isParticiple(_ word: String) -> Bool {
        word.hasSuffix("ing") && word.count > 4 && !Lexicon.nounsInING.contains(word)
    }

    private static let notNouns = Set(
        ("fix try do change undo revert check keep leave stop love hate me him her us them these those not all same like just only too "
            + "run start open close merge push pull commit deploy restart rebuild build ignore skip done did does see understand "
            + "forget prefer mean tell ask let think don't better more less than as if instead again there here yet still said "
            + "help explain describe review handle")
            .split(separator: " ").map(String.init)
    )

    /// Whether there is a predicate anywhere, relative clauses included.
    var hasPredicate: Bool { words.contains { isFinite($0) } }

    var hasPredicateBeforeEnd: Bool { words.dropLast(2).contains { isFinite($0) || Lexicon.imperatives.contains($0) } }

    func isFinite(_ word: String) -> Bool {
        Lexicon.allAuxiliaries.contains(word) || Lexicon.predicates.contains(word) || Self.contractions.contains(word)
    }

    static let contractions = Set(
        ("i'm i'll i've i'd you're you'll you've you'd we're we'll we've we'd they're they'll they've they'd it's it'll he's he'll "
            + "she's she'll that's there's here's what's who's where's how's let's that'll there'll")
            .split(separator: " ").map(String.init)
    )

    /// Whether a word at a place is the subject of a clause within another: "that you", "if it".
    func isEmbeddedSubject(at index: Int) -> Bool {
        guard index > 0 else { return false }
        let before = words[index - 1]
        return Lexicon.whWords.contains(before) || Lexicon.auxiliaries.contains(before)
    }

    /// Whether it is a question with inverted order, of an auxiliary and a subject.
    var beginsAsQuestion: Bool {
        guard let first = core.first, let second = core.dropFirst().first else { return false }
        return Lexicon.allAuxiliaries.contains(first)
            && (Lexicon.subjects.contains(second) || Lexicon.determiners.contains(second))
    }
}

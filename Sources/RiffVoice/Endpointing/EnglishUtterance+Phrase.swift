// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// Phrases that announce something, that search for words, or that end an utterance against their last word.
    var isWholeAtPhrase: Bool? {
        if announcesMore { return false }
        if ends(in: Lexicon.wholeEnds) { return true }
        if turnsOut || isOpeningAdverb { return false }
        return isWholeAtHedge ?? (ends(in: Lexicon.openEnds) ? hasStranding : nil)
    }

    /// "It turned out", without what.
    private var turnsOut: Bool {
        (previous == "turned" || previous == "turns") && last == "out" && words.count <= 4 && !hasWh
    }

    /// "Firstly", and nothing behind it.
    private var isOpeningAdverb: Bool {
        words.count == 1 && ["firstly", "secondly", "thirdly", "finally", "unfortunately"].contains(last)
    }

    /// Phrases with which speakers hold the turn, unless they are meant: "you know", but "how much do you know".
    private var isWholeAtHedge: Bool? {
        if ends(in: Self.addresses) {
            return words.dropLast().contains("whatever") || isEmbeddedClause
        }
        if ends(in: Self.searches) { return words.count <= 3 }
        if previous == "no", last == "longer" { return false }
        if ends(in: Self.asides) { return words.count > 4 }
        if previous == "every", last == "time" { return words.count > 3 }
        if previous == "the", ["reason", "fact", "moment"].contains(last) { return words.count > 4 && hasWh }
        return nil
    }

    /// "What do you know", "do you know": the subject of a question.
    private var isEmbeddedClause: Bool {
        fromEnd(2).map { Lexicon.whWords.contains($0) || Lexicon.auxiliaries.contains($0) } == true
    }

    private static let addresses = Lexicon.phrases("you know, i mean")
    private static let searches = Lexicon.phrases("what was it, what's it called")
    private static let asides = Lexicon.phrases("by the way, to be honest, let's see")

    // MARK: What is announced

    /// Whether something like a list or a quotation was announced and is still to come.
    private var announcesMore: Bool {
        announcesFollowing || announcesQuotation ?? announcesList
    }

    /// "I get the following", "the following error".
    private var announcesFollowing: Bool {
        fromEnd(1) == "the" && last == "following" || fromEnd(2) == "the" && fromEnd(1) == "following"
    }

    /// "The button should say", "a comment saying", "with the title"; `false` for "change the title".
    private var announcesQuotation: Bool? {
        if Lexicon.quoting.contains(last), !hasWh, previous != "it", previous != "he" { return true }
        switch (last, previous) {
        case ("www", _), ("http", _), ("https", _): return true
        case ("read", "should"), ("read", "must"), ("say", "should"), ("say", "must"): return hasWh ? nil : true
        case ("quote", "says"), ("quote", "said"), ("quote", "say"), ("quote", "reads"): return true
        case (_, "with") where Lexicon.quotedNouns.contains(last): return true
        case (_, "the") where Lexicon.quotedNouns.contains(last): return fromEnd(2) == "with"
        default: return nil
        }
    }

    /// "There are two options", "i have three questions first", without the first of them.
    private var announcesList: Bool {
        guard saysThatThereIs, isAnywhere(Lexicon.numbers),
            let head = words.lastIndex(where: Lexicon.announced.contains)
        else { return false }
        let rest = words[(head + 1)...]
        guard rest.count > 1, last != "first", let next = rest.first else { return true }
        return ["i", "we", "you", "that", "to"].contains(next) && !rest.contains { Lexicon.be.contains($0) }
    }

    private var saysThatThereIs: Bool {
        switch core.first {
        case "there", "there's", "there're", "i've": true
        case "i": ["have", "see"].contains(core.dropFirst().first)
        default: false
        }
    }
}

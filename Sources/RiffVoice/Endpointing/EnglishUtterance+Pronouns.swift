// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// Whether an utterance that ends with a pronoun is whole: with a subject it is not, with an object it is.
    var isWholeAtPronoun: Bool? {
        guard let previous else { return ["it", "i", "we", "he", "she", "they"].contains(last) ? false : nil }
        return switch last {
        case "i", "we", "he", "she", "they": isTagQuestion(behind: previous)
        case "there": isPlace(behind: previous)
        case "it": isObjectIt(behind: previous)
        case "you": isObjectYou(behind: previous)
        case "me", "us", "him", "her", "them": isObject(behind: previous)
        default: nil
        }
    }

    /// "Shouldn't we", "so do i", "where are they": an auxiliary before the pronoun, behind a sentence.
    private func isTagQuestion(behind previous: String) -> Bool {
        guard Lexicon.allAuxiliaries.contains(previous) else {
            return ["like", "than", "and"].contains(previous) && words.count > 6 && last != "i"
        }
        if let before = fromEnd(2), ["so", "neither", "nor", "than", "as"].contains(before) { return true }
        return Lexicon.be.contains(previous) && hasWh || words.count > 4 && isNegated
    }

    private var isNegated: Bool { isAnywhere(Lexicon.negatedAuxiliaries) }

    /// "Put it there" is whole, "because there" is not.
    private func isPlace(behind previous: String) -> Bool {
        hasWh
            || !Lexicon.coordinators.contains(previous)
                && !["if", "that", "think", "because", "when", "is", "are", "so"].contains(previous)
    }

    /// "Fix it", "i did it", "what is it" are whole; "because it", "should it" are not.
    private func isObjectIt(behind previous: String) -> Bool {
        if Lexicon.clauseLeads.contains(previous) || Self.itLeads.contains(previous) { return false }
        guard Lexicon.allAuxiliaries.contains(previous) else { return true }
        if ["did", "do", "had", "have", "has"].contains(previous), let before = fromEnd(2),
            Lexicon.subjects.contains(before) || before == "to" || Lexicon.auxiliaries.contains(before)
        {
            return true
        }
        if Lexicon.negatedAuxiliaries.contains(previous) { return words.count > 3 }
        if Lexicon.be.contains(previous) { return hasWh || words.count > 5 }
        return words.count > 5 && isNegated
    }

    private static let itLeads = Lexicon.words(
        """
        believe guess although though whenever wherever says said suppose assume maybe perhaps actually well ok okay
        which know mean
        """
    )

    /// "Thank you", "how are you" are whole; "if you", "i want you", "the thing you" are not.
    private func isObjectYou(behind previous: String) -> Bool {
        if words.count > 2, Lexicon.isNoun(previous), ["the", "a", "that", "every", "any", "all"].contains(fromEnd(2)) {
            return false
        }
        if ["lets", "makes", "allows", "wants", "helps", "asks", "let"].contains(previous), !hasWh { return false }
        if Lexicon.clauseLeads.contains(previous) || Self.youLeads.contains(previous) {
            return ["and", "like", "than", "as"].contains(previous) && words.count > 4
        }
        if Lexicon.be.contains(previous) { return hasWh || words.count > 4 }
        return !Lexicon.allAuxiliaries.contains(previous) || words.count > 4 && isNegated
    }

    private static let youLeads = Lexicon.words("want like i'd need before after as ask did")

    /// "Fix them" is whole; "show me", "let them" and "this is her" are not.
    private func isObject(behind previous: String) -> Bool {
        switch previous {
        case "help", "ask": return true
        case "need": return hasWh || words.count <= 3
        case "get": return hasStranding || last == "them"
        case "make", "want": return hasStranding
        case "let": return false
        case "tell" where core.first == "tell" || fromEnd(2) == "and": return false
        case "tell", "find", "remind", "bring":
            return last != "me" || isObjectSaid
        case _ where Self.givers.contains(previous): return isObjectSaid
        default: break
        }
        if last == "her" {
            return !["of", "in", "from", "is", "at", "on", "by", "and", "was", "into"].contains(previous)
        }
        return !["and", "or", "but"].contains(previous) || words.count > 3
    }

    /// Whether it was said what is given: "what did they send me"; "just show me" wants nothing more.
    private var isObjectSaid: Bool { hasStranding || isAnywhere(Self.giftHints) }

    private static let giftHints = Lexicon.words("don't just didn't")
    private static let givers = Lexicon.words(
        "show give send shows gives gave sends tells lets helps makes giving showing"
    )
}

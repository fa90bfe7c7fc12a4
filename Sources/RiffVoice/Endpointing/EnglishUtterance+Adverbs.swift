// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// Adverbs that end a sentence in one place and go on in another.
    var isWholeAtAdverb: Bool? {
        guard let previous else { return Self.openingAdverbs.contains(last) ? false : nil }
        if isInsideInfinitive(behind: previous) { return false }
        // "The tests have already".
        if last == "already", Lexicon.auxiliaries.contains(previous), words.count > 4 { return false }
        let isAfterLink =
            Lexicon.coordinators.contains(previous)
            || ["so", "because", "if", "that", "when", "wait"].contains(previous)
        switch last {
        case "so", "not": return false
        case "going": return hasWh || ["keep", "get", "it's", "things", "keeps"].contains(previous) && words.count < 5
        // "I don't like it either".
        case "either": return words.contains("not") || words.contains("never") || words.contains { $0.hasSuffix("n't") }
        // "It works now", "do it then", "as well", "rename it please"; not "and now", "if then".
        case "now": return !isAfterLink
        case "then": return !isAfterLink && previous != "now"
        case "maybe": return !isAfterLink && words.count > 2
        case "well": return !isAfterLink && previous != "oh" && words.count > 2
        case "please": return !isAfterLink && !["you", "then", "also", "now"].contains(previous)
        default: return isWholeAtMiddleAdverb(behind: previous, isAfterLink: isAfterLink)
        }
    }

    /// "So", "well", and nothing behind them.
    private static let openingAdverbs = Lexicon.words("so also well then actually only")

    /// Adverbs that stand between subject and verb: "it never", "we also", but "it fails often", "me too".
    private func isWholeAtMiddleAdverb(behind previous: String, isAfterLink: Bool) -> Bool? {
        let isAfterSubject =
            Lexicon.subjects.contains(previous) || Lexicon.be.contains(previous)
            || Lexicon.contractions.contains(previous)
        switch last {
        case "really": return !isAfterSubject || hasWh
        case "already": return !isAfterLink
        case "pretty", "often", "usually", "currently", "probably", "perhaps", "still", "always", "never", "actually":
            return !isAfterSubject && !isAfterLink
        case "too":
            return !isAfterSubject || Lexicon.subjects.contains(previous) && words.count <= 3
                || previous == "this" || previous == "that"
        case "only": return !isAfterSubject && !isAfterLink && previous != "not" && previous != "the"
        case "also": return !isAfterSubject && !isAfterLink && words.count > 2
        default: return nil
        }
    }

    /// "To quickly", "to also", "from accidentally"; but "to italy".
    private func isInsideInfinitive(behind previous: String) -> Bool {
        guard ["to", "from", "without"].contains(previous) else { return false }
        return last.hasSuffix("ly") && !Self.nounsInLY.contains(last)
            || previous == "to" && ["also", "just", "never", "always", "only"].contains(last)
    }

    private static let nounsInLY = Lexicon.words(
        "reply apply comply assembly family italy july sicily emily sally billy kelly fly daily weekly early"
    )
}

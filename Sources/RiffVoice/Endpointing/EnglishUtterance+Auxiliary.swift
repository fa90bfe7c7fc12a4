// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// Whether an utterance that ends with an auxiliary is whole: it is only if the rest was said before: "yes i do",
    /// "tell me what it is", "faster than it was".
    var isWholeAtAuxiliary: Bool? {
        guard Lexicon.allAuxiliaries.contains(last) else { return nil }
        // As a main verb: "what should i do", "the ones we have", "that's all i did".
        if ["do", "did", "have", "had", "has", "been"].contains(last), hasStranding { return last != "been" || hasWh }
        guard let previous else { return false }
        return isWholeAtNonFinite(behind: previous)
            ?? (Lexicon.subjects.contains(previous) || Lexicon.demonstratives.contains(previous)
                ? isWholeBehindPronoun(previous) : isWholeBehindNoun)
    }

    /// "Be", "been", and "do" and "have" behind another auxiliary; "we already have", "she said she would".
    private func isWholeAtNonFinite(behind previous: String) -> Bool? {
        let before = fromEnd(2) ?? ""
        if Self.frequencies.contains(previous), Lexicon.personalSubjects.contains(before), words.count < 6 {
            return true
        }
        if last == "have" {
            // "But i couldn't have", "as i should have".
            if Lexicon.negatedAuxiliaries.contains(previous) { return true }
            if ["should", "would", "could", "must", "might"].contains(previous) {
                return words.contains("if") || words.contains("as")
            }
        }
        if Self.promises.contains(before), Lexicon.personalSubjects.contains(previous), words.count > 3 { return true }
        switch (last, previous) {
        case ("do", "to"), ("have", "to"): return false
        case ("do", "just"), ("do", "it'll"), ("do", "that'll"), ("do", "will"): return true
        case ("been", _): return previous == "ever" || previous == "never"
        case ("be", _):
            return ["it", "may", "can", "should", "will", "could", "to"].contains(previous)
                && (hasWh || words.contains("than") || words.contains("as"))
        default: return nil
        }
    }

    private static let frequencies = Lexicon.words(
        "already always never just certainly really usually probably definitely sometimes"
    )
    private static let promises = Lexicon.words("said says thought hoped promised think hope knew know sure told")

    /// "Tell me where the file is"; not "where the fault is", which begins a sentence.
    private var isWholeBehindNoun: Bool {
        guard let index = whIndex, index > 0 else { return false }
        return words.count - index > 2 && !words[index...].dropLast().contains(where: Lexicon.isFinite)
    }

    /// "As it was", "tell me what that is", "yes i can", "because they won't".
    private func isWholeBehindPronoun(_ previous: String) -> Bool {
        let before = fromEnd(2) ?? ""
        // "What you could", but "i know what you could".
        if before == "what", ["could", "should", "would", "can", "will", "must"].contains(last), words.count < 5,
            !["know", "see", "do"].contains(fromEnd(3))
        {
            return false
        }
        if Self.ellipsisLeads.contains(before) { return whIndex != 0 || words.count <= 4 }
        if let index = whIndex, index > 0 { return !words[(index + 1)...].dropLast().contains(where: Lexicon.isFinite) }
        let isNegated = Lexicon.negatedAuxiliaries.contains(last)
        if words.count == 2 || words.count == 3 && Self.answerLeads.contains(before) {
            return isNegated || previous != "there" && !Lexicon.demonstratives.contains(previous)
        }
        switch before {
        case "because", "course": return true
        case "if", "when", "whenever": return words.count > 4
        case "but", "no", "it", "they", "why", "and": return isNegated && words.count > 2
        default: return false
        }
    }

    private static let ellipsisLeads = Lexicon.words(
        "than as what how who where whatever whichever like so neither wherever big old long way"
    )
    private static let answerLeads = Lexicon.words("yes no yeah sure think so but nope know")
}

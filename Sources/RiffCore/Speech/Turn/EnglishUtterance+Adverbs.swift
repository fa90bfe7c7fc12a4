// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// Adverbs that end a sentence in one place and go on in another.
    func byAdverb() -> Bool? {
        guard let previous else { return nil }
        if previous == "to", last.hasSuffix("ly") || ["also", "just", "never", "always", "only"].contains(last),
            last != "reply", last != "apply"
        {
            return false
        }
        if last == "already", Lexicon.auxiliaries.contains(previous), words.count > 4 { return false }
        let isAfterSubject =
            Lexicon.subjects.contains(previous) || Lexicon.be.contains(previous) || Self.contractions.contains(previous)
        let isAfterConjunction =
            Lexicon.coordinators.contains(previous)
            || ["so", "because", "if", "that", "when", "wait"].contains(previous)
        switch last {
        case "really": return !isAfterSubject || hasWh
        case "pretty", "already", "often", "usually", "currently", "probably", "perhaps", "still", "always", "never",
            "actually":
            if last == "still" || last == "always" || last == "never" || last == "probably", isAfterSubject,
                words.count > 2
            {
                return false
            }
            return !(isAfterSubject || isAfterConjunction) || last == "already" && !isAfterConjunction
        case "so": return false
        case "too":
            return !isAfterSubject || Lexicon.subjects.contains(previous) && words.count <= 3 || previous == "this"
                || previous == "that"
        case "only": return !(isAfterSubject || isAfterConjunction || ["not", "the"].contains(previous))
        case "also": return !(isAfterSubject || isAfterConjunction) && words.count > 2
        case "not": return false
        case "well": return !(isAfterConjunction || previous == "oh") && words.count > 2
        case "maybe": return !isAfterConjunction && words.count > 2
        case "please": return !(isAfterConjunction || ["you", "and", "then", "also", "now"].contains(previous))
        case "then": return !isAfterConjunction && previous != "now" && words.count > 1
        case "now": return !isAfterConjunction
        case "either": return words.contains { $0.hasSuffix("n't") || $0 == "not" || $0 == "never" }
        case "going":
            return hasWh
                || ["keep", "get", "is", "get", "it's", "things", "keeps"].contains(previous) && words.count < 5
                    && previous != "is"
        case "to-do": return true
        default: return nil
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// Verbs that lack their object: "the wrapper function takes".
    var isWholeAtVerb: Bool? {
        guard Lexicon.transitive.contains(last) else { return nil }
        // The noun: "the fix", "no use".
        if let previous, Lexicon.determiners.contains(previous) || Self.nounLeads.contains(previous) { return nil }
        // "The tools we use", "as you suggest", "like it says".
        return hasStranding || ["as", "like", "than"].contains(fromEnd(2))
    }

    private static let nounLeads = Lexicon.words("this no any of new next last some data it's")
}

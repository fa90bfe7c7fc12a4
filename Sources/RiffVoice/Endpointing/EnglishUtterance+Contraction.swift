// Riff
// SPDX-License-Identifier: Apache-2.0

extension EnglishUtterance {
    /// Whether an utterance that ends with a contraction is whole: it is not, as the last word of a sentence is not
    /// shortened ("it is", never "it's"), but for a negation ("it isn't"), a possessive ("my mother's") and an answer
    /// by itself ("yes i should've").
    var isWholeAtContraction: Bool? {
        if Self.open.contains(last) { return false }
        guard let mark = last.lastIndex(of: "'"), mark > last.startIndex else { return nil }
        switch last[mark...] {
        case "'s": return isWholeAtPossessive
        case "'ve": return Self.modals.contains(String(last[..<mark])) ? isWholeAtModal : false
        case "'ll", "'re", "'m", "'d": return false
        default: return nil
        }
    }

    /// Whether an utterance that ends with a possessive is whole: "put it at my mother's" is; "the server's" and "make
    /// sure everyone's" are not.
    private var isWholeAtPossessive: Bool {
        if Self.persons.contains(String(last.dropLast(2))) {
            guard let previous else { return false }
            return Lexicon.be.contains(previous) || Lexicon.contractions.contains(previous)
                || Lexicon.prepositions.contains(previous)
        }
        return hasPredicateBeforeEnd
    }

    /// Whether an utterance that ends with a modal is whole: "yes i should've", "but they could've" are; "he could've"
    /// is not.
    private var isWholeAtModal: Bool {
        guard let previous, Lexicon.subjects.contains(previous) else { return false }
        let before = fromEnd(2) ?? ""
        return ["yes", "yeah", "no", "but", "as", "sure", "than"].contains(before) || words.contains("if")
    }

    private static let modals = Lexicon.words("could should would might must may")
    private static let persons = Lexicon.words(
        """
        everybody everyone anybody anyone somebody someone nobody everything anything something nothing one there here
        """
    )
    /// Subjects with a verb whose rest is missing, and how recognizers write them that leave the apostrophe out.
    private static let open = Lexicon.words(
        """
        it's that's this's here's there's he's she's let's what's who's where's how's when's why's which's so's
        that'll this'll what'll who'll it'd that'd there'd who'd i'd've you'd've he'd've she'd've we'd've they'd've
        thats whats heres theres wheres hows im ive youre theyre itll thatll lemme gimme
        """
    )
}

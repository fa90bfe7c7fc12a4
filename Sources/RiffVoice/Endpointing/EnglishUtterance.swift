// Riff
// SPDX-License-Identifier: Apache-2.0

/// An English utterance, and the rules that decide whether it is incomplete. Each kind of rule is in a file of its own.
struct EnglishUtterance {
    typealias Lexicon = EnglishTurnLexicon

    /// All words; there is at least one.
    let words: [String]
    /// The words from what the turn is about on, without "okay so".
    let core: ArraySlice<String>
    let last: String
    private let trailsOff: Bool

    /// `nil` where nothing was said.
    init?(_ utterance: UtteranceWords) {
        guard let last = utterance.words.last else { return nil }
        self.last = last
        words = utterance.words
        trailsOff = utterance.trailsOff
        let core = utterance.words.drop { Lexicon.openers.contains($0) }
        // What has nothing but such words is itself the answer ("okay").
        self.core = core.isEmpty ? words[...] : core
    }

    /// Whether it would be right to answer now.
    ///
    /// Its end is judged by the first rule that knows it: `true` and `false` are a verdict, `nil` is none. What is
    /// whole at its end may still lack its main clause, and what no rule knows may be a subject alone.
    var isComplete: Bool {
        if trailsOff { return false }
        if isWholeAnswer { return true }
        let verdict =
            isWholeAtContraction ?? isWholeAtPhrase ?? isWholeAtFunctionWord ?? isWholeAtPronoun ?? isWholeAtAdverb
            ?? isWholeAtAuxiliary
            ?? isWholeAtInfinitive ?? isWholeAtPreposition ?? isWholeAtVerb ?? isWholeAtNumber ?? !isOnlySubject
        return verdict && !isOpenClause
    }

    /// "Yes", "not really", "go ahead": answers that are whole as they are.
    private var isWholeAnswer: Bool {
        switch words.count {
        case 1: Lexicon.wholeWords.contains(last)
        case 2...4: Lexicon.wholePhrases.contains(words.joined(separator: " "))
        default: false
        }
    }

    /// The word before the last one.
    var previous: String? { fromEnd(1) }

    /// The word at a distance from the end, 0 being the last one.
    func fromEnd(_ distance: Int) -> String? {
        words.count > distance ? words[words.count - 1 - distance] : nil
    }

    /// Whether it ends in one of these phrases, of five words at most.
    func ends(in phrases: Set<String>) -> Bool {
        (1...5).contains { words.count >= $0 && phrases.contains(words.suffix($0).joined(separator: " ")) }
    }

    func isAnywhere(_ list: Set<String>) -> Bool { words.contains { list.contains($0) } }
}

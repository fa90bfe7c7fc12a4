// Riff
// SPDX-License-Identifier: Apache-2.0

/// An English utterance, and the rules that say whether it goes on. Each kind of rule is in a file of its own.
struct EnglishUtterance {
    typealias Lexicon = EnglishTurnLexicon

    let utterance: UtteranceWords
    let words: [String]
    let last: String
    /// The words from what the turn is about on.
    let core: ArraySlice<String>

    init(_ utterance: UtteranceWords) {
        self.utterance = utterance
        words = utterance.words
        last = utterance.last ?? ""
        let core = utterance.withoutOpening(Lexicon.openers)
        // What has nothing but such words is itself the answer ("okay").
        self.core = core.isEmpty ? words[...] : core
    }

    /// The word before the last one.
    var previous: String? { utterance.fromEnd(1) }

    func ends(_ phrase: String) -> Bool { utterance.ends(phrase) }

    var isComplete: Bool {
        if utterance.trailsOff { return false }
        if let isWhole = wholeAnswer { return isWhole }
        for rule in [
            byPhrase, byClosedWord, byPronoun, byAdverb, byAuxiliary, byInfinitive, byPreposition, byVerb, byNumber,
        ] {
            if let isWhole = rule() { return isWhole && !isOpenClause }
        }
        return !isOpenClause && !isOnlySubject
    }

    /// Answers that are whole as they are.
    private var wholeAnswer: Bool? {
        switch words.count {
        case 1: Self.wholeWords.contains(last) ? true : nil
        case 2...4: Self.wholePhrases.contains(words.joined(separator: " ")) ? true : nil
        default: nil
        }
    }

    private static let wholeWords = Set(
        ("yes no yeah yep nope ok okay sure right correct exactly stop go continue cancel undo redo next back again done help "
            + "please thanks maybe perhaps probably never always nothing everything something both neither either none all now "
            + "later why what how who when where really absolutely definitely perfect great good nice fine cool wrong hello hi "
            + "hey bye goodbye wait pause resume quit exit save submit send retry skip first second third one two three four "
            + "five left right up down enough more less this that these those him me mine yours here there today tomorrow")
            .split(separator: " ").map(String.init)
    )
    private static let wholePhrases: Set<String> = [
        "of course", "of course not", "why not", "not yet", "not really", "not now", "not at all", "i see", "i know",
        "i do",
        "i am", "i have", "i will", "i can", "i did", "i don't know", "i guess", "i guess so", "i think so",
        "i hope so",
        "i don't think so", "i agree", "i understand", "i'm done", "go on", "go ahead", "carry on", "come on",
        "come in",
        "hold on", "hang on", "move on", "what for", "where to", "who with", "who for", "where from", "how so",
        "so what",
        "now what", "what else", "who else", "never mind", "no need", "you too", "me too", "me neither", "same here",
        "all of it",
        "right now", "as well", "thank you", "let's go", "please do", "wait what", "i'm afraid not", "i'm afraid so",
        "yes do", "here you go", "there you go", "got it", "do it", "let me check",
        "let me look", "let me know", "what is it", "what was that", "how come", "since when", "until when", "it is",
        "it was",
        "it does", "they are", "they do", "we do", "we can", "we are", "he is", "she is", "he did", "she did",
        "so do i",
        "so am i", "shall we", "may i", "guess what", "as usual", "as before", "just now", "and you", "or not",
        "the end", "either one", "either way", "that one", "this one", "so far", "not so fast", "if so", "in there",
        "over there",
        "it works", "it worked", "it depends", "fair enough", "more or less", "and so on", "hands off", "no way",
        "by all means",
    ]
}

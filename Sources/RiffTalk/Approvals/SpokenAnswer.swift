// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffVoice

/// What somebody's words answer to a question for permission.
package enum SpokenAnswer: Sendable, Hashable {
    /// A plain yes, to this one request.
    case approved
    /// A no, or any word that could be one.
    case denied
    /// Neither. "Always" is neither, too: that is not given by voice.
    case unclear
}

/// Tells a yes from a no, so that nothing is ever allowed that was not plainly allowed.
///
/// Any word of denial wins, wherever it stands. A yes is one only where nothing else is said: a few words, all of them
/// of the kind in an ``ApprovalLexicon``; a question, a quotation, a condition, a name, a word that was misheard are
/// none.
package struct SpokenAnswerRules: Sendable {
    /// The most words of a yes.
    package var longestApproval: Int
    private let lexicon: ApprovalLexicon?

    /// The rules of a language.
    ///
    /// - Parameters:
    ///   - language: The language; in `nil`, one without words here, nothing is a yes or a no.
    ///   - longestApproval: The most words of a yes.
    package init(_ language: SpokenLanguage? = .english, longestApproval: Int = 6) {
        self.longestApproval = longestApproval
        lexicon =
            switch language {
            case .english: .english
            case .german: .german
            case .french: .french
            case .spanish: .spanish
            case nil: nil
            }
    }

    /// Whether permission can be given by voice at all.
    package var hasWords: Bool { lexicon != nil }

    /// What an utterance answers.
    ///
    /// - Parameter text: One complete utterance, as a recognizer gives it: any case, with or without punctuation.
    /// - Returns: The answer.
    package func answer(_ text: String) -> SpokenAnswer {
        guard let lexicon else { return .unclear }
        let words = SpokenAnswerRules.words(of: text, partsAtApostrophes: lexicon.partsAtApostrophes)
        if lexicon.holdsDenial(words) { return .denied }
        guard !ApprovalLexicon.holdsDoubt(text), words.count <= longestApproval else { return .unclear }
        return lexicon.isApproval(words) ? .approved : .unclear
    }

    /// Lower-case words without the punctuation around them; an apostrophe within a word is kept, in its plain form,
    /// where it does not part two.
    private static func words(of text: String, partsAtApostrophes: Bool) -> [String] {
        let plain = text.lowercased().map { "\u{2019}\u{2018}\u{02BC}\u{60}\u{B4}".contains($0) ? "'" : $0 }
        return plain.split { !($0.isLetter || $0.isNumber || ($0 == "'" && !partsAtApostrophes)) }
            .map { word in String(word).trimmingApostrophes }
            .filter { !$0.isEmpty }
    }
}

extension String {
    fileprivate var trimmingApostrophes: String {
        String(drop { $0 == "'" }.reversed().drop { $0 == "'" }.reversed())
    }
}

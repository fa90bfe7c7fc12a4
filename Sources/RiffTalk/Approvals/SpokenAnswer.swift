// Riff
// SPDX-License-Identifier: Apache-2.0

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
/// of the kind in ``EnglishApprovalLexicon``; a question, a quotation, a condition, a name, a word that was misheard
/// are none.
package struct SpokenAnswerRules: Sendable {
    /// The most words of a yes.
    package var longestApproval: Int

    /// The rules of English.
    package init(longestApproval: Int = 6) { self.longestApproval = longestApproval }

    /// What an utterance answers.
    ///
    /// - Parameter text: One complete utterance, as a recognizer gives it: any case, with or without punctuation.
    /// - Returns: The answer.
    package func answer(_ text: String) -> SpokenAnswer {
        let words = SpokenAnswerRules.words(of: text)
        if words.contains(where: EnglishApprovalLexicon.isDenial) || EnglishApprovalLexicon.holdsDenial(words) {
            return .denied
        }
        guard !EnglishApprovalLexicon.holdsDoubt(text), words.count <= longestApproval else { return .unclear }
        return EnglishApprovalLexicon.isApproval(words) ? .approved : .unclear
    }

    /// Lower-case words without the punctuation around them; an apostrophe within a word is kept, in its plain form.
    private static func words(of text: String) -> [String] {
        let plain = text.lowercased().map { "\u{2019}\u{2018}\u{02BC}\u{60}\u{B4}".contains($0) ? "'" : $0 }
        return plain.split { !($0.isLetter || $0.isNumber || $0 == "'") }
            .map { word in String(word).trimmingApostrophes }
            .filter { !$0.isEmpty }
    }
}

extension String {
    fileprivate var trimmingApostrophes: String {
        String(drop { $0 == "'" }.reversed().drop { $0 == "'" }.reversed())
    }
}

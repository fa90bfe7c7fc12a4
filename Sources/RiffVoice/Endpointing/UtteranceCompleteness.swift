// Riff
// SPDX-License-Identifier: Apache-2.0

/// Judges by its words whether an utterance is whole, as a listener does when a speaker pauses.
///
/// Rules and word lists for each language, no model: what ends in a function word, an open clause or a verb without its
/// object goes on, unless the sentence has already what belongs there ("what are you waiting for"). Case and
/// punctuation count for nothing, as recognizers end half sentences with a full stop; only what trails off ("and
/// then...") goes on by its punctuation.
public struct UtteranceCompleteness: Sendable, Hashable {
    /// The verdict on an utterance.
    public enum Verdict: Sendable, Hashable {
        /// It would be right to answer now.
        case complete
        /// More is to come.
        case incomplete
        /// Nothing was said, or there are no rules for the language.
        case unknown
    }

    private let language: SpokenLanguage?

    /// Rules for a language: English, German, French and Spanish have some; all else is `unknown`.
    ///
    /// - Parameter language: BCP 47 tag, such as `en-GB`.
    public init(language: String = "en") { self.language = SpokenLanguage(tag: language) }

    /// Judges an utterance.
    ///
    /// - Parameter text: What a recognizer has given of this turn so far.
    /// - Returns: Whether it is whole. Linear in the length of the text.
    public func verdict(on text: String) -> Verdict {
        let words = UtteranceWords(text)
        let isWhole: Bool?
        switch language {
        case .english: isWhole = EnglishUtterance(words)?.isComplete
        case .german: isWhole = TurnRules.german.isWhole(words)
        case .french: isWhole = TurnRules.french.isWhole(words)
        case .spanish: isWhole = TurnRules.spanish.isWhole(words)
        case nil: isWhole = nil
        }
        return isWhole.map { $0 ? .complete : .incomplete } ?? .unknown
    }
}

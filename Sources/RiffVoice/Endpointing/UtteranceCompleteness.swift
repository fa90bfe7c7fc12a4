// Riff
// SPDX-License-Identifier: Apache-2.0

/// Judges by its words whether an utterance is whole, as a listener does when a speaker pauses.
///
/// Rules and word lists, no model: what ends in a function word, an open clause or a verb without its object goes on,
/// unless the sentence has already what belongs there ("what are you waiting for"). Case and punctuation count for
/// nothing, as recognizers end half sentences with a full stop; only what trails off ("and then...") goes on by its
/// punctuation.
public struct UtteranceCompleteness: Sendable, Hashable {
    /// What was found.
    public enum Verdict: Sendable, Hashable {
        /// It would be right to answer now.
        case complete
        /// More is to come.
        case incomplete
        /// Nothing was said, or there are no rules for the language.
        case unknown
    }

    private let isEnglish: Bool

    /// Rules for a language; there are rules for English so far.
    ///
    /// - Parameter language: BCP 47 tag, such as `en-GB`.
    public init(language: String = "en") {
        isEnglish = language.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" }).first == "en"
    }

    /// Judges an utterance.
    ///
    /// - Parameter text: What a recognizer has given of this turn so far.
    /// - Returns: Whether it is whole. Linear in the length of the text.
    public func verdict(on text: String) -> Verdict {
        guard isEnglish, let utterance = EnglishUtterance(UtteranceWords(text)) else { return .unknown }
        return utterance.isComplete ? .complete : .incomplete
    }
}

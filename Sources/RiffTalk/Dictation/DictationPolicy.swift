// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffVoice

/// What a dictation does with what it heard.
public struct DictationPolicy: Sendable, Hashable {
    /// Whether Return follows the text, however the recording was ended; see also ``completeness``. It never follows
    /// what could answer a question, such as "yes" or "2", unless the one who types refuses what does
    /// (``TextInjecting/guardsQuestions``), and never what an interruption broke off.
    public var submits: Bool
    /// Judges whether a text is whole: Return follows only one that is not open. `nil` submits open ones, too.
    public var completeness: UtteranceCompleteness?
    /// When a recording ends by itself. It is measured in the sound, so that words count for nothing;
    /// `EndpointPolicy.sven` is two seconds of silence, and two minutes at most.
    public var endpoint: EndpointPolicy
    /// Words to expect, for recognizers that take them.
    public var keyTerms: [String]
    /// Words that the recognizer is known to mishear.
    public var vocabulary: VocabularyFixer

    /// A policy; it submits nothing, ends by gestures alone and fixes nothing unless said otherwise.
    public init(
        submits: Bool = false,
        completeness: UtteranceCompleteness? = nil,
        endpoint: EndpointPolicy = .manual,
        keyTerms: [String] = [],
        vocabulary: VocabularyFixer = VocabularyFixer([])
    ) {
        self.submits = submits
        self.completeness = completeness
        self.endpoint = endpoint
        self.keyTerms = keyTerms
        self.vocabulary = vocabulary
    }

    /// The text that is typed for a transcript: its words fixed, as ``InertText/dictation(_:)`` makes it safe to type.
    /// `nil` if nothing is left, or nothing was said: a recognizer's `[BLANK_AUDIO]` is no word.
    package func text(for transcript: Transcript) -> String? {
        InertText.dictation(vocabulary.fix(transcript.spoken.text))?.text
    }

    /// Tells why Return must not follow a text.
    ///
    /// - Parameters:
    ///   - text: The text that is typed.
    ///   - isGuarded: Whether the one who types it refuses what could answer a question.
    /// - Returns: The reason; `nil` where Return may follow.
    package func holdsBack(_ text: String, isGuarded: Bool) -> DictationSnapshot.Outcome.HeldBack? {
        if !isGuarded, ShortAnswer.mayBe(text) { return .couldAnswer }
        if completeness?.verdict(on: text) == .incomplete { return .incomplete }
        return nil
    }
}

/// Why a dictation did not type, or what a person should know about one that did.
public struct DictationFailure: Sendable, Hashable {
    /// The error.
    public let problem: Problem
    /// What must be allowed before recording can work.
    public let missingPermission: Permission?
    /// Whether the recording is still held, so that it can be sent again.
    public let keepsRecording: Bool
    /// What was heard but could not be typed, so that it is not lost.
    public let text: String?

    /// What an error means to the person.
    package init(_ error: any Error, keepsRecording: Bool = false, text: String? = nil) {
        problem = Problem(error)
        missingPermission = (error as? VoiceError)?.missingPermission
        self.keepsRecording = keepsRecording
        self.text = text
    }
}

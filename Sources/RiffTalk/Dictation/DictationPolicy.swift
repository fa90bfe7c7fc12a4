// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffVoice

/// What a dictation does with what it heard.
public struct DictationPolicy: Sendable, Hashable {
    /// Whether Return follows the text, however the recording was ended.
    public var submits: Bool
    /// Words to expect, for recognizers that take them.
    public var keyTerms: [String]
    /// Words that the recognizer is known to mishear.
    public var vocabulary: VocabularyFixer

    /// A policy; it submits nothing and fixes nothing unless said otherwise.
    public init(
        submits: Bool = false,
        keyTerms: [String] = [],
        vocabulary: VocabularyFixer = VocabularyFixer([])
    ) {
        self.submits = submits
        self.keyTerms = keyTerms
        self.vocabulary = vocabulary
    }

    /// The text that is typed for a transcript: its words fixed, as ``InertText/dictation(_:)`` makes it safe to type.
    /// `nil` if nothing is left, or nothing was said: a recognizer's `[BLANK_AUDIO]` is no word.
    package func text(for transcript: Transcript) -> String? {
        InertText.dictation(vocabulary.fix(transcript.spoken.text))?.text
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

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffVoice

/// What a dictation does with what it heard.
public struct DictationPolicy: Sendable, Hashable {
    /// Whether Return follows the text, however the recording was ended.
    public var submits: Bool
    /// Words to expect, for recognisers that take them.
    public var keyTerms: [String]
    /// Words that the recogniser is known to mishear.
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

    /// What is typed for a transcript: its words fixed, white space at both ends gone, and one space after it, so that
    /// the next dictation does not run into it. `nil` where nothing was said.
    public func text(for transcript: Transcript) -> String? {
        let characters = vocabulary.fix(transcript.text)
        let trimmed = characters.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed()
        return trimmed.isEmpty ? nil : String(trimmed) + " "
    }
}

/// Why a dictation did not type, or what a person should know about one that did.
public struct DictationFailure: Sendable, Hashable {
    /// A name that never changes between releases.
    public let stableCode: String
    /// What failed, and what the person can do.
    public let message: String
    /// What a front end can offer.
    public let recovery: Recovery?
    /// What must be allowed before recording can work.
    public let missingPermission: Permission?
    /// Whether the recording is still held, so that it can be sent again.
    public let keepsRecording: Bool
    /// What was heard but could not be typed, so that it is not lost.
    public let text: String?

    /// What an error means to the person.
    public init(_ error: any Error, keepsRecording: Bool = false, text: String? = nil) {
        let known = error as? any RiffError
        stableCode = known?.stableCode ?? "voice.unexpected"
        message = known?.message ?? "The dictation failed: \(type(of: error))."
        recovery = known?.recovery
        missingPermission = (error as? VoiceError)?.missingPermission
        self.keepsRecording = keepsRecording
        self.text = text
    }
}

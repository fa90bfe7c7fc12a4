// Riff
// SPDX-License-Identifier: Apache-2.0

/// All that a front end shows of a dictation, but the level.
public struct DictationSnapshot: Sendable, Hashable {
    /// The phase of the dictation.
    public enum State: Sendable, Hashable {
        /// Nothing is going on.
        case idle
        /// The microphone is being opened (`isLive` false) or is open; `hasSpeech` once anything was heard.
        case recording(isLive: Bool, hasSpeech: Bool)
        /// The recording is being recognized, then typed.
        case transcribing
        /// It failed; the next toggle starts again.
        case error(DictationFailure)
    }

    /// The phase of the dictation.
    public let state: State
    /// A capture that broke, though what it had recorded was recognized.
    public let warning: DictationFailure?

    /// Whether the microphone is open, truly: not while it is being opened.
    public var isMicrophoneLive: Bool {
        if case .recording(isLive: true, _) = state { return true }
        return false
    }
}

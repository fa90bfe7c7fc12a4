// Riff
// SPDX-License-Identifier: Apache-2.0

/// All that a front end shows of a dictation, but the level.
public struct DictationSnapshot: Sendable, Hashable {
    /// Where it is.
    public let state: DictationStateMachine.State
    /// A capture that broke, though what it had recorded was recognized.
    public let warning: DictationFailure?

    /// Whether the microphone is open, truly: not while it is being opened.
    public var isMicrophoneLive: Bool {
        if case .recording(isLive: true, _) = state { return true }
        return false
    }
}

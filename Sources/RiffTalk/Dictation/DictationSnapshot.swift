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

    /// The text that the last recording became, and where it was typed; `nil` from the next recording on, and where
    /// nothing was typed.
    public let outcome: Outcome?
    /// How long the recording may still be: told from a minute before its end on, in whole seconds.
    public let timeLeft: Duration?

    /// Creates the snapshot of a machine.
    package init(_ machine: DictationStateMachine) {
        state = machine.state
        warning = machine.warning
        outcome = machine.outcome
        timeLeft = machine.timeLeft
    }

    /// A text that was dictated and typed.
    public struct Outcome: Sendable, Hashable {
        /// The reason for which Return was left to the person.
        public enum HeldBack: Sendable, Hashable {
            /// The words go on: more was to come.
            case incomplete
            /// They could be the answer to a question on the screen.
            case couldAnswer
            /// The recording was ended by an interruption, or since the app went to the background.
            case brokenOff
        }

        /// The text as it was typed.
        public let text: String
        /// The name of what it was typed into, such as a session's; `nil` where that is not known.
        public internal(set) var destination: String?
        /// Whether Return followed.
        public let isSubmitted: Bool
        /// The reason why Return did not follow, although the policy or the person's setting asks for it.
        public let heldBack: HeldBack?
    }

    /// Whether the microphone is open, truly: not while it is being opened.
    public var isMicrophoneLive: Bool {
        if case .recording(isLive: true, _) = state { return true }
        return false
    }
}

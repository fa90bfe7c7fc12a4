// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// What a person said in one turn.
package struct Utterance: Sendable, Hashable {
    /// Its words.
    package let text: String
    /// When its first sound was heard, from any beginning.
    package let began: Duration
    /// When its last sound was heard, as far as a detector told it.
    package let ended: Duration?

    /// An utterance.
    package init(_ text: String, began: Duration, ended: Duration? = nil) {
        (self.text, self.began, self.ended) = (text, began, ended)
    }
}

/// A conversation's problem, with the text that it kept from being typed.
package struct ConversationFailure: Sendable, Hashable {
    /// The error.
    package let problem: Problem
    /// The text that was heard and could not be typed.
    package let text: String?

    /// Creates a failure from an error.
    package init(_ error: any Error, text: String? = nil) {
        problem = Problem(error)
        self.text = text
    }
}

/// All that a front end shows of a conversation, but the level.
public struct ConversationSnapshot: Sendable, Hashable {
    /// Where it is.
    public enum Phase: Sendable, Hashable {
        /// There is none.
        case idle
        /// The call is being made.
        case connecting
        /// The microphone is being opened (`isLive` false) or is open; `hasSpeech` once anything was heard.
        case listening(isLive: Bool, hasSpeech: Bool)
        /// The microphone is closed, and what was heard is recognized.
        case recognizing
        /// The text is being typed.
        case submitting
        /// The agent works; the microphone is closed.
        case waiting
        /// An answer is spoken.
        case speaking
        /// A question for permission is read out.
        case asking
        /// Audio was taken away, such as by another call, or the microphone is tried again after a failure.
        case interrupted
        /// It is being ended.
        case ending
    }

    /// Where it is.
    public var phase = Phase.idle
    /// Whether the microphone is muted: it hears silence.
    public var isMuted = false
    /// What was recognized of the turn so far, or of the last one.
    public var heard = ""
    /// How many turns were submitted.
    public var turns = 0
    /// The newest problem, until the next turn is submitted. The conversation continues if it can.
    public var problem: Problem?
    /// The text that was heard and could not be typed because of ``problem``, so that it is not lost.
    public var unsentText: String?

    /// A conversation that has not begun.
    public init() {}

    /// Whether the microphone is open, truly: not while it is being opened.
    public var isMicrophoneLive: Bool {
        if case .listening(isLive: true, _) = phase { true } else { false }
    }
}

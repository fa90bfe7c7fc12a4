// Riff
// SPDX-License-Identifier: Apache-2.0

/// All that is known of one session.
struct HubSessionModel: Sendable {
    var session: HubSession
    var turn = HubTurn()
    var speech = HubSpeechQueue()
    var answers = HubAnswers()
    var silence = HubSilence()
    /// Messages that nobody has seen.
    var unread = 0
    /// Whether it is known to be ready, whatever an older list says.
    var isReady: Bool
    /// Until when the history may still tell what became of an answer.
    var uncertainUntil: Duration?
    /// Whether the hub listens to it while it is not open.
    var isPending = false
    /// Whether the agent said goodbye: it is ended once that was heard.
    var hasSaidGoodbye = false
    var isEnding = false
    /// Whether the hub was asked to end it, and has not.
    var isEndingMissed = false
    /// Whether the hub has it no more; it stays while something of it was not heard.
    var isGone = false
    /// Whether the agent said its last words without waiting for an answer.
    var isFireAndForget = false
    /// Whether nothing else happened since the last text.
    var isAfterText = false
    /// Whether nothing was said since the last sound.
    var isAfterSound = false
    /// The agent's last words.
    var lastSaid: String?
    /// The words of the last sound, and how many texts of the agent there were with them.
    var heard: (text: String?, replies: Int)?
    /// Whether a cut may have kept other words from this client, which the hub waits for instead: the history tells.
    var isHeardInDoubt = false
    /// Whether the hub's list says that it waits for the end of playing.
    var isRepeatDue = false
    /// How far the machine was when its state was last told.
    var changed = 0
    /// How far the machine was when somebody read, or was not there to read.
    var counted = 0
    /// How far the machine was when it was first seen.
    var seen: Int

    init(_ session: HubSession, seen: Int) {
        (self.session, self.seen) = (session, seen)
        isReady = session.isReady
    }

    /// Whether the hub has told which voice it has.
    var isKnown: Bool { !session.voice.isEmpty }
    /// What its history is kept under.
    var historyKey: String { isKnown ? session.voice : session.id }

    /// The nearest deadline of its parts.
    var deadline: Duration? { [turn.deadline, answers.deadline, uncertainUntil].lazy.compactMap(\.self).min() }

    /// Whether there may be something to do at any event, whatever it is about.
    var isBusy: Bool { !answers.isEmpty || uncertainUntil != nil || isRepeatDue || hasSaidGoodbye || isGone }
}

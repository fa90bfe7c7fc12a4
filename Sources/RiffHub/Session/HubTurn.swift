// Riff
// SPDX-License-Identifier: Apache-2.0

/// The state of one session's conversation, as the hub reports it: a value. Activity of the client itself, such as
/// playing an older clip, is not in it.
///
/// No phase needs another one to end it: hubs leave out `done` where speech or recognition failed, and what is silent
/// for too long is over.
package struct HubTurn: Sendable, Hashable {
    /// What is going on.
    package enum Phase: Sendable, Hashable {
        /// There is no activity.
        case idle
        /// The agent works.
        case thinking
        /// The agent speaks, or its words become sound.
        case speaking
        /// The hub waits for the person.
        case listening
        /// The person's words become text.
        case transcribing
    }

    /// An event from the hub.
    package enum Event: Sendable, Hashable {
        /// The agent works; so does `done` with `processing`.
        case thinking
        /// The agent's words, which will be spoken unless the session is in writing.
        case text
        /// Its words become sound.
        case speaking
        /// Their sound is there.
        case audio
        /// It was played, here or on another device.
        case played
        /// The hub waits for the person.
        case listening
        /// An answer was sent.
        case answered
        /// All of it came to the hub.
        case arrived
        /// Their words become text.
        case transcribing
        /// Their words as text.
        case userText
        /// The turn is over.
        case done
        /// The session waits for a message, or for anything.
        case rest
        /// The connection is gone.
        case lost
    }

    /// The time that the hub may be silent within a phase that must lead to something.
    package static let silence = Duration.seconds(30)

    /// What is going on.
    package private(set) var phase = Phase.idle
    /// When ``tick(at:)`` is due; `nil` where a phase may last.
    package private(set) var deadline: Duration?
    /// Whether the hub never showed what became of the last answer: it failed there.
    package private(set) var isUnheard = false
    private var awaitsWords = false

    /// Nothing going on.
    package init() {}

    /// Takes what the hub says.
    package mutating func handle(_ event: Event, at now: Duration) {
        switch event {
        case .thinking: enter(.thinking, since: nil)
        case .text:
            // The words that were sent never came back: they could not be recognized.
            isUnheard = awaitsWords
            enter(.speaking, since: now)
        case .speaking: enter(.speaking, since: now)
        case .audio: enter(.speaking, since: nil)
        case .played: if phase == .speaking { enter(.idle, since: nil) }
        case .listening: enter(.listening, since: nil)
        case .answered, .transcribing:
            // How long an answer is on its way is not the hub's silence.
            enter(.transcribing, since: event == .answered ? nil : now)
            (awaitsWords, isUnheard) = (true, false)
        case .arrived: if phase == .transcribing, deadline == nil { deadline = now + Self.silence }
        case .userText: enter(.thinking, since: now)
        case .done, .rest, .lost: enter(.idle, since: nil)
        }
    }

    /// Time has passed; too early is no harm.
    package mutating func tick(at now: Duration) {
        guard let deadline, deadline <= now else { return }
        isUnheard = phase == .transcribing
        enter(.idle, since: nil)
    }

    private mutating func enter(_ next: Phase, since now: Duration?) {
        (phase, deadline, awaitsWords) = (next, now.map { $0 + Self.silence }, false)
    }
}

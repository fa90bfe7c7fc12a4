// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// One voice on the grid: what its card shows.
public struct HubCard: Sendable, Hashable, Identifiable {
    /// What is going on behind a card.
    public enum State: Sendable, Hashable {
        /// No session; a tap makes one.
        case inactive
        /// A session was asked for.
        case spawning
        /// A session is there, and its agent is not.
        case starting
        /// There is no activity.
        case idle
        /// The agent works.
        case thinking
        /// The agent speaks, here or elsewhere, or its words wait to be heard.
        case speaking
        /// The hub waits for the person, or records them.
        case listening
        /// The person's words become text.
        case transcribing
    }

    /// The voice of the card.
    public let voice: HubVoice
    /// Its session; `nil` where it has none.
    public let session: HubSession.ID?
    /// What is going on.
    public let state: State
    /// The label, as in `Playing...`; empty if there is nothing to say.
    public let label: String
    /// The number of messages that were not seen.
    public let unread: Int
    /// Whether the hub waits for the person in a session that is not open.
    public let isPending: Bool
    /// Whether it is open.
    public let isOpen: Bool
    /// The number of clips that wait to be heard.
    public let waitingClips: Int
    /// The number of clips that were not taken, since too many waited.
    public let missedClips: Int
    /// The number of answers that the hub does not have for certain.
    public let waitingAnswers: Int
    /// The number of answers that the hub makes words of; each is kept until they are there.
    public let transcribingAnswers: Int
    /// Why there is no session.
    public let failure: Problem?

    /// The voice's id, or the session's where its voice is not known yet.
    public var id: HubVoice.ID { voice.id }
    /// Whether to mark the card: something happened that was not seen.
    public var hasUnread: Bool { !isOpen && (unread > 0 || isPending || waitingClips > 0) }

    /// The color of a state as 0xRRGGBB: orange, blue, red; gray where nothing is going on.
    public var stateColor: UInt32 {
        switch state {
        case .thinking, .spawning, .starting, .transcribing: 0xF39C12
        case .speaking: 0x3A86FF
        case .listening: 0xE63946
        case .inactive, .idle: 0x8D99AE
        }
    }

    /// What is known of a session, in short.
    struct Facts {
        var phase = HubTurn.Phase.idle
        var isReady = true
        var isPlaying = false
        var isRecording = false
        var isWaiting = false
        var isInvited = false
        var statusText = ""
    }

    /// The state and the words for it: what is going on here comes before what the hub tells.
    static func look(_ facts: Facts) -> (State, String) {
        if facts.isRecording { return (.listening, "Recording...") }
        if facts.isPlaying { return (.speaking, "Playing...") }
        if facts.isWaiting { return (.speaking, "Waiting to be heard") }
        if !facts.isReady { return (.starting, "Starting...") }
        switch facts.phase {
        case .thinking: return (.thinking, "Thinking...")
        case .speaking: return (.speaking, "Speaking...")
        case .transcribing: return (.transcribing, "Transcribing...")
        case .listening: return (.listening, "Tap Record")
        case .idle: return facts.isInvited ? (.listening, "Tap Record") : (.idle, facts.statusText)
        }
    }
}

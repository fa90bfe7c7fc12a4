// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffVoice

/// A message of a hub over its WebSocket, in every generation. An unknown message is kept as it came.
package enum HubMessage: Sendable, Hashable {
    /// All sessions; the first message of a connection, though a broadcast can come before it.
    case sessionList([HubSession])
    /// A session's state changed.
    case sessionStatus(session: HubSession.ID, status: HubSession.State?, state: HubSession.State?, text: String?)
    /// A session was ended by a client.
    case sessionTerminated(session: HubSession.ID)
    /// The agent said goodbye; the session stays until a client ends it.
    case sessionEnded(session: HubSession.ID)
    /// A new session, whole (newer hubs).
    case sessionSpawned(HubSession)
    /// A sign of life, every 30 seconds.
    case ping
    /// The agent's words.
    case assistantText(session: HubSession.ID, HubText)
    /// The words that were understood of the person.
    case userText(session: HubSession.ID, HubText)
    /// The session's activity, for people.
    case status(session: HubSession.ID, text: String)
    /// The agent's activity, for people (newer hubs).
    case activity(session: HubSession.ID, text: String)
    /// The agent's words, as sound.
    case audio(session: HubSession.ID, HubAudio)
    /// The hub waits for the person's answer.
    case listening(session: HubSession.ID)
    /// The agent thinks.
    case thinking(session: HubSession.ID)
    /// The turn is over; `isProcessing` where the hub says whether the agent works on.
    case done(session: HubSession.ID, isProcessing: Bool?)
    /// A message was acknowledged by a person (newer hubs).
    case userAck(session: HubSession.ID, messageID: HubChatMessage.ID)
    /// A type that says nothing to this client; its members are in ``HubFrame/json``.
    case unknown(type: String)

    /// Whether it comes between two texts that are the same, which then are two messages.
    var endsText: Bool {
        switch self {
        case .audio, .listening, .done: true
        default: false
        }
    }

    /// The session that it is about; `nil` where it is about none, or not known.
    package var session: HubSession.ID? {
        switch self {
        case .sessionList, .ping, .unknown: nil
        case .sessionSpawned(let session): session.id
        case .sessionStatus(let session, _, _, _), .sessionTerminated(let session), .sessionEnded(let session),
            .assistantText(let session, _), .userText(let session, _), .status(let session, _),
            .activity(let session, _), .audio(let session, _), .listening(let session), .thinking(let session),
            .done(let session, _), .userAck(let session, _):
            session
        }
    }
}

/// A text of a conversation as it comes live.
package struct HubText: Sendable, Hashable {
    /// The words of the text.
    package var text: String
    /// Its id (newer hubs).
    package var id: HubChatMessage.ID?
    /// Whether the agent continues without waiting for the person (newer hubs).
    package var isFireAndForget: Bool
    /// Whether the person said it into the agent's work.
    package var isInterjection: Bool

    /// Creates a text.
    package init(
        _ text: String,
        id: HubChatMessage.ID? = nil,
        isFireAndForget: Bool = false,
        isInterjection: Bool = false
    ) {
        (self.text, self.id) = (text, id)
        (self.isFireAndForget, self.isInterjection) = (isFireAndForget, isInterjection)
    }
}

/// Spoken text: a whole file.
package struct HubAudio: Sendable, Hashable {
    /// A word and when it is said.
    package struct Word: Sendable, Hashable {
        /// The word's text.
        package let text: String
        /// From here, since the sound's beginning, in seconds.
        package let start: Double
        /// To here.
        package let end: Double
    }

    /// The sound; its kind was told by its first bytes. `nil` where they tell none that is known.
    package let clip: AudioClip?
    /// The file's bytes.
    package let bytes: [UInt8]
    /// The words with their times, where the hub tells them.
    package let words: [Word]
    /// The id of the text (newest hubs).
    package let id: HubChatMessage.ID?

    /// Creates a sound; its kind is determined by its first bytes, never by a name.
    package init(_ bytes: [UInt8], words: [Word] = [], id: HubChatMessage.ID? = nil) {
        (self.bytes, self.words, self.id) = (bytes, words, id)
        clip = AudioClip(file: bytes)
    }
}

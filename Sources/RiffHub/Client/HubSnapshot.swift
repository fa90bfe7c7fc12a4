// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// How a hub's client stands: all that a front end shows, as one value.
public struct HubSnapshot: Sendable, Hashable {
    /// What the microphone does.
    public enum Microphone: Sendable, Hashable {
        /// It is closed.
        case closed
        /// It waits for somebody to speak into the agent's words.
        case watching
        /// It records an answer.
        case recording
    }

    /// The session that is open.
    public struct Open: Sendable, Hashable {
        /// Its id.
        public let id: String
        /// Its voice.
        public let voice: HubVoice
        /// How fast it speaks; 1 is normal.
        public let speed: Double
        /// Its last 50 messages, oldest first; more where older ones were asked for.
        public let chat: [HubChatMessage]
        /// Whether there are older ones, which ``HubClient/showOlder()`` shows.
        public let hasOlder: Bool
        /// Whether older ones were asked of the hub.
        public let isLoadingOlder: Bool
        /// Whether the hub takes an answer now; one that is given earlier waits for that.
        public let isInvited: Bool
    }

    /// The connection.
    public var connection = HubConnectionStatus.disconnected
    /// Whether the hub has told its sessions over this connection. Until then a card without a session may have one.
    public var areSessionsKnown = false
    /// What is known of the hub's age.
    public var generation: HubGeneration?
    /// The grid: the hub's seven voices in their order, then all others that have a session.
    public var cards: [HubCard] = []
    /// The session that is open; `nil` where the grid is.
    public var open: Open?
    /// The hub's settings.
    public var settings = HubSettings()
    /// Whether the person is muted.
    public var isMuted = false
    /// What the microphone does.
    public var microphone = Microphone.closed
    /// The newest failure, until something else is done.
    public var failure: Problem?
    /// Answers whose words never came, oldest first; at most 16. ``HubClient/sendAgain(_:)`` and
    /// ``HubClient/discard(_:)`` take them from here.
    public var lostAnswers: [HubLostAnswer] = []
    /// The number of lost answers that were let go, since more were lost than are kept.
    public var forgottenAnswers = 0
    /// Why there is no connection, where one could not be made; it is tried again by itself.
    public var connectionFailure: Problem?
    /// How many messages of the hub are of a type that is not known here.
    public var unknownFrames = 0
    /// The newest eight of them, oldest first, for whoever knows them; without those that are larger than 64 KiB.
    public var unknownMessages: [JSONObject] = []
    /// Whether the hub is of a kind that is not spoken here; nothing more happens then.
    public var isRefused = false

    /// A client that was not begun.
    public init() { cards = HubVoice.all.map { HubGrid.card($0, nil, nil, HubMachine()) } }

    /// The card of a voice.
    public func card(_ voice: String) -> HubCard? { cards.first { $0.voice.id == voice } }

    /// The words for the connection.
    public var connectionLabel: String {
        switch connection {
        case .connecting: "Connecting..."
        case .connected: "Connected"
        case .disconnected: "Disconnected"
        }
    }
}

extension HubSnapshot {
    /// What a machine shows.
    public init(_ machine: HubMachine) {
        connection = machine.connection.status
        generation = machine.evidence.generation
        (areSessionsKnown, cards) = (machine.areSessionsKnown, HubGrid.cards(machine))
        open = machine.openSession.flatMap { machine.sessions[$0] }.map { model in
            Open(
                id: model.session.id,
                voice: HubVoice.named(model.historyKey),
                speed: model.session.speed,
                chat: machine.histories[model.historyKey]?.shown ?? [],
                hasOlder: machine.histories[model.historyKey]?.hasOlder ?? false,
                isLoadingOlder: machine.olderRequests[model.historyKey] != nil,
                isInvited: model.answers.isInvited
            )
        }
        (settings, isMuted) = (machine.settings, machine.isMuted)
        switch machine.microphone {
        case .closed: microphone = .closed
        case .watching: microphone = .watching
        case .recording, .finishing: microphone = .recording
        }
        (failure, connectionFailure) = (machine.failure, machine.connectionFailure)
        (lostAnswers, forgottenAnswers) = (machine.lostAnswers.all, machine.lostAnswers.forgotten)
        isRefused = machine.isRefused
        (unknownFrames, unknownMessages) = (machine.unknownFrames, machine.unknownMessages)
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The state of a hub's client: all that a front end shows, as one value.
public struct HubSnapshot: Sendable, Hashable {
    /// The state of the connection to the hub.
    public enum Connection: Sendable, Hashable {
        /// It is being made.
        case connecting
        /// It is open.
        case connected
        /// There is none; it is made again later unless the hub was refused.
        case disconnected
    }

    /// The state of the microphone.
    public enum Microphone: Sendable, Hashable {
        /// It is closed.
        case closed
        /// The microphone waits for the user to speak into the agent's words.
        case watching
        /// It records an answer.
        case recording
    }

    /// The session that is open.
    public struct Open: Sendable, Hashable {
        /// The session's identifier.
        public let id: HubSession.ID
        /// The session's voice.
        public let voice: HubVoice
        /// The speed of speech; 1 is normal.
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

    /// The state of the connection.
    public var connection = Connection.disconnected
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
    /// The state of the microphone.
    public var microphone = Microphone.closed
    /// The newest failure, until something else is done.
    public var failure: Problem?
    /// The number of failures so far: it tells a new ``failure`` from an old one that is still shown.
    public var failureCount = 0
    /// Answers whose words never came, oldest first; at most 16. ``HubClient/sendAgain(_:)`` and
    /// ``HubClient/discard(_:)`` take them from here.
    public var lostAnswers: [HubSnapshot.LostAnswer] = []
    /// The number of lost answers that were let go, since more were lost than are kept.
    public var forgottenAnswers = 0
    /// Why there is no connection, where one could not be made; it is tried again by itself.
    public var connectionFailure: Problem?
    /// The number of the hub's messages of a type that is not known here.
    public var unknownFrames = 0
    /// The newest eight of the unknown messages, oldest first, for a caller that knows them; without those that are
    /// larger than 64 KiB.
    public var unknownMessages: [JSONObject] = []
    /// Whether the hub is of a kind that is not spoken here; nothing more happens then.
    public var isRefused = false

    /// A client that was not begun.
    public init() { cards = HubGrid.cards(HubMachine()) }

    /// Creates the snapshot of a connected client that was told these messages of a hub, for previews and tests.
    ///
    /// - Parameters:
    ///   - messages: The texts of WebSocket messages, in order.
    ///   - session: The id of the session that is opened after them.
    /// - Throws: ``HubError`` with `frameMalformed` if a message cannot be read.
    public init(after messages: [String], open session: HubSession.ID? = nil) throws(HubError) {
        var machine = HubMachine()
        _ = machine.handle(.connection(.start), at: .zero)
        _ = machine.handle(.connection(.opened(socket: 1)), at: .zero)
        for text in messages { _ = machine.handle(.frame(socket: 1, try HubFrame(text: text)), at: .zero) }
        if let session { _ = machine.handle(.openSession(session), at: .zero) }
        self.init(machine)
    }

    /// The card of a voice.
    public func card(_ voice: HubVoice.ID) -> HubCard? { cards.first { $0.voice.id == voice } }

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
    /// Creates the snapshot of a machine from all that is in it.
    package init(_ machine: HubMachine) {
        cards = HubGrid.cards(machine)
        open = machine.openSession.flatMap { machine.sessions[$0] }.map { Open($0, machine, history: nil) }
        settings = machine.settings
        _ = update(from: machine)
    }

    /// Takes over what is neither a card, the open session nor a setting.
    ///
    /// - Returns: Whether anything differs.
    mutating func update(from machine: HubMachine) -> Bool {
        var differs = false
        func assign<Value: Equatable>(_ place: inout Value, _ value: Value) {
            guard place != value else { return }
            place = value
            differs = true
        }
        assign(&connection, machine.connection.status)
        assign(&areSessionsKnown, machine.areSessionsKnown)
        assign(&generation, machine.evidence.generation)
        assign(&isMuted, machine.isMuted)
        assign(&microphone, Microphone(machine.microphone))
        assign(&failure, machine.failure)
        assign(&failureCount, machine.failureCount)
        assign(&connectionFailure, machine.connectionFailure)
        assign(&lostAnswers, machine.lostAnswers.all)
        assign(&forgottenAnswers, machine.lostAnswers.forgotten)
        assign(&isRefused, machine.isRefused)
        assign(&unknownFrames, machine.unknownFrames)
        assign(&unknownMessages, machine.unknownMessages)
        return differs
    }
}

extension HubSnapshot.Microphone {
    fileprivate init(_ microphone: HubMachine.Microphone) {
        switch microphone {
        case .closed: self = .closed
        case .watching: self = .watching
        case .recording, .finishing: self = .recording
        }
    }
}

extension HubSnapshot.Open {
    /// Creates what is shown of a session.
    ///
    /// - Parameters:
    ///   - model: The session.
    ///   - machine: The machine that it is in.
    ///   - known: What was shown of its history before, if the history is the same; `nil` reads the history.
    init(_ model: HubSessionMachine, _ machine: HubMachine, history known: HubSnapshot.Open?) {
        let key = model.historyKey
        let history = known == nil ? machine.histories[key] : nil
        id = model.session.id
        voice = HubVoice.named(key)
        speed = model.session.speed
        chat = known?.chat ?? history?.shown ?? []
        hasOlder = known?.hasOlder ?? history?.hasOlder ?? false
        isLoadingOlder = machine.historyRequests.older[key] != nil
        isInvited = model.answers.isInvited
    }
}

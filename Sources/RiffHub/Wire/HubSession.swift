// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension HubSession {
    /// The progress of a session, as the hub reports it: `status` of the older hubs and `state` of the newer ones. An
    /// open set.
    public struct State: RawRepresentable, Sendable, Hashable {
        /// The state's word.
        public let rawValue: String

        /// Any word, also one this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The session starts; it does not answer yet.
        public static let starting = HubSession.State(rawValue: "starting")
        /// Its agent is connected.
        public static let ready = HubSession.State(rawValue: "ready")
        /// Its agent has spoken.
        public static let active = HubSession.State(rawValue: "active")
        /// It waits for a person (newer hubs).
        public static let idle = HubSession.State(rawValue: "idle")
        /// Its agent works (newer hubs).
        public static let processing = HubSession.State(rawValue: "processing")
        /// Its agent shortens what it remembers (newer hubs).
        package static let compacting = HubSession.State(rawValue: "compacting")
        /// It has ended.
        package static let dead = HubSession.State(rawValue: "dead")
    }
}

/// One agent with its voice, as the hub describes it (`GET /api/sessions`, `session_list`, `session_spawned`).
public struct HubSession: Sendable, Hashable, Identifiable {
    /// The id of a session.
    public typealias ID = HubIdentifier<HubSession>

    /// Its name: `voice-2-883b4c`, or `voice-sky` where a voice has one session for ever.
    public let id: ID
    /// Its voice's id, as in `af_sky`.
    public var voice: HubVoice.ID
    /// The hub's label for the session.
    public var label: String
    /// `status`; `nil` where the hub says only `state`.
    public var status: HubSession.State?
    /// `state`; `nil` with the older hubs, which have none.
    public var state: HubSession.State?
    /// The session's activity, in the hub's words: `Speaking...`, `Listening...`; empty if it says nothing.
    public var statusText: String
    /// The speed of speech; 1 is normal.
    public var speed: Double
    /// The number of messages that were not read; `nil` if the hub does not count.
    public var unreadCount: Int?
    /// Whether its agent waits for a message (newer hubs).
    public var isWaiting: Bool?
    /// The model; `nil` where the hub does not say.
    public var model: String?
    /// When it was made, in seconds since 1970.
    public var createdAt: Double?
    /// When it last did something, in seconds since 1970.
    public var lastActivity: Double?
    /// Everything as it came, also what has no property here.
    public var json: JSONObject

    /// Reads one; `nil` without an id. What else is missing or wrong counts as not said.
    package init?(json: JSONValue) {
        guard let object = json.object, let id = object["session_id"]?.text, !id.isEmpty else { return nil }
        self.id = ID(rawValue: id)
        self.json = object
        voice = HubVoice.ID(rawValue: object["voice"]?.text ?? "")
        label = object["label"]?.text ?? ""
        status = object["status"]?.text.map(HubSession.State.init(rawValue:))
        state = object["state"]?.text.map(HubSession.State.init(rawValue:))
        statusText = object["status_text"]?.text ?? ""
        speed = object["speed"]?.double ?? 1
        unreadCount = object["unread_count"]?.integer.map { max(0, Int(clamping: $0)) }
        isWaiting = object["in_wait"]?.bool
        model = object["model"]?.text
        createdAt = object["created_at"]?.double
        lastActivity = object["last_activity"]?.double
    }

    /// Whether its agent is there.
    public var isReady: Bool {
        if let state { return state != .starting && state != .dead }
        return status == .ready || status == .active
    }

    /// Whether it has ended.
    package var isDead: Bool { state == .dead || status == .dead }
}

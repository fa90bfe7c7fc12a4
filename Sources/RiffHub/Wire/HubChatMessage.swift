// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// One message of a voice's conversation.
public struct HubChatMessage: Sendable, Hashable {
    /// The id of a message.
    public typealias ID = HubIdentifier<HubChatMessage>

    /// The author of a message: an open set.
    public struct Role: RawRepresentable, Sendable, Hashable {
        /// The word on the wire.
        public let rawValue: String

        /// Any role, also one this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The person who uses the hub.
        public static let user = Role(rawValue: "user")
        /// The agent that answers.
        public static let assistant = Role(rawValue: "assistant")
        /// The hub itself.
        public static let system = Role(rawValue: "system")
        /// The activity of the agent, for people (newer hubs); not a part of the chat.
        public static let activity = Role(rawValue: "activity")
    }

    /// The author of the message.
    public var role: Role
    /// The words of the message.
    public var text: String
    /// When, in seconds since 1970; `nil` where it came live and the hub has not told yet.
    public var time: Double?
    /// Its id (newer hubs).
    public var id: ID?
    /// Whether it only acknowledges another one (newer hubs).
    public var isBareAck: Bool

    /// Creates a message.
    public init(_ role: Role, _ text: String, time: Double? = nil, id: ID? = nil, isBareAck: Bool = false) {
        (self.role, self.text, self.time, self.id) = (role, text, time, id)
        self.isBareAck = isBareAck
    }

    /// Reads one of a history; `nil` without role or text.
    public init?(json: JSONValue) {
        guard let role = json["role"]?.text, let text = json["text"]?.text else { return nil }
        self.init(
            Role(rawValue: role),
            text,
            time: json["ts"]?.double,
            id: json["id"]?.text.map(ID.init(rawValue:)),
            isBareAck: json["bare_ack"]?.bool ?? false
        )
    }

    /// Whether a chat shows it.
    package var isShown: Bool { role != .activity && !isBareAck }
}

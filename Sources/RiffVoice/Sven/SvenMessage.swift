// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// One message of a Sven server: what was said to the agent, or what it said.
public struct SvenMessage: Sendable, Hashable, Identifiable {
    /// The speaker of a message; an open set.
    public struct Role: RawRepresentable, Sendable, Hashable {
        /// The name itself.
        public let rawValue: String

        /// Any name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A person, on one of the devices.
        public static let user = Role(rawValue: "user")
        /// The agent that answers.
        public static let assistant = Role(rawValue: "assistant")
    }

    /// The server's id.
    public let id: String
    /// The speaker of the message.
    public let role: Role
    /// The text of the message.
    public let content: String
    /// The path at which the server has the message as speech; `nil` if it has none, or none yet.
    public let audioPath: String?
    /// When, by the server's clock, as it wrote it: `YYYY-MM-DD HH:MM:SS`, UTC. The server compares it as text.
    public let createdAt: String

    /// Creates a message.
    package init(id: String, role: Role, content: String, audioPath: String? = nil, createdAt: String) {
        self.id = id
        self.role = role
        self.content = content
        self.audioPath = audioPath
        self.createdAt = createdAt
    }
}

extension SvenMessage: JSONRecord {
    /// Reads a message; only its id and its time must be there.
    public init(reading members: inout JSONMembers) throws(CoreError) {
        id = try members.required("id")
        createdAt = try members.required("created_at")
        role = Role(rawValue: members.lenient("role") ?? "")
        content = members.lenient("content") ?? ""
        audioPath = members.lenient("audio_url")
    }

    /// Writes all members; a message without speech says `null`, as the public server does.
    public func write(into object: inout JSONObject) {
        object.write("id", id)
        object.write("role", role.rawValue)
        object.write("content", content)
        object.write("audio_url", audioPath.map { JSONValue.string($0) } ?? .null)
        object.write("created_at", createdAt)
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `AuthMethod` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#authmethod>
    public enum AuthMethod: JSONRecord {
        /// `type` is `terminal`.
        case terminal(AuthMethodTerminal)
        /// Has no `type`.
        case agent(AuthMethodAgent)
        /// A variant that this version cannot read: its `type`, and its other members.
        case unknown(String, JSONObject)

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            guard let found = members.peek("type"), found != .null, found != "agent" else {
                self = .agent(try AuthMethodAgent(reading: &members))
                return
            }
            let tag: String = try members.required("type")
            switch tag {
            case "terminal": self = .terminal(try AuthMethodTerminal(reading: &members))
            default: self = .unknown(tag, members.takeRest())
            }
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            switch self {
            case .terminal(let value):
                object.write("type", "terminal")
                value.write(into: &object)
            case .agent(let value): value.write(into: &object)
            case .unknown(let tag, let others):
                object.write("type", tag)
                object.write(rest: others)
            }
        }
    }

    /// `AuthMethodTerminal` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#authmethodterminal>
    public struct AuthMethodTerminal: JSONRecord {
        /// The member `id`, which must be there.
        public var id: AuthMethodID
        /// The member `name`, which must be there.
        public var name: String
        /// The member `description`; `nil` where it is absent, null or not readable.
        public var description: String?
        /// The member `args`; `[]` where a list is absent or not readable.
        public var args: [String]
        /// The member `env`; `nil` where it is absent, null or not readable.
        public var env: [String: String]?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            id: AuthMethodID,
            name: String,
            description: String? = nil,
            args: [String] = [],
            env: [String: String]? = nil,
            meta: JSONObject? = nil
        ) {
            self.id = id
            self.name = name
            self.description = description
            self.args = args
            self.env = env
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            id = try members.required("id")
            name = try members.required("name")
            description = members.lenient("description")
            args = members.lenientList("args", default: [])
            env = members.lenient("env")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("id", id)
            object.write("name", name)
            object.write("description", description)
            object.write("args", args, default: [])
            object.write("env", env)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `AuthMethodAgent` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#authmethodagent>
    public struct AuthMethodAgent: JSONRecord {
        /// The member `id`, which must be there.
        public var id: AuthMethodID
        /// The member `name`, which must be there.
        public var name: String
        /// The member `description`; `nil` where it is absent, null or not readable.
        public var description: String?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(id: AuthMethodID, name: String, description: String? = nil, meta: JSONObject? = nil) {
            self.id = id
            self.name = name
            self.description = description
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            id = try members.required("id")
            name = try members.required("name")
            description = members.lenient("description")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("id", id)
            object.write("name", name)
            object.write("description", description)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

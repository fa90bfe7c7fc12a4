// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// What answers `session/list`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#listsessionsresponse>
    public struct ListSessionsResponse: JSONRecord {
        /// The member `sessions`; `[]` where a list is absent or not readable.
        public var sessions: [SessionInfo]
        /// The member `nextCursor`; `nil` where it is absent, null or not readable.
        public var nextCursor: String?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(sessions: [SessionInfo] = [], nextCursor: String? = nil, meta: JSONObject? = nil) {
            self.sessions = sessions
            self.nextCursor = nextCursor
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            sessions = members.lenientList("sessions", default: [])
            nextCursor = members.lenient("nextCursor")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("sessions", sessions, default: [])
            object.write("nextCursor", nextCursor)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// The parameters of `session/list`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#listsessionsrequest>
    public struct ListSessionsRequest: ACPRequest, JSONRecord {
        /// What answers it.
        public typealias Response = ListSessionsResponse
        /// The method.
        public static let method = "session/list"

        /// The member `cwd`; `nil` where it is absent or null.
        public var cwd: String?
        /// The member `cursor`; `nil` where it is absent or null.
        public var cursor: String?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(cwd: String? = nil, cursor: String? = nil, meta: JSONObject? = nil) {
            self.cwd = cwd
            self.cursor = cursor
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            cwd = try members.optional("cwd")
            cursor = try members.optional("cursor")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("cwd", cwd)
            object.write("cursor", cursor)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

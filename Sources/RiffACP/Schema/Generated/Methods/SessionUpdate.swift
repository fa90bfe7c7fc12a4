// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// The parameters of `session/update`, which the agent sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#sessionnotification>
    public struct SessionNotification: ACPNotification, JSONRecord {
        /// The method.
        public static let method = "session/update"

        /// The member `sessionId`, which must be there.
        public var sessionID: SessionID
        /// The member `update`, which must be there.
        public var update: SessionUpdate
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(sessionID: SessionID, update: SessionUpdate, meta: JSONObject? = nil) {
            self.sessionID = sessionID
            self.update = update
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            sessionID = try members.required("sessionId")
            update = try members.required("update")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("sessionId", sessionID)
            object.write("update", update)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

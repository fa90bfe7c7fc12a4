// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// The parameters of `nes/reject`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#rejectnesnotification>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct RejectNESNotification: ACPNotification, JSONRecord {
        /// The method.
        public static let method = "nes/reject"

        /// The member `sessionId`, which must be there.
        public var sessionID: SessionID
        /// The member `id`, which must be there.
        public var id: NESSuggestionID
        /// The member `reason`; `nil` where it is absent, null or not readable.
        public var reason: NESRejectReason?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(sessionID: SessionID, id: NESSuggestionID, reason: NESRejectReason? = nil, meta: JSONObject? = nil)
        {
            self.sessionID = sessionID
            self.id = id
            self.reason = reason
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            sessionID = try members.required("sessionId")
            id = try members.required("id")
            reason = members.lenient("reason")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("sessionId", sessionID)
            object.write("id", id)
            object.write("reason", reason)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

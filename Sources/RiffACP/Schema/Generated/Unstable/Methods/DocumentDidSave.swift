// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// The parameters of `document/didSave`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#didsavedocumentnotification>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct DidSaveDocumentNotification: ACPNotification, JSONRecord {
        /// The method.
        public static let method = "document/didSave"

        /// The member `sessionId`, which must be there.
        public var sessionID: SessionID
        /// The member `uri`, which must be there.
        public var uri: String
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(sessionID: SessionID, uri: String, meta: JSONObject? = nil) {
            self.sessionID = sessionID
            self.uri = uri
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            sessionID = try members.required("sessionId")
            uri = try members.required("uri")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("sessionId", sessionID)
            object.write("uri", uri)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

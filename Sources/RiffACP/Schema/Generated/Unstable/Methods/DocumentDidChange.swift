// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// The parameters of `document/didChange`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#didchangedocumentnotification>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct DidChangeDocumentNotification: ACPNotification, JSONRecord {
        /// The method.
        public static let method = "document/didChange"

        /// The member `sessionId`, which must be there.
        public var sessionID: SessionID
        /// The member `uri`, which must be there.
        public var uri: String
        /// The member `version`, which must be there.
        public var version: Int
        /// The member `contentChanges`, which must be there; elements that cannot be read are left out.
        public var contentChanges: [TextDocumentContentChangeEvent]
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            sessionID: SessionID,
            uri: String,
            version: Int,
            contentChanges: [TextDocumentContentChangeEvent],
            meta: JSONObject? = nil
        ) {
            self.sessionID = sessionID
            self.uri = uri
            self.version = version
            self.contentChanges = contentChanges
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            sessionID = try members.required("sessionId")
            uri = try members.required("uri")
            version = try members.required("version")
            contentChanges = try members.requiredList("contentChanges")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("sessionId", sessionID)
            object.write("uri", uri)
            object.write("version", version)
            object.write("contentChanges", contentChanges)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

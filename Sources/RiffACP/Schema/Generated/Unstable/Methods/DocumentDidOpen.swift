// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// The parameters of `document/didOpen`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#didopendocumentnotification>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct DidOpenDocumentNotification: ACPNotification, JSONRecord {
        /// The method.
        public static let method = "document/didOpen"

        /// The member `sessionId`, which must be there.
        public var sessionID: SessionID
        /// The member `uri`, which must be there.
        public var uri: String
        /// The member `languageId`, which must be there.
        public var languageID: String
        /// The member `version`, which must be there.
        public var version: Int
        /// The member `text`, which must be there.
        public var text: String
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            sessionID: SessionID,
            uri: String,
            languageID: String,
            version: Int,
            text: String,
            meta: JSONObject? = nil
        ) {
            self.sessionID = sessionID
            self.uri = uri
            self.languageID = languageID
            self.version = version
            self.text = text
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            sessionID = try members.required("sessionId")
            uri = try members.required("uri")
            languageID = try members.required("languageId")
            version = try members.required("version")
            text = try members.required("text")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("sessionId", sessionID)
            object.write("uri", uri)
            object.write("languageId", languageID)
            object.write("version", version)
            object.write("text", text)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

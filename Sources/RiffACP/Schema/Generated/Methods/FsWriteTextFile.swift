// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// The parameters of `fs/write_text_file`, which the agent sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#writetextfilerequest>
    public struct WriteTextFileRequest: ACPRequest, JSONRecord {
        /// What answers it.
        public typealias Response = WriteTextFileResponse
        /// The method.
        public static let method = "fs/write_text_file"

        /// The member `sessionId`, which must be there.
        public var sessionID: SessionID
        /// The member `path`, which must be there.
        public var path: String
        /// The member `content`, which must be there.
        public var content: String
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(sessionID: SessionID, path: String, content: String, meta: JSONObject? = nil) {
            self.sessionID = sessionID
            self.path = path
            self.content = content
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            sessionID = try members.required("sessionId")
            path = try members.required("path")
            content = try members.required("content")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("sessionId", sessionID)
            object.write("path", path)
            object.write("content", content)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// What answers `fs/write_text_file`, which the agent sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#writetextfileresponse>
    public struct WriteTextFileResponse: JSONRecord {
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(meta: JSONObject? = nil) {
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// The parameters of `fs/read_text_file`, which the agent sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#readtextfilerequest>
    public struct ReadTextFileRequest: ACPRequest, JSONRecord {
        /// What answers it.
        public typealias Response = ReadTextFileResponse
        /// The method.
        public static let method = "fs/read_text_file"

        /// The member `sessionId`, which must be there.
        public var sessionID: SessionID
        /// The member `path`, which must be there.
        public var path: String
        /// The member `line`; `nil` where it is absent, null or not readable.
        public var line: Int?
        /// The member `limit`; `nil` where it is absent, null or not readable.
        public var limit: Int?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(sessionID: SessionID, path: String, line: Int? = nil, limit: Int? = nil, meta: JSONObject? = nil) {
            self.sessionID = sessionID
            self.path = path
            self.line = line
            self.limit = limit
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            sessionID = try members.required("sessionId")
            path = try members.required("path")
            line = members.lenient("line", in: 0...4294967295)
            limit = members.lenient("limit", in: 0...4294967295)
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("sessionId", sessionID)
            object.write("path", path)
            object.write("line", line)
            object.write("limit", limit)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// What answers `fs/read_text_file`, which the agent sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#readtextfileresponse>
    public struct ReadTextFileResponse: JSONRecord {
        /// The member `content`, which must be there.
        public var content: String
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(content: String, meta: JSONObject? = nil) {
            self.content = content
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            content = try members.required("content")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("content", content)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

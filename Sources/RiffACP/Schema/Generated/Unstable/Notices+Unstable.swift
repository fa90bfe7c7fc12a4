// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `Notice` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#notice>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct Notice: JSONRecord {
        /// The member `severity`, which must be there.
        public var severity: NoticeSeverity
        /// The member `title`, which must be there.
        public var title: String
        /// The member `description`; `nil` where it is absent, null or not readable.
        public var description: String?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(severity: NoticeSeverity, title: String, description: String? = nil, meta: JSONObject? = nil) {
            self.severity = severity
            self.title = title
            self.description = description
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            severity = try members.required("severity")
            title = try members.required("title")
            description = members.lenient("description")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("severity", severity)
            object.write("title", title)
            object.write("description", description)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `CompactionSummaryChunk` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#compactionsummarychunk>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct CompactionSummaryChunk: JSONRecord {
        /// The member `compactionId`, which must be there.
        public var compactionID: CompactionID
        /// The member `content`, which must be there.
        public var content: ContentBlock
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(compactionID: CompactionID, content: ContentBlock, meta: JSONObject? = nil) {
            self.compactionID = compactionID
            self.content = content
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            compactionID = try members.required("compactionId")
            content = try members.required("content")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("compactionId", compactionID)
            object.write("content", content)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

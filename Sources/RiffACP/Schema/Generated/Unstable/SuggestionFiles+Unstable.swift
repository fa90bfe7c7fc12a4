// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `NesRepository` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesrepository>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESRepository: JSONRecord {
        /// The member `name`, which must be there.
        public var name: String
        /// The member `owner`, which must be there.
        public var owner: String
        /// The member `remoteUrl`, which must be there.
        public var remoteURL: String
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(name: String, owner: String, remoteURL: String, meta: JSONObject? = nil) {
            self.name = name
            self.owner = owner
            self.remoteURL = remoteURL
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            name = try members.required("name")
            owner = try members.required("owner")
            remoteURL = try members.required("remoteUrl")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("name", name)
            object.write("owner", owner)
            object.write("remoteUrl", remoteURL)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `NesRecentFile` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesrecentfile>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESRecentFile: JSONRecord {
        /// The member `uri`, which must be there.
        public var uri: String
        /// The member `languageId`, which must be there.
        public var languageID: String
        /// The member `text`, which must be there.
        public var text: String
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(uri: String, languageID: String, text: String, meta: JSONObject? = nil) {
            self.uri = uri
            self.languageID = languageID
            self.text = text
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            uri = try members.required("uri")
            languageID = try members.required("languageId")
            text = try members.required("text")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("uri", uri)
            object.write("languageId", languageID)
            object.write("text", text)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `NesRelatedSnippet` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesrelatedsnippet>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESRelatedSnippet: JSONRecord {
        /// The member `uri`, which must be there.
        public var uri: String
        /// The member `excerpts`, which must be there.
        public var excerpts: [NESExcerpt]
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(uri: String, excerpts: [NESExcerpt], meta: JSONObject? = nil) {
            self.uri = uri
            self.excerpts = excerpts
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            uri = try members.required("uri")
            excerpts = try members.required("excerpts")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("uri", uri)
            object.write("excerpts", excerpts)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `NesExcerpt` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesexcerpt>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESExcerpt: JSONRecord {
        /// The member `startLine`, which must be there.
        public var startLine: Int
        /// The member `endLine`, which must be there.
        public var endLine: Int
        /// The member `text`, which must be there.
        public var text: String
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(startLine: Int, endLine: Int, text: String, meta: JSONObject? = nil) {
            self.startLine = startLine
            self.endLine = endLine
            self.text = text
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            startLine = try members.required("startLine", in: 0...4294967295)
            endLine = try members.required("endLine", in: 0...4294967295)
            text = try members.required("text")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("startLine", startLine)
            object.write("endLine", endLine)
            object.write("text", text)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `NesOpenFile` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesopenfile>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESOpenFile: JSONRecord {
        /// The member `uri`, which must be there.
        public var uri: String
        /// The member `languageId`, which must be there.
        public var languageID: String
        /// The member `visibleRange`; `nil` where it is absent, null or not readable.
        public var visibleRange: TextRange?
        /// The member `lastFocusedMs`; `nil` where it is absent, null or not readable.
        public var lastFocusedMs: UInt64?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            uri: String,
            languageID: String,
            visibleRange: TextRange? = nil,
            lastFocusedMs: UInt64? = nil,
            meta: JSONObject? = nil
        ) {
            self.uri = uri
            self.languageID = languageID
            self.visibleRange = visibleRange
            self.lastFocusedMs = lastFocusedMs
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            uri = try members.required("uri")
            languageID = try members.required("languageId")
            visibleRange = members.lenient("visibleRange")
            lastFocusedMs = members.lenient("lastFocusedMs")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("uri", uri)
            object.write("languageId", languageID)
            object.write("visibleRange", visibleRange)
            object.write("lastFocusedMs", lastFocusedMs)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `ClientNesCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#clientnescapabilities>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct ClientNESCapabilities: JSONRecord {
        /// The member `jump`; `nil` where it is absent, null or not readable.
        public var jump: NESJumpCapabilities?
        /// The member `rename`; `nil` where it is absent, null or not readable.
        public var rename: NESRenameCapabilities?
        /// The member `searchAndReplace`; `nil` where it is absent, null or not readable.
        public var searchAndReplace: NESSearchAndReplaceCapabilities?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            jump: NESJumpCapabilities? = nil,
            rename: NESRenameCapabilities? = nil,
            searchAndReplace: NESSearchAndReplaceCapabilities? = nil,
            meta: JSONObject? = nil
        ) {
            self.jump = jump
            self.rename = rename
            self.searchAndReplace = searchAndReplace
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            jump = members.lenient("jump")
            rename = members.lenient("rename")
            searchAndReplace = members.lenient("searchAndReplace")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("jump", jump)
            object.write("rename", rename)
            object.write("searchAndReplace", searchAndReplace)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `NesJumpCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesjumpcapabilities>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESJumpCapabilities: JSONRecord {
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

    /// `NesRenameCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesrenamecapabilities>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESRenameCapabilities: JSONRecord {
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

    /// `NesSearchAndReplaceCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nessearchandreplacecapabilities>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESSearchAndReplaceCapabilities: JSONRecord {
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

// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `SessionCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#sessioncapabilities>
    public struct SessionCapabilities: JSONRecord {
        /// The member `list`; `nil` where it is absent, null or not readable.
        public var list: SessionListCapabilities?
        /// The member `delete`; `nil` where it is absent, null or not readable.
        public var delete: SessionDeleteCapabilities?
        /// The member `additionalDirectories`; `nil` where it is absent, null or not readable.
        public var additionalDirectories: SessionAdditionalDirectoriesCapabilities?
        /// The member `fork`; `nil` where it is absent, null or not readable. Unstable.
        public var fork: SessionForkCapabilities?
        /// The member `resume`; `nil` where it is absent, null or not readable.
        public var resume: SessionResumeCapabilities?
        /// The member `close`; `nil` where it is absent, null or not readable.
        public var close: SessionCloseCapabilities?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            list: SessionListCapabilities? = nil,
            delete: SessionDeleteCapabilities? = nil,
            additionalDirectories: SessionAdditionalDirectoriesCapabilities? = nil,
            fork: SessionForkCapabilities? = nil,
            resume: SessionResumeCapabilities? = nil,
            close: SessionCloseCapabilities? = nil,
            meta: JSONObject? = nil
        ) {
            self.list = list
            self.delete = delete
            self.additionalDirectories = additionalDirectories
            self.fork = fork
            self.resume = resume
            self.close = close
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            list = members.lenient("list")
            delete = members.lenient("delete")
            additionalDirectories = members.lenient("additionalDirectories")
            fork = members.lenient("fork")
            resume = members.lenient("resume")
            close = members.lenient("close")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("list", list)
            object.write("delete", delete)
            object.write("additionalDirectories", additionalDirectories)
            object.write("fork", fork)
            object.write("resume", resume)
            object.write("close", close)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `SessionListCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#sessionlistcapabilities>
    public struct SessionListCapabilities: JSONRecord {
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

    /// `SessionDeleteCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#sessiondeletecapabilities>
    public struct SessionDeleteCapabilities: JSONRecord {
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

    /// `SessionAdditionalDirectoriesCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#sessionadditionaldirectoriescapabilities>
    public struct SessionAdditionalDirectoriesCapabilities: JSONRecord {
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

    /// `SessionResumeCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#sessionresumecapabilities>
    public struct SessionResumeCapabilities: JSONRecord {
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

    /// `SessionCloseCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#sessionclosecapabilities>
    public struct SessionCloseCapabilities: JSONRecord {
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

    /// `SessionConfigOptionsCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#sessionconfigoptionscapabilities>
    public struct SessionConfigOptionsCapabilities: JSONRecord {
        /// The member `boolean`; `nil` where it is absent, null or not readable.
        public var boolean: BooleanConfigOptionCapabilities?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(boolean: BooleanConfigOptionCapabilities? = nil, meta: JSONObject? = nil) {
            self.boolean = boolean
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            boolean = members.lenient("boolean")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("boolean", boolean)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

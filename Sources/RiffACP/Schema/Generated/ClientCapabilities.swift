// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `ClientCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#clientcapabilities>
    public struct ClientCapabilities: JSONRecord {
        /// The member `fs`; `FileSystemCapabilities()` where it is absent or not readable.
        public var fs: FileSystemCapabilities
        /// The member `terminal`; `false` where it is absent or not readable.
        public var terminal: Bool
        /// The member `session`; `nil` where it is absent, null or not readable.
        public var session: ClientSessionCapabilities?
        /// The member `plan`; `nil` where it is absent, null or not readable. Unstable.
        public var plan: PlanCapabilities?
        /// The member `auth`; `AuthCapabilities()` where it is absent or not readable.
        public var auth: AuthCapabilities
        /// The member `elicitation`; `nil` where it is absent, null or not readable.
        public var elicitation: ElicitationCapabilities?
        /// The member `nes`; `nil` where it is absent, null or not readable. Unstable.
        public var nes: ClientNESCapabilities?
        /// The member `positionEncodings`; `[]` where a list is absent or not readable. Unstable.
        public var positionEncodings: [PositionEncodingKind]
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            fs: FileSystemCapabilities = FileSystemCapabilities(),
            terminal: Bool = false,
            session: ClientSessionCapabilities? = nil,
            plan: PlanCapabilities? = nil,
            auth: AuthCapabilities = AuthCapabilities(),
            elicitation: ElicitationCapabilities? = nil,
            nes: ClientNESCapabilities? = nil,
            positionEncodings: [PositionEncodingKind] = [],
            meta: JSONObject? = nil
        ) {
            self.fs = fs
            self.terminal = terminal
            self.session = session
            self.plan = plan
            self.auth = auth
            self.elicitation = elicitation
            self.nes = nes
            self.positionEncodings = positionEncodings
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            fs = members.lenient("fs", default: FileSystemCapabilities())
            terminal = members.lenient("terminal", default: false)
            session = members.lenient("session")
            plan = members.lenient("plan")
            auth = members.lenient("auth", default: AuthCapabilities())
            elicitation = members.lenient("elicitation")
            nes = members.lenient("nes")
            positionEncodings = members.lenientList("positionEncodings", default: [])
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("fs", fs, default: FileSystemCapabilities())
            object.write("terminal", terminal, default: false)
            object.write("session", session)
            object.write("plan", plan)
            object.write("auth", auth, default: AuthCapabilities())
            object.write("elicitation", elicitation)
            object.write("nes", nes)
            object.write("positionEncodings", positionEncodings, default: [])
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `FileSystemCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#filesystemcapabilities>
    public struct FileSystemCapabilities: JSONRecord {
        /// The member `readTextFile`; `false` where it is absent or not readable.
        public var readTextFile: Bool
        /// The member `writeTextFile`; `false` where it is absent or not readable.
        public var writeTextFile: Bool
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(readTextFile: Bool = false, writeTextFile: Bool = false, meta: JSONObject? = nil) {
            self.readTextFile = readTextFile
            self.writeTextFile = writeTextFile
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            readTextFile = members.lenient("readTextFile", default: false)
            writeTextFile = members.lenient("writeTextFile", default: false)
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("readTextFile", readTextFile, default: false)
            object.write("writeTextFile", writeTextFile, default: false)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `ClientSessionCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#clientsessioncapabilities>
    public struct ClientSessionCapabilities: JSONRecord {
        /// The member `compaction`; `nil` where it is absent, null or not readable. Unstable.
        public var compaction: CompactionCapabilities?
        /// The member `configOptions`; `nil` where it is absent, null or not readable.
        public var configOptions: SessionConfigOptionsCapabilities?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            compaction: CompactionCapabilities? = nil,
            configOptions: SessionConfigOptionsCapabilities? = nil,
            meta: JSONObject? = nil
        ) {
            self.compaction = compaction
            self.configOptions = configOptions
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            compaction = members.lenient("compaction")
            configOptions = members.lenient("configOptions")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("compaction", compaction)
            object.write("configOptions", configOptions)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `BooleanConfigOptionCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#booleanconfigoptioncapabilities>
    public struct BooleanConfigOptionCapabilities: JSONRecord {
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

    /// `AuthCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#authcapabilities>
    public struct AuthCapabilities: JSONRecord {
        /// The member `terminal`; `false` where it is absent or not readable.
        public var terminal: Bool
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(terminal: Bool = false, meta: JSONObject? = nil) {
            self.terminal = terminal
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            terminal = members.lenient("terminal", default: false)
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("terminal", terminal, default: false)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `ElicitationCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#elicitationcapabilities>
    public struct ElicitationCapabilities: JSONRecord {
        /// The member `form`; `nil` where it is absent, null or not readable.
        public var form: ElicitationFormCapabilities?
        /// The member `url`; `nil` where it is absent, null or not readable.
        public var url: ElicitationURLCapabilities?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            form: ElicitationFormCapabilities? = nil,
            url: ElicitationURLCapabilities? = nil,
            meta: JSONObject? = nil
        ) {
            self.form = form
            self.url = url
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            form = members.lenient("form")
            url = members.lenient("url")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("form", form)
            object.write("url", url)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `ElicitationFormCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#elicitationformcapabilities>
    public struct ElicitationFormCapabilities: JSONRecord {
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

    /// `ElicitationUrlCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#elicitationurlcapabilities>
    public struct ElicitationURLCapabilities: JSONRecord {
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

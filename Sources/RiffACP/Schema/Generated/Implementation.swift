// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `Implementation` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#implementation>
    public struct Implementation: JSONRecord {
        /// The member `name`, which must be there.
        public var name: String
        /// The member `version`, which must be there.
        public var version: String
        /// The member `title`; `nil` where it is absent, null or not readable.
        public var title: String?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(name: String, version: String, title: String? = nil, meta: JSONObject? = nil) {
            self.name = name
            self.version = version
            self.title = title
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            name = try members.required("name")
            version = try members.required("version")
            title = members.lenient("title")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("name", name)
            object.write("version", version)
            object.write("title", title)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `Error` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#error>
    public struct RPCError: JSONRecord {
        /// The member `code`, which must be there.
        public var code: ErrorCode
        /// The member `message`, which must be there.
        public var message: String
        /// The member `data`; `nil` where it is absent, null or not readable.
        public var data: JSONValue?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(code: ErrorCode, message: String, data: JSONValue? = nil) {
            self.code = code
            self.message = message
            self.data = data
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            code = try members.required("code")
            message = try members.required("message")
            data = members.lenient("data")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("code", code)
            object.write("message", message)
            object.write("data", data)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `TerminalExitStatus` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#terminalexitstatus>
    public struct TerminalExitStatus: JSONRecord {
        /// The member `exitCode`; `nil` where it is absent, null or not readable.
        public var exitCode: Int?
        /// The member `signal`; `nil` where it is absent, null or not readable.
        public var signal: String?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(exitCode: Int? = nil, signal: String? = nil, meta: JSONObject? = nil) {
            self.exitCode = exitCode
            self.signal = signal
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            exitCode = members.lenient("exitCode", in: 0...4294967295)
            signal = members.lenient("signal")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("exitCode", exitCode)
            object.write("signal", signal)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// The parameters of `terminal/create`, which the agent sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#createterminalrequest>
    public struct CreateTerminalRequest: ACPRequest, JSONRecord {
        /// What answers it.
        public typealias Response = CreateTerminalResponse
        /// The method.
        public static let method = "terminal/create"

        /// The member `sessionId`, which must be there.
        public var sessionID: SessionID
        /// The member `command`, which must be there.
        public var command: String
        /// The member `args`; `[]` where a list is absent or not readable.
        public var args: [String]
        /// The member `env`; `[]` where a list is absent or not readable.
        public var env: [EnvVariable]
        /// The member `cwd`; `nil` where it is absent, null or not readable.
        public var cwd: String?
        /// The member `outputByteLimit`; `nil` where it is absent, null or not readable.
        public var outputByteLimit: UInt64?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            sessionID: SessionID,
            command: String,
            args: [String] = [],
            env: [EnvVariable] = [],
            cwd: String? = nil,
            outputByteLimit: UInt64? = nil,
            meta: JSONObject? = nil
        ) {
            self.sessionID = sessionID
            self.command = command
            self.args = args
            self.env = env
            self.cwd = cwd
            self.outputByteLimit = outputByteLimit
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            sessionID = try members.required("sessionId")
            command = try members.required("command")
            args = members.lenientList("args", default: [])
            env = members.lenientList("env", default: [])
            cwd = members.lenient("cwd")
            outputByteLimit = members.lenient("outputByteLimit")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("sessionId", sessionID)
            object.write("command", command)
            object.write("args", args, default: [])
            object.write("env", env, default: [])
            object.write("cwd", cwd)
            object.write("outputByteLimit", outputByteLimit)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// What answers `terminal/create`, which the agent sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#createterminalresponse>
    public struct CreateTerminalResponse: JSONRecord {
        /// The member `terminalId`, which must be there.
        public var terminalID: TerminalID
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(terminalID: TerminalID, meta: JSONObject? = nil) {
            self.terminalID = terminalID
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            terminalID = try members.required("terminalId")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("terminalId", terminalID)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

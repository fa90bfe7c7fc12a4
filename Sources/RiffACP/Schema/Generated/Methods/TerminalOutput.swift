// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// The parameters of `terminal/output`, which the agent sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#terminaloutputrequest>
    public struct TerminalOutputRequest: ACPRequest, JSONRecord {
        /// What answers it.
        public typealias Response = TerminalOutputResponse
        /// The method.
        public static let method = "terminal/output"

        /// The member `sessionId`, which must be there.
        public var sessionID: SessionID
        /// The member `terminalId`, which must be there.
        public var terminalID: TerminalID
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(sessionID: SessionID, terminalID: TerminalID, meta: JSONObject? = nil) {
            self.sessionID = sessionID
            self.terminalID = terminalID
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            sessionID = try members.required("sessionId")
            terminalID = try members.required("terminalId")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("sessionId", sessionID)
            object.write("terminalId", terminalID)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// What answers `terminal/output`, which the agent sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#terminaloutputresponse>
    public struct TerminalOutputResponse: JSONRecord {
        /// The member `output`, which must be there.
        public var output: String
        /// The member `truncated`, which must be there.
        public var truncated: Bool
        /// The member `exitStatus`; `nil` where it is absent, null or not readable.
        public var exitStatus: TerminalExitStatus?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(output: String, truncated: Bool, exitStatus: TerminalExitStatus? = nil, meta: JSONObject? = nil) {
            self.output = output
            self.truncated = truncated
            self.exitStatus = exitStatus
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            output = try members.required("output")
            truncated = try members.required("truncated")
            exitStatus = members.lenient("exitStatus")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("output", output)
            object.write("truncated", truncated)
            object.write("exitStatus", exitStatus)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

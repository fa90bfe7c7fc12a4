// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// The parameters of `terminal/wait_for_exit`, which the agent sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#waitforterminalexitrequest>
    public struct WaitForTerminalExitRequest: ACPRequest, JSONRecord {
        /// What answers it.
        public typealias Response = WaitForTerminalExitResponse
        /// The method.
        public static let method = "terminal/wait_for_exit"

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

    /// What answers `terminal/wait_for_exit`, which the agent sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#waitforterminalexitresponse>
    public struct WaitForTerminalExitResponse: JSONRecord {
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

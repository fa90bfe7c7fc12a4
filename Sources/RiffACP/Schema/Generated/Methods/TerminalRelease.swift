// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// The parameters of `terminal/release`, which the agent sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#releaseterminalrequest>
    public struct ReleaseTerminalRequest: ACPRequest, JSONRecord {
        /// What answers it.
        public typealias Response = ReleaseTerminalResponse
        /// The method.
        public static let method = "terminal/release"

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

    /// What answers `terminal/release`, which the agent sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#releaseterminalresponse>
    public struct ReleaseTerminalResponse: JSONRecord {
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

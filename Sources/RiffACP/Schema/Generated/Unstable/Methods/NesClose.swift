// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// What answers `nes/close`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#closenesresponse>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct CloseNESResponse: JSONRecord {
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

    /// The parameters of `nes/close`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#closenesrequest>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct CloseNESRequest: ACPRequest, JSONRecord {
        /// What answers it.
        public typealias Response = CloseNESResponse
        /// The method.
        public static let method = "nes/close"

        /// The member `sessionId`, which must be there.
        public var sessionID: SessionID
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(sessionID: SessionID, meta: JSONObject? = nil) {
            self.sessionID = sessionID
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            sessionID = try members.required("sessionId")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("sessionId", sessionID)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

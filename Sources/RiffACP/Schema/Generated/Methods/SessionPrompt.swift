// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// What answers `session/prompt`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#promptresponse>
    public struct PromptResponse: JSONRecord {
        /// The member `stopReason`, which must be there.
        public var stopReason: StopReason
        /// The member `usage`; `nil` where it is absent, null or not readable. Unstable.
        public var usage: Usage?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(stopReason: StopReason, usage: Usage? = nil, meta: JSONObject? = nil) {
            self.stopReason = stopReason
            self.usage = usage
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            stopReason = try members.required("stopReason")
            usage = members.lenient("usage")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("stopReason", stopReason)
            object.write("usage", usage)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// The parameters of `session/prompt`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#promptrequest>
    public struct PromptRequest: ACPRequest, JSONRecord {
        /// What answers it.
        public typealias Response = PromptResponse
        /// The method.
        public static let method = "session/prompt"

        /// The member `sessionId`, which must be there.
        public var sessionID: SessionID
        /// The member `prompt`, which must be there.
        public var prompt: [ContentBlock]
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(sessionID: SessionID, prompt: [ContentBlock], meta: JSONObject? = nil) {
            self.sessionID = sessionID
            self.prompt = prompt
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            sessionID = try members.required("sessionId")
            prompt = try members.required("prompt")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("sessionId", sessionID)
            object.write("prompt", prompt)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// The parameters of `session/set_model`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#setsessionmodelrequest>
    ///
    /// No longer in the schema; agents in use still send it.
    public struct SetSessionModelRequest: ACPRequest, JSONRecord {
        /// What answers it.
        public typealias Response = SetSessionModelResponse
        /// The method.
        public static let method = "session/set_model"

        /// The member `sessionId`, which must be there.
        public var sessionID: SessionID
        /// The member `modelId`, which must be there.
        public var modelID: ModelID
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(sessionID: SessionID, modelID: ModelID, meta: JSONObject? = nil) {
            self.sessionID = sessionID
            self.modelID = modelID
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            sessionID = try members.required("sessionId")
            modelID = try members.required("modelId")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("sessionId", sessionID)
            object.write("modelId", modelID)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// What answers `session/set_model`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#setsessionmodelresponse>
    ///
    /// No longer in the schema; agents in use still send it.
    public struct SetSessionModelResponse: JSONRecord {
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

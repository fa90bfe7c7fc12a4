// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// What answers `session/new`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#newsessionresponse>
    public struct NewSessionResponse: JSONRecord {
        /// The member `sessionId`, which must be there.
        public var sessionID: SessionID
        /// The member `modes`; `nil` where it is absent, null or not readable.
        public var modes: SessionModeState?
        /// The member `configOptions`; `nil` where a list is absent, null or not readable.
        public var configOptions: [SessionConfigOption]?
        /// The member `models`; `nil` where it is absent, null or not readable.
        public var models: SessionModelState?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            sessionID: SessionID,
            modes: SessionModeState? = nil,
            configOptions: [SessionConfigOption]? = nil,
            models: SessionModelState? = nil,
            meta: JSONObject? = nil
        ) {
            self.sessionID = sessionID
            self.modes = modes
            self.configOptions = configOptions
            self.models = models
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            sessionID = try members.required("sessionId")
            modes = members.lenient("modes")
            configOptions = members.lenientList("configOptions")
            models = members.lenient("models")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("sessionId", sessionID)
            object.write("modes", modes)
            object.write("configOptions", configOptions)
            object.write("models", models)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// The parameters of `session/new`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#newsessionrequest>
    public struct NewSessionRequest: ACPRequest, JSONRecord {
        /// What answers it.
        public typealias Response = NewSessionResponse
        /// The method.
        public static let method = "session/new"

        /// The member `cwd`, which must be there.
        public var cwd: String
        /// The member `mcpServers`, which must be there; elements that cannot be read are left out.
        public var mcpServers: [MCPServer]
        /// The member `additionalDirectories`; `[]` where a list is absent or not readable.
        public var additionalDirectories: [String]
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(cwd: String, mcpServers: [MCPServer], additionalDirectories: [String] = [], meta: JSONObject? = nil)
        {
            self.cwd = cwd
            self.mcpServers = mcpServers
            self.additionalDirectories = additionalDirectories
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            cwd = try members.required("cwd")
            mcpServers = try members.requiredList("mcpServers")
            additionalDirectories = members.lenientList("additionalDirectories", default: [])
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("cwd", cwd)
            object.write("mcpServers", mcpServers)
            object.write("additionalDirectories", additionalDirectories, default: [])
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

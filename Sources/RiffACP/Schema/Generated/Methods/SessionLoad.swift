// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// What answers `session/load`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#loadsessionresponse>
    public struct LoadSessionResponse: JSONRecord {
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
            modes: SessionModeState? = nil,
            configOptions: [SessionConfigOption]? = nil,
            models: SessionModelState? = nil,
            meta: JSONObject? = nil
        ) {
            self.modes = modes
            self.configOptions = configOptions
            self.models = models
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            modes = members.lenient("modes")
            configOptions = members.lenientList("configOptions")
            models = members.lenient("models")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("modes", modes)
            object.write("configOptions", configOptions)
            object.write("models", models)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// The parameters of `session/load`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#loadsessionrequest>
    public struct LoadSessionRequest: ACPRequest, JSONRecord {
        /// What answers it.
        public typealias Response = LoadSessionResponse
        /// The method.
        public static let method = "session/load"

        /// The member `mcpServers`, which must be there; elements that cannot be read are left out.
        public var mcpServers: [MCPServer]
        /// The member `cwd`, which must be there.
        public var cwd: String
        /// The member `sessionId`, which must be there.
        public var sessionID: SessionID
        /// The member `additionalDirectories`; `[]` where a list is absent or not readable.
        public var additionalDirectories: [String]
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            mcpServers: [MCPServer],
            cwd: String,
            sessionID: SessionID,
            additionalDirectories: [String] = [],
            meta: JSONObject? = nil
        ) {
            self.mcpServers = mcpServers
            self.cwd = cwd
            self.sessionID = sessionID
            self.additionalDirectories = additionalDirectories
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            mcpServers = try members.requiredList("mcpServers")
            cwd = try members.required("cwd")
            sessionID = try members.required("sessionId")
            additionalDirectories = members.lenientList("additionalDirectories", default: [])
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("mcpServers", mcpServers)
            object.write("cwd", cwd)
            object.write("sessionId", sessionID)
            object.write("additionalDirectories", additionalDirectories, default: [])
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

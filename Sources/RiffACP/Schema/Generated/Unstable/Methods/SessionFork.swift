// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// What answers `session/fork`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#forksessionresponse>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct ForkSessionResponse: JSONRecord {
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

    /// The parameters of `session/fork`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#forksessionrequest>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct ForkSessionRequest: ACPRequest, JSONRecord {
        /// What answers it.
        public typealias Response = ForkSessionResponse
        /// The method.
        public static let method = "session/fork"

        /// The member `sessionId`, which must be there.
        public var sessionID: SessionID
        /// The member `cwd`, which must be there.
        public var cwd: String
        /// The member `additionalDirectories`; `[]` where a list is absent or not readable.
        public var additionalDirectories: [String]
        /// The member `mcpServers`; `[]` where a list is absent or not readable.
        public var mcpServers: [MCPServer]
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            sessionID: SessionID,
            cwd: String,
            additionalDirectories: [String] = [],
            mcpServers: [MCPServer] = [],
            meta: JSONObject? = nil
        ) {
            self.sessionID = sessionID
            self.cwd = cwd
            self.additionalDirectories = additionalDirectories
            self.mcpServers = mcpServers
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            sessionID = try members.required("sessionId")
            cwd = try members.required("cwd")
            additionalDirectories = members.lenientList("additionalDirectories", default: [])
            mcpServers = members.lenientList("mcpServers", default: [])
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("sessionId", sessionID)
            object.write("cwd", cwd)
            object.write("additionalDirectories", additionalDirectories, default: [])
            object.write("mcpServers", mcpServers, default: [])
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

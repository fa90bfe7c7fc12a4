// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// What answers `initialize`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#initializeresponse>
    public struct InitializeResponse: JSONRecord {
        /// The member `protocolVersion`, which must be there.
        public var protocolVersion: ProtocolVersion
        /// The member `agentCapabilities`; `AgentCapabilities()` where it is absent or not readable.
        public var agentCapabilities: AgentCapabilities
        /// The member `authMethods`; `[]` where a list is absent or not readable.
        public var authMethods: [AuthMethod]
        /// The member `agentInfo`; `nil` where it is absent, null or not readable.
        public var agentInfo: Implementation?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            protocolVersion: ProtocolVersion,
            agentCapabilities: AgentCapabilities = AgentCapabilities(),
            authMethods: [AuthMethod] = [],
            agentInfo: Implementation? = nil,
            meta: JSONObject? = nil
        ) {
            self.protocolVersion = protocolVersion
            self.agentCapabilities = agentCapabilities
            self.authMethods = authMethods
            self.agentInfo = agentInfo
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            protocolVersion = try members.required("protocolVersion")
            agentCapabilities = members.lenient("agentCapabilities", default: AgentCapabilities())
            authMethods = members.lenientList("authMethods", default: [])
            agentInfo = members.lenient("agentInfo")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("protocolVersion", protocolVersion)
            object.write("agentCapabilities", agentCapabilities, default: AgentCapabilities())
            object.write("authMethods", authMethods, default: [])
            object.write("agentInfo", agentInfo)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// The parameters of `initialize`, which the client sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#initializerequest>
    public struct InitializeRequest: ACPRequest, JSONRecord {
        /// What answers it.
        public typealias Response = InitializeResponse
        /// The method.
        public static let method = "initialize"

        /// The member `protocolVersion`, which must be there.
        public var protocolVersion: ProtocolVersion
        /// The member `clientCapabilities`; `ClientCapabilities()` where it is absent or not readable.
        public var clientCapabilities: ClientCapabilities
        /// The member `clientInfo`; `nil` where it is absent, null or not readable.
        public var clientInfo: Implementation?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            protocolVersion: ProtocolVersion,
            clientCapabilities: ClientCapabilities = ClientCapabilities(),
            clientInfo: Implementation? = nil,
            meta: JSONObject? = nil
        ) {
            self.protocolVersion = protocolVersion
            self.clientCapabilities = clientCapabilities
            self.clientInfo = clientInfo
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            protocolVersion = try members.required("protocolVersion")
            clientCapabilities = members.lenient("clientCapabilities", default: ClientCapabilities())
            clientInfo = members.lenient("clientInfo")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("protocolVersion", protocolVersion)
            object.write("clientCapabilities", clientCapabilities, default: ClientCapabilities())
            object.write("clientInfo", clientInfo)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

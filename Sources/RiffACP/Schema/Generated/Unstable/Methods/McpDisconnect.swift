// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// The parameters of `mcp/disconnect`, which the agent sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#disconnectmcprequest>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct DisconnectMCPRequest: ACPRequest, JSONRecord {
        /// What answers it.
        public typealias Response = DisconnectMCPResponse
        /// The method.
        public static let method = "mcp/disconnect"

        /// The member `connectionId`, which must be there.
        public var connectionID: MCPConnectionID
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(connectionID: MCPConnectionID, meta: JSONObject? = nil) {
            self.connectionID = connectionID
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            connectionID = try members.required("connectionId")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("connectionId", connectionID)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// What answers `mcp/disconnect`, which the agent sends.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#disconnectmcpresponse>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct DisconnectMCPResponse: JSONRecord {
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

// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// The parameters of `mcp/message`, which both sides send.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#messagemcprequest>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct MessageMCPRequest: ACPRequest, JSONRecord {
        /// What answers it.
        public typealias Response = MessageMCPResponse
        /// The method.
        public static let method = "mcp/message"

        /// The member `connectionId`, which must be there.
        public var connectionID: MCPConnectionID
        /// The member `method`, which must be there.
        public var method: String
        /// The member `params`; `nil` where it is absent or null.
        public var params: JSONObject?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(connectionID: MCPConnectionID, method: String, params: JSONObject? = nil, meta: JSONObject? = nil) {
            self.connectionID = connectionID
            self.method = method
            self.params = params
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            connectionID = try members.required("connectionId")
            method = try members.required("method")
            params = try members.optional("params")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("connectionId", connectionID)
            object.write("method", method)
            object.write("params", params)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// What answers `mcp/message`, which both sides send.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#messagemcpresponse>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public typealias MessageMCPResponse = JSONValue

    /// The parameters of `mcp/message`, which both sides send.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#messagemcpnotification>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct MessageMCPNotification: ACPNotification, JSONRecord {
        /// The method.
        public static let method = "mcp/message"

        /// The member `connectionId`, which must be there.
        public var connectionID: MCPConnectionID
        /// The member `method`, which must be there.
        public var method: String
        /// The member `params`; `nil` where it is absent, null or not readable.
        public var params: JSONObject?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(connectionID: MCPConnectionID, method: String, params: JSONObject? = nil, meta: JSONObject? = nil) {
            self.connectionID = connectionID
            self.method = method
            self.params = params
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            connectionID = try members.required("connectionId")
            method = try members.required("method")
            params = members.lenient("params")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("connectionId", connectionID)
            object.write("method", method)
            object.write("params", params)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

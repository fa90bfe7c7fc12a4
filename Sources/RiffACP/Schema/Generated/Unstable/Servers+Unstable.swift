// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `McpServerAcp` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#mcpserveracp>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct MCPServerACP: JSONRecord {
        /// The member `name`, which must be there.
        public var name: String
        /// The member `serverId`, which must be there.
        public var serverID: MCPServerACPID
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(name: String, serverID: MCPServerACPID, meta: JSONObject? = nil) {
            self.name = name
            self.serverID = serverID
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            name = try members.required("name")
            serverID = try members.required("serverId")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("name", name)
            object.write("serverId", serverID)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

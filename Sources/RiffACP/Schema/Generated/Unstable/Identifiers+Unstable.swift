// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

extension ACP {
    /// `McpServerAcpId` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#mcpserveracpid>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct MCPServerACPID: ACPName {
        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `McpConnectionId` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#mcpconnectionid>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct MCPConnectionID: ACPName {
        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `ProviderId` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#providerid>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct ProviderID: ACPName {
        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `NesSuggestionId` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nessuggestionid>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESSuggestionID: ACPName {
        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `PlanId` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#planid>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct PlanID: ACPName {
        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `CompactionId` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#compactionid>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct CompactionID: ACPName {
        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

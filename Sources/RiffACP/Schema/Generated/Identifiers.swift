// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

extension ACP {
    /// `SessionId` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#sessionid>
    public struct SessionID: ACPName {
        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `ToolCallId` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#toolcallid>
    public struct ToolCallID: ACPName {
        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `TerminalId` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#terminalid>
    public struct TerminalID: ACPName {
        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `PermissionOptionId` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#permissionoptionid>
    public struct PermissionOptionID: ACPName {
        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `ElicitationId` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#elicitationid>
    public struct ElicitationID: ACPName {
        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `ProtocolVersion` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#protocolversion>
    public struct ProtocolVersion: ACPNumber {
        /// The value on the wire.
        public let rawValue: Int

        /// Any value, also one that this version does not know.
        public init(rawValue: Int) { self.rawValue = rawValue }
    }

    /// `AuthMethodId` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#authmethodid>
    public struct AuthMethodID: ACPName {
        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `SessionModeId` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#sessionmodeid>
    public struct SessionModeID: ACPName {
        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `SessionConfigId` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#sessionconfigid>
    public struct SessionConfigID: ACPName {
        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `SessionConfigValueId` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#sessionconfigvalueid>
    public struct SessionConfigValueID: ACPName {
        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `SessionConfigGroupId` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#sessionconfiggroupid>
    public struct SessionConfigGroupID: ACPName {
        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `MessageId` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#messageid>
    public struct MessageID: ACPName {
        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `ModelId` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#modelid>
    ///
    /// No longer in the schema; agents in use still send it.
    public struct ModelID: ACPName {
        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

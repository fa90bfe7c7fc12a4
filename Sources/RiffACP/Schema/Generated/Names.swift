// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

extension ACP {
    /// `ToolKind` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#toolkind>
    public struct ToolKind: ACPName {
        /// `read`.
        public static let read = ToolKind(rawValue: "read")
        /// `edit`.
        public static let edit = ToolKind(rawValue: "edit")
        /// `delete`.
        public static let delete = ToolKind(rawValue: "delete")
        /// `move`.
        public static let move = ToolKind(rawValue: "move")
        /// `search`.
        public static let search = ToolKind(rawValue: "search")
        /// `execute`.
        public static let execute = ToolKind(rawValue: "execute")
        /// `think`.
        public static let think = ToolKind(rawValue: "think")
        /// `fetch`.
        public static let fetch = ToolKind(rawValue: "fetch")
        /// `switch_mode`.
        public static let switchMode = ToolKind(rawValue: "switch_mode")
        /// `other`.
        public static let other = ToolKind(rawValue: "other")

        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `ToolCallStatus` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#toolcallstatus>
    public struct ToolCallStatus: ACPName {
        /// `pending`.
        public static let pending = ToolCallStatus(rawValue: "pending")
        /// `in_progress`.
        public static let inProgress = ToolCallStatus(rawValue: "in_progress")
        /// `completed`.
        public static let completed = ToolCallStatus(rawValue: "completed")
        /// `failed`.
        public static let failed = ToolCallStatus(rawValue: "failed")

        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `Role` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#role>
    public struct Role: ACPName {
        /// `assistant`.
        public static let assistant = Role(rawValue: "assistant")
        /// `user`.
        public static let user = Role(rawValue: "user")

        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `PermissionOptionKind` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#permissionoptionkind>
    public struct PermissionOptionKind: ACPName {
        /// `allow_once`.
        public static let allowOnce = PermissionOptionKind(rawValue: "allow_once")
        /// `allow_always`.
        public static let allowAlways = PermissionOptionKind(rawValue: "allow_always")
        /// `reject_once`.
        public static let rejectOnce = PermissionOptionKind(rawValue: "reject_once")
        /// `reject_always`.
        public static let rejectAlways = PermissionOptionKind(rawValue: "reject_always")

        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `ElicitationSchemaType` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#elicitationschematype>
    public struct ElicitationSchemaType: ACPName {
        /// `object`.
        public static let object = ElicitationSchemaType(rawValue: "object")

        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `StringFormat` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#stringformat>
    public struct StringFormat: ACPName {
        /// `email`.
        public static let email = StringFormat(rawValue: "email")
        /// `uri`.
        public static let uri = StringFormat(rawValue: "uri")
        /// `date`.
        public static let date = StringFormat(rawValue: "date")
        /// `date-time`.
        public static let dateTime = StringFormat(rawValue: "date-time")

        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `SessionConfigOptionCategory` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#sessionconfigoptioncategory>
    public struct SessionConfigOptionCategory: ACPName {
        /// `mode`.
        public static let mode = SessionConfigOptionCategory(rawValue: "mode")
        /// `model`.
        public static let model = SessionConfigOptionCategory(rawValue: "model")
        /// `model_config`.
        public static let modelConfig = SessionConfigOptionCategory(rawValue: "model_config")
        /// `thought_level`.
        public static let thoughtLevel = SessionConfigOptionCategory(rawValue: "thought_level")

        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `StopReason` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#stopreason>
    public struct StopReason: ACPName {
        /// `end_turn`.
        public static let endTurn = StopReason(rawValue: "end_turn")
        /// `max_tokens`.
        public static let maxTokens = StopReason(rawValue: "max_tokens")
        /// `max_turn_requests`.
        public static let maxTurnRequests = StopReason(rawValue: "max_turn_requests")
        /// `refusal`.
        public static let refusal = StopReason(rawValue: "refusal")
        /// `cancelled`.
        public static let cancelled = StopReason(rawValue: "cancelled")

        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `ErrorCode` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#errorcode>
    public struct ErrorCode: ACPNumber {
        /// `-32700`.
        public static let parseError = ErrorCode(rawValue: -32700)
        /// `-32600`.
        public static let invalidRequest = ErrorCode(rawValue: -32600)
        /// `-32601`.
        public static let methodNotFound = ErrorCode(rawValue: -32601)
        /// `-32602`.
        public static let invalidParams = ErrorCode(rawValue: -32602)
        /// `-32603`.
        public static let internalError = ErrorCode(rawValue: -32603)
        /// `-32800`.
        public static let requestCancelled = ErrorCode(rawValue: -32800)
        /// `-32000`.
        public static let authenticationRequired = ErrorCode(rawValue: -32000)
        /// `-32002`.
        public static let resourceNotFound = ErrorCode(rawValue: -32002)

        /// The value on the wire.
        public let rawValue: Int

        /// Any value, also one that this version does not know.
        public init(rawValue: Int) { self.rawValue = rawValue }
    }

    /// `PlanEntryPriority` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#planentrypriority>
    public struct PlanEntryPriority: ACPName {
        /// `high`.
        public static let high = PlanEntryPriority(rawValue: "high")
        /// `medium`.
        public static let medium = PlanEntryPriority(rawValue: "medium")
        /// `low`.
        public static let low = PlanEntryPriority(rawValue: "low")

        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `PlanEntryStatus` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#planentrystatus>
    public struct PlanEntryStatus: ACPName {
        /// `pending`.
        public static let pending = PlanEntryStatus(rawValue: "pending")
        /// `in_progress`.
        public static let inProgress = PlanEntryStatus(rawValue: "in_progress")
        /// `completed`.
        public static let completed = PlanEntryStatus(rawValue: "completed")

        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

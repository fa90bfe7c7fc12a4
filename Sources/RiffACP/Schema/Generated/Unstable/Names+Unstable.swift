// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

extension ACP {
    /// `TextDocumentSyncKind` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#textdocumentsynckind>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct TextDocumentSyncKind: ACPName {
        /// `full`.
        public static let full = TextDocumentSyncKind(rawValue: "full")
        /// `incremental`.
        public static let incremental = TextDocumentSyncKind(rawValue: "incremental")

        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `PositionEncodingKind` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#positionencodingkind>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct PositionEncodingKind: ACPName {
        /// `utf-16`.
        public static let utf16 = PositionEncodingKind(rawValue: "utf-16")
        /// `utf-32`.
        public static let utf32 = PositionEncodingKind(rawValue: "utf-32")
        /// `utf-8`.
        public static let utf8 = PositionEncodingKind(rawValue: "utf-8")

        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `LlmProtocol` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#llmprotocol>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct LLMProtocol: ACPName {
        /// `anthropic`.
        public static let anthropic = LLMProtocol(rawValue: "anthropic")
        /// `openai`.
        public static let openai = LLMProtocol(rawValue: "openai")
        /// `azure`.
        public static let azure = LLMProtocol(rawValue: "azure")
        /// `vertex`.
        public static let vertex = LLMProtocol(rawValue: "vertex")
        /// `bedrock`.
        public static let bedrock = LLMProtocol(rawValue: "bedrock")

        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `NoticeSeverity` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#noticeseverity>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NoticeSeverity: ACPName {
        /// `info`.
        public static let info = NoticeSeverity(rawValue: "info")
        /// `warning`.
        public static let warning = NoticeSeverity(rawValue: "warning")
        /// `error`.
        public static let error = NoticeSeverity(rawValue: "error")

        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `CompactionStatus` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#compactionstatus>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct CompactionStatus: ACPName {
        /// `in_progress`.
        public static let inProgress = CompactionStatus(rawValue: "in_progress")
        /// `completed`.
        public static let completed = CompactionStatus(rawValue: "completed")
        /// `failed`.
        public static let failed = CompactionStatus(rawValue: "failed")
        /// `cancelled`.
        public static let cancelled = CompactionStatus(rawValue: "cancelled")

        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `NesTriggerKind` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nestriggerkind>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESTriggerKind: ACPName {
        /// `automatic`.
        public static let automatic = NESTriggerKind(rawValue: "automatic")
        /// `diagnostic`.
        public static let diagnostic = NESTriggerKind(rawValue: "diagnostic")
        /// `manual`.
        public static let manual = NESTriggerKind(rawValue: "manual")

        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `NesDiagnosticSeverity` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesdiagnosticseverity>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESDiagnosticSeverity: ACPName {
        /// `error`.
        public static let error = NESDiagnosticSeverity(rawValue: "error")
        /// `warning`.
        public static let warning = NESDiagnosticSeverity(rawValue: "warning")
        /// `information`.
        public static let information = NESDiagnosticSeverity(rawValue: "information")
        /// `hint`.
        public static let hint = NESDiagnosticSeverity(rawValue: "hint")

        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// `NesRejectReason` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesrejectreason>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESRejectReason: ACPName {
        /// `rejected`.
        public static let rejected = NESRejectReason(rawValue: "rejected")
        /// `ignored`.
        public static let ignored = NESRejectReason(rawValue: "ignored")
        /// `replaced`.
        public static let replaced = NESRejectReason(rawValue: "replaced")
        /// `cancelled`.
        public static let cancelled = NESRejectReason(rawValue: "cancelled")

        /// The value on the wire.
        public let rawValue: String

        /// Any value, also one that this version does not know.
        public init(rawValue: String) { self.rawValue = rawValue }
    }
}

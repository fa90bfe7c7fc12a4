// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `NesSuggestContext` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nessuggestcontext>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESSuggestContext: JSONRecord {
        /// The member `recentFiles`; `nil` where a list is absent or null.
        public var recentFiles: [NESRecentFile]?
        /// The member `relatedSnippets`; `nil` where a list is absent or null.
        public var relatedSnippets: [NESRelatedSnippet]?
        /// The member `editHistory`; `nil` where a list is absent or null.
        public var editHistory: [NESEditHistoryEntry]?
        /// The member `userActions`; `nil` where a list is absent or null.
        public var userActions: [NESUserAction]?
        /// The member `openFiles`; `nil` where a list is absent or null.
        public var openFiles: [NESOpenFile]?
        /// The member `diagnostics`; `nil` where a list is absent or null.
        public var diagnostics: [NESDiagnostic]?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            recentFiles: [NESRecentFile]? = nil,
            relatedSnippets: [NESRelatedSnippet]? = nil,
            editHistory: [NESEditHistoryEntry]? = nil,
            userActions: [NESUserAction]? = nil,
            openFiles: [NESOpenFile]? = nil,
            diagnostics: [NESDiagnostic]? = nil,
            meta: JSONObject? = nil
        ) {
            self.recentFiles = recentFiles
            self.relatedSnippets = relatedSnippets
            self.editHistory = editHistory
            self.userActions = userActions
            self.openFiles = openFiles
            self.diagnostics = diagnostics
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            recentFiles = try members.optional("recentFiles")
            relatedSnippets = try members.optional("relatedSnippets")
            editHistory = try members.optional("editHistory")
            userActions = try members.optional("userActions")
            openFiles = try members.optional("openFiles")
            diagnostics = try members.optional("diagnostics")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("recentFiles", recentFiles)
            object.write("relatedSnippets", relatedSnippets)
            object.write("editHistory", editHistory)
            object.write("userActions", userActions)
            object.write("openFiles", openFiles)
            object.write("diagnostics", diagnostics)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `NesEditHistoryEntry` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesedithistoryentry>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESEditHistoryEntry: JSONRecord {
        /// The member `uri`, which must be there.
        public var uri: String
        /// The member `diff`, which must be there.
        public var diff: String
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(uri: String, diff: String, meta: JSONObject? = nil) {
            self.uri = uri
            self.diff = diff
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            uri = try members.required("uri")
            diff = try members.required("diff")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("uri", uri)
            object.write("diff", diff)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `NesUserAction` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesuseraction>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESUserAction: JSONRecord {
        /// The member `action`, which must be there.
        public var action: String
        /// The member `uri`, which must be there.
        public var uri: String
        /// The member `position`, which must be there.
        public var position: TextPosition
        /// The member `timestampMs`, which must be there.
        public var timestampMs: UInt64
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(action: String, uri: String, position: TextPosition, timestampMs: UInt64, meta: JSONObject? = nil) {
            self.action = action
            self.uri = uri
            self.position = position
            self.timestampMs = timestampMs
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            action = try members.required("action")
            uri = try members.required("uri")
            position = try members.required("position")
            timestampMs = try members.required("timestampMs")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("action", action)
            object.write("uri", uri)
            object.write("position", position)
            object.write("timestampMs", timestampMs)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `NesDiagnostic` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesdiagnostic>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESDiagnostic: JSONRecord {
        /// The member `uri`, which must be there.
        public var uri: String
        /// The member `range`, which must be there.
        public var range: TextRange
        /// The member `severity`, which must be there.
        public var severity: NESDiagnosticSeverity
        /// The member `message`, which must be there.
        public var message: String
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            uri: String,
            range: TextRange,
            severity: NESDiagnosticSeverity,
            message: String,
            meta: JSONObject? = nil
        ) {
            self.uri = uri
            self.range = range
            self.severity = severity
            self.message = message
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            uri = try members.required("uri")
            range = try members.required("range")
            severity = try members.required("severity")
            message = try members.required("message")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("uri", uri)
            object.write("range", range)
            object.write("severity", severity)
            object.write("message", message)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

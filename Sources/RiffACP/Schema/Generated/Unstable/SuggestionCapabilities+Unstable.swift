// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `NesCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nescapabilities>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESCapabilities: JSONRecord {
        /// The member `events`; `nil` where it is absent, null or not readable.
        public var events: NESEventCapabilities?
        /// The member `context`; `nil` where it is absent, null or not readable.
        public var context: NESContextCapabilities?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            events: NESEventCapabilities? = nil,
            context: NESContextCapabilities? = nil,
            meta: JSONObject? = nil
        ) {
            self.events = events
            self.context = context
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            events = members.lenient("events")
            context = members.lenient("context")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("events", events)
            object.write("context", context)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `NesContextCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nescontextcapabilities>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESContextCapabilities: JSONRecord {
        /// The member `recentFiles`; `nil` where it is absent, null or not readable.
        public var recentFiles: NESRecentFilesCapabilities?
        /// The member `relatedSnippets`; `nil` where it is absent, null or not readable.
        public var relatedSnippets: NESRelatedSnippetsCapabilities?
        /// The member `editHistory`; `nil` where it is absent, null or not readable.
        public var editHistory: NESEditHistoryCapabilities?
        /// The member `userActions`; `nil` where it is absent, null or not readable.
        public var userActions: NESUserActionsCapabilities?
        /// The member `openFiles`; `nil` where it is absent, null or not readable.
        public var openFiles: NESOpenFilesCapabilities?
        /// The member `diagnostics`; `nil` where it is absent, null or not readable.
        public var diagnostics: NESDiagnosticsCapabilities?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            recentFiles: NESRecentFilesCapabilities? = nil,
            relatedSnippets: NESRelatedSnippetsCapabilities? = nil,
            editHistory: NESEditHistoryCapabilities? = nil,
            userActions: NESUserActionsCapabilities? = nil,
            openFiles: NESOpenFilesCapabilities? = nil,
            diagnostics: NESDiagnosticsCapabilities? = nil,
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
            recentFiles = members.lenient("recentFiles")
            relatedSnippets = members.lenient("relatedSnippets")
            editHistory = members.lenient("editHistory")
            userActions = members.lenient("userActions")
            openFiles = members.lenient("openFiles")
            diagnostics = members.lenient("diagnostics")
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

    /// `NesRecentFilesCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesrecentfilescapabilities>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESRecentFilesCapabilities: JSONRecord {
        /// The member `maxCount`; `nil` where it is absent, null or not readable.
        public var maxCount: Int?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(maxCount: Int? = nil, meta: JSONObject? = nil) {
            self.maxCount = maxCount
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            maxCount = members.lenient("maxCount", in: 0...4294967295)
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("maxCount", maxCount)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `NesRelatedSnippetsCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesrelatedsnippetscapabilities>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESRelatedSnippetsCapabilities: JSONRecord {
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

    /// `NesEditHistoryCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesedithistorycapabilities>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESEditHistoryCapabilities: JSONRecord {
        /// The member `maxCount`; `nil` where it is absent, null or not readable.
        public var maxCount: Int?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(maxCount: Int? = nil, meta: JSONObject? = nil) {
            self.maxCount = maxCount
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            maxCount = members.lenient("maxCount", in: 0...4294967295)
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("maxCount", maxCount)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `NesUserActionsCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesuseractionscapabilities>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESUserActionsCapabilities: JSONRecord {
        /// The member `maxCount`; `nil` where it is absent, null or not readable.
        public var maxCount: Int?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(maxCount: Int? = nil, meta: JSONObject? = nil) {
            self.maxCount = maxCount
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            maxCount = members.lenient("maxCount", in: 0...4294967295)
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("maxCount", maxCount)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `NesOpenFilesCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesopenfilescapabilities>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESOpenFilesCapabilities: JSONRecord {
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

    /// `NesDiagnosticsCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesdiagnosticscapabilities>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESDiagnosticsCapabilities: JSONRecord {
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

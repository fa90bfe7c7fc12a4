// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `NesEventCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#neseventcapabilities>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESEventCapabilities: JSONRecord {
        /// The member `document`; `nil` where it is absent, null or not readable.
        public var document: NESDocumentEventCapabilities?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(document: NESDocumentEventCapabilities? = nil, meta: JSONObject? = nil) {
            self.document = document
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            document = members.lenient("document")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("document", document)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `NesDocumentEventCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesdocumenteventcapabilities>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESDocumentEventCapabilities: JSONRecord {
        /// The member `didOpen`; `nil` where it is absent, null or not readable.
        public var didOpen: NESDocumentDidOpenCapabilities?
        /// The member `didChange`; `nil` where it is absent, null or not readable.
        public var didChange: NESDocumentDidChangeCapabilities?
        /// The member `didClose`; `nil` where it is absent, null or not readable.
        public var didClose: NESDocumentDidCloseCapabilities?
        /// The member `didSave`; `nil` where it is absent, null or not readable.
        public var didSave: NESDocumentDidSaveCapabilities?
        /// The member `didFocus`; `nil` where it is absent, null or not readable.
        public var didFocus: NESDocumentDidFocusCapabilities?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            didOpen: NESDocumentDidOpenCapabilities? = nil,
            didChange: NESDocumentDidChangeCapabilities? = nil,
            didClose: NESDocumentDidCloseCapabilities? = nil,
            didSave: NESDocumentDidSaveCapabilities? = nil,
            didFocus: NESDocumentDidFocusCapabilities? = nil,
            meta: JSONObject? = nil
        ) {
            self.didOpen = didOpen
            self.didChange = didChange
            self.didClose = didClose
            self.didSave = didSave
            self.didFocus = didFocus
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            didOpen = members.lenient("didOpen")
            didChange = members.lenient("didChange")
            didClose = members.lenient("didClose")
            didSave = members.lenient("didSave")
            didFocus = members.lenient("didFocus")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("didOpen", didOpen)
            object.write("didChange", didChange)
            object.write("didClose", didClose)
            object.write("didSave", didSave)
            object.write("didFocus", didFocus)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `NesDocumentDidOpenCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesdocumentdidopencapabilities>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESDocumentDidOpenCapabilities: JSONRecord {
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

    /// `NesDocumentDidChangeCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesdocumentdidchangecapabilities>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESDocumentDidChangeCapabilities: JSONRecord {
        /// The member `syncKind`, which must be there.
        public var syncKind: TextDocumentSyncKind
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(syncKind: TextDocumentSyncKind, meta: JSONObject? = nil) {
            self.syncKind = syncKind
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            syncKind = try members.required("syncKind")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("syncKind", syncKind)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `NesDocumentDidCloseCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesdocumentdidclosecapabilities>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESDocumentDidCloseCapabilities: JSONRecord {
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

    /// `NesDocumentDidSaveCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesdocumentdidsavecapabilities>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESDocumentDidSaveCapabilities: JSONRecord {
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

    /// `NesDocumentDidFocusCapabilities` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesdocumentdidfocuscapabilities>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESDocumentDidFocusCapabilities: JSONRecord {
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

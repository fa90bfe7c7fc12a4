// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `NesTextEdit` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nestextedit>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESTextEdit: JSONRecord {
        /// The member `range`, which must be there.
        public var range: TextRange
        /// The member `newText`, which must be there.
        public var newText: String
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(range: TextRange, newText: String, meta: JSONObject? = nil) {
            self.range = range
            self.newText = newText
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            range = try members.required("range")
            newText = try members.required("newText")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("range", range)
            object.write("newText", newText)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `Range` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#range>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct TextRange: JSONRecord {
        /// The member `start`, which must be there.
        public var start: TextPosition
        /// The member `end`, which must be there.
        public var end: TextPosition
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(start: TextPosition, end: TextPosition, meta: JSONObject? = nil) {
            self.start = start
            self.end = end
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            start = try members.required("start")
            end = try members.required("end")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("start", start)
            object.write("end", end)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `Position` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#position>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct TextPosition: JSONRecord {
        /// The member `line`, which must be there.
        public var line: Int
        /// The member `character`, which must be there.
        public var character: Int
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(line: Int, character: Int, meta: JSONObject? = nil) {
            self.line = line
            self.character = character
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            line = try members.required("line", in: 0...4294967295)
            character = try members.required("character", in: 0...4294967295)
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("line", line)
            object.write("character", character)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `WorkspaceFolder` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#workspacefolder>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct WorkspaceFolder: JSONRecord {
        /// The member `uri`, which must be there.
        public var uri: String
        /// The member `name`, which must be there.
        public var name: String
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(uri: String, name: String, meta: JSONObject? = nil) {
            self.uri = uri
            self.name = name
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            uri = try members.required("uri")
            name = try members.required("name")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("uri", uri)
            object.write("name", name)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `TextDocumentContentChangeEvent` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#textdocumentcontentchangeevent>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct TextDocumentContentChangeEvent: JSONRecord {
        /// The member `text`, which must be there.
        public var text: String
        /// The member `range`; `nil` where it is absent or null.
        public var range: TextRange?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(text: String, range: TextRange? = nil, meta: JSONObject? = nil) {
            self.text = text
            self.range = range
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            text = try members.required("text")
            range = try members.optional("range")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("text", text)
            object.write("range", range)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `NesSuggestion` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nessuggestion>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public enum NESSuggestion: JSONRecord {
        /// `kind` is `edit`.
        case edit(NESEditSuggestion)
        /// `kind` is `jump`.
        case jump(NESJumpSuggestion)
        /// `kind` is `rename`.
        case rename(NESRenameSuggestion)
        /// `kind` is `searchAndReplace`.
        case searchAndReplace(NESSearchAndReplaceSuggestion)
        /// A variant that this version cannot read: its `kind`, and its other members.
        case unknown(String, JSONObject)

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            let tag: String = try members.required("kind")
            switch tag {
            case "edit": self = .edit(try NESEditSuggestion(reading: &members))
            case "jump": self = .jump(try NESJumpSuggestion(reading: &members))
            case "rename": self = .rename(try NESRenameSuggestion(reading: &members))
            case "searchAndReplace": self = .searchAndReplace(try NESSearchAndReplaceSuggestion(reading: &members))
            default: self = .unknown(tag, members.takeRest())
            }
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            switch self {
            case .edit(let value):
                object.write("kind", "edit")
                value.write(into: &object)
            case .jump(let value):
                object.write("kind", "jump")
                value.write(into: &object)
            case .rename(let value):
                object.write("kind", "rename")
                value.write(into: &object)
            case .searchAndReplace(let value):
                object.write("kind", "searchAndReplace")
                value.write(into: &object)
            case .unknown(let tag, let others):
                object.write("kind", tag)
                object.write(rest: others)
            }
        }
    }

    /// `NesEditSuggestion` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#neseditsuggestion>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESEditSuggestion: JSONRecord {
        /// The member `id`, which must be there.
        public var id: NESSuggestionID
        /// The member `uri`, which must be there.
        public var uri: String
        /// The member `edits`, which must be there.
        public var edits: [NESTextEdit]
        /// The member `cursorPosition`; `nil` where it is absent, null or not readable.
        public var cursorPosition: TextPosition?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            id: NESSuggestionID,
            uri: String,
            edits: [NESTextEdit],
            cursorPosition: TextPosition? = nil,
            meta: JSONObject? = nil
        ) {
            self.id = id
            self.uri = uri
            self.edits = edits
            self.cursorPosition = cursorPosition
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            id = try members.required("id")
            uri = try members.required("uri")
            edits = try members.required("edits")
            cursorPosition = members.lenient("cursorPosition")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("id", id)
            object.write("uri", uri)
            object.write("edits", edits)
            object.write("cursorPosition", cursorPosition)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `NesJumpSuggestion` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesjumpsuggestion>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESJumpSuggestion: JSONRecord {
        /// The member `id`, which must be there.
        public var id: NESSuggestionID
        /// The member `uri`, which must be there.
        public var uri: String
        /// The member `position`, which must be there.
        public var position: TextPosition
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(id: NESSuggestionID, uri: String, position: TextPosition, meta: JSONObject? = nil) {
            self.id = id
            self.uri = uri
            self.position = position
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            id = try members.required("id")
            uri = try members.required("uri")
            position = try members.required("position")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("id", id)
            object.write("uri", uri)
            object.write("position", position)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `NesRenameSuggestion` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nesrenamesuggestion>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESRenameSuggestion: JSONRecord {
        /// The member `id`, which must be there.
        public var id: NESSuggestionID
        /// The member `uri`, which must be there.
        public var uri: String
        /// The member `position`, which must be there.
        public var position: TextPosition
        /// The member `newName`, which must be there.
        public var newName: String
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(id: NESSuggestionID, uri: String, position: TextPosition, newName: String, meta: JSONObject? = nil)
        {
            self.id = id
            self.uri = uri
            self.position = position
            self.newName = newName
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            id = try members.required("id")
            uri = try members.required("uri")
            position = try members.required("position")
            newName = try members.required("newName")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("id", id)
            object.write("uri", uri)
            object.write("position", position)
            object.write("newName", newName)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `NesSearchAndReplaceSuggestion` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#nessearchandreplacesuggestion>
    ///
    /// - Important: Unstable: not part of the protocol yet; it may change or go with any version.
    public struct NESSearchAndReplaceSuggestion: JSONRecord {
        /// The member `id`, which must be there.
        public var id: NESSuggestionID
        /// The member `uri`, which must be there.
        public var uri: String
        /// The member `search`, which must be there.
        public var search: String
        /// The member `replace`, which must be there.
        public var replace: String
        /// The member `isRegex`; `nil` where it is absent or null.
        public var isRegex: Bool?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            id: NESSuggestionID,
            uri: String,
            search: String,
            replace: String,
            isRegex: Bool? = nil,
            meta: JSONObject? = nil
        ) {
            self.id = id
            self.uri = uri
            self.search = search
            self.replace = replace
            self.isRegex = isRegex
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            id = try members.required("id")
            uri = try members.required("uri")
            search = try members.required("search")
            replace = try members.required("replace")
            isRegex = try members.optional("isRegex")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("id", id)
            object.write("uri", uri)
            object.write("search", search)
            object.write("replace", replace)
            object.write("isRegex", isRegex)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

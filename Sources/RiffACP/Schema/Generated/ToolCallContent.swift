// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `ToolCallContent` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#toolcallcontent>
    public enum ToolCallContent: JSONRecord {
        /// `type` is `content`.
        case content(Content)
        /// `type` is `diff`.
        case diff(Diff)
        /// `type` is `terminal`.
        case terminal(Terminal)
        /// A variant that this version cannot read: its `type`, and its other members.
        case unknown(String, JSONObject)

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            let tag: String = try members.required("type")
            switch tag {
            case "content": self = .content(try Content(reading: &members))
            case "diff": self = .diff(try Diff(reading: &members))
            case "terminal": self = .terminal(try Terminal(reading: &members))
            default: self = .unknown(tag, members.takeRest())
            }
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            switch self {
            case .content(let value):
                object.write("type", "content")
                value.write(into: &object)
            case .diff(let value):
                object.write("type", "diff")
                value.write(into: &object)
            case .terminal(let value):
                object.write("type", "terminal")
                value.write(into: &object)
            case .unknown(let tag, let others):
                object.write("type", tag)
                object.write(rest: others)
            }
        }
    }

    /// `Content` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#content>
    public struct Content: JSONRecord {
        /// The member `content`, which must be there.
        public var content: ContentBlock
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(content: ContentBlock, meta: JSONObject? = nil) {
            self.content = content
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            content = try members.required("content")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("content", content)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `Diff` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#diff>
    public struct Diff: JSONRecord {
        /// The member `path`, which must be there.
        public var path: String
        /// The member `newText`, which must be there.
        public var newText: String
        /// The member `oldText`; `nil` where it is absent, null or not readable.
        public var oldText: String?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(path: String, newText: String, oldText: String? = nil, meta: JSONObject? = nil) {
            self.path = path
            self.newText = newText
            self.oldText = oldText
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            path = try members.required("path")
            newText = try members.required("newText")
            oldText = members.lenient("oldText")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("path", path)
            object.write("newText", newText)
            object.write("oldText", oldText)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `Terminal` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#terminal>
    public struct Terminal: JSONRecord {
        /// The member `terminalId`, which must be there.
        public var terminalID: TerminalID
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(terminalID: TerminalID, meta: JSONObject? = nil) {
            self.terminalID = terminalID
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            terminalID = try members.required("terminalId")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("terminalId", terminalID)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `ToolCallLocation` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#toolcalllocation>
    public struct ToolCallLocation: JSONRecord {
        /// The member `path`, which must be there.
        public var path: String
        /// The member `line`; `nil` where it is absent, null or not readable.
        public var line: Int?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(path: String, line: Int? = nil, meta: JSONObject? = nil) {
            self.path = path
            self.line = line
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            path = try members.required("path")
            line = members.lenient("line", in: 0...4294967295)
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("path", path)
            object.write("line", line)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

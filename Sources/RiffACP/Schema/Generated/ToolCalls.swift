// Riff
// SPDX-License-Identifier: Apache-2.0

// Written by scripts/generate-acp-types; change that, or the schema.

public import RiffCore

extension ACP {
    /// `ToolCallUpdate` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#toolcallupdate>
    public struct ToolCallUpdate: JSONRecord {
        /// The member `toolCallId`, which must be there.
        public var toolCallID: ToolCallID
        /// What becomes of `kind`.
        public var kind: Patch<ToolKind>
        /// What becomes of `status`.
        public var status: Patch<ToolCallStatus>
        /// What becomes of `title`.
        public var title: Patch<String>
        /// The member `name`; `nil` where it is absent, null or not readable. Unstable.
        public var name: String?
        /// What becomes of `content`.
        public var content: Patch<[ToolCallContent]>
        /// What becomes of `locations`.
        public var locations: Patch<[ToolCallLocation]>
        /// What becomes of `rawInput`.
        public var rawInput: Patch<JSONValue>
        /// What becomes of `rawOutput`.
        public var rawOutput: Patch<JSONValue>
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            toolCallID: ToolCallID,
            kind: Patch<ToolKind> = .keep,
            status: Patch<ToolCallStatus> = .keep,
            title: Patch<String> = .keep,
            name: String? = nil,
            content: Patch<[ToolCallContent]> = .keep,
            locations: Patch<[ToolCallLocation]> = .keep,
            rawInput: Patch<JSONValue> = .keep,
            rawOutput: Patch<JSONValue> = .keep,
            meta: JSONObject? = nil
        ) {
            self.toolCallID = toolCallID
            self.kind = kind
            self.status = status
            self.title = title
            self.name = name
            self.content = content
            self.locations = locations
            self.rawInput = rawInput
            self.rawOutput = rawOutput
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            toolCallID = try members.required("toolCallId")
            kind = members.patch("kind")
            status = members.patch("status")
            title = members.patch("title")
            name = members.lenient("name")
            content = members.patchList("content")
            locations = members.patchList("locations")
            rawInput = members.patch("rawInput")
            rawOutput = members.patch("rawOutput")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("toolCallId", toolCallID)
            object.write("kind", kind)
            object.write("status", status)
            object.write("title", title)
            object.write("name", name)
            object.write("content", content)
            object.write("locations", locations)
            object.write("rawInput", rawInput)
            object.write("rawOutput", rawOutput)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }

    /// `ToolCall` of the protocol's schema 1.21.0.
    ///
    /// <https://agentclientprotocol.com/protocol/schema#toolcall>
    public struct ToolCall: JSONRecord {
        /// The member `toolCallId`, which must be there.
        public var toolCallID: ToolCallID
        /// The member `title`, which must be there.
        public var title: String
        /// The member `name`; `nil` where it is absent, null or not readable. Unstable.
        public var name: String?
        /// The member `kind`; `nil` where it is absent, null or not readable.
        public var kind: ToolKind?
        /// The member `status`; `nil` where it is absent, null or not readable.
        public var status: ToolCallStatus?
        /// The member `content`; `[]` where a list is absent or not readable.
        public var content: [ToolCallContent]
        /// The member `locations`; `[]` where a list is absent or not readable.
        public var locations: [ToolCallLocation]
        /// The member `rawInput`; `nil` where it is absent, null or not readable.
        public var rawInput: JSONValue?
        /// The member `rawOutput`; `nil` where it is absent, null or not readable.
        public var rawOutput: JSONValue?
        /// The member `_meta`; `nil` where it is absent, null or not readable.
        public var meta: JSONObject?
        /// Members that no property holds; written back as they are.
        public var rest = JSONObject()

        /// A value of these members.
        public init(
            toolCallID: ToolCallID,
            title: String,
            name: String? = nil,
            kind: ToolKind? = nil,
            status: ToolCallStatus? = nil,
            content: [ToolCallContent] = [],
            locations: [ToolCallLocation] = [],
            rawInput: JSONValue? = nil,
            rawOutput: JSONValue? = nil,
            meta: JSONObject? = nil
        ) {
            self.toolCallID = toolCallID
            self.title = title
            self.name = name
            self.kind = kind
            self.status = status
            self.content = content
            self.locations = locations
            self.rawInput = rawInput
            self.rawOutput = rawOutput
            self.meta = meta
        }

        /// Reads the members.
        public init(reading members: inout JSONMembers) throws(CoreError) {
            toolCallID = try members.required("toolCallId")
            title = try members.required("title")
            name = members.lenient("name")
            kind = members.lenient("kind")
            status = members.lenient("status")
            content = members.lenientList("content", default: [])
            locations = members.lenientList("locations", default: [])
            rawInput = members.lenient("rawInput")
            rawOutput = members.lenient("rawOutput")
            meta = members.lenient("_meta")
            rest = members.takeRest()
        }

        /// Writes the members.
        public func write(into object: inout JSONObject) {
            object.write("toolCallId", toolCallID)
            object.write("title", title)
            object.write("name", name)
            object.write("kind", kind)
            object.write("status", status)
            object.write("content", content, default: [])
            object.write("locations", locations, default: [])
            object.write("rawInput", rawInput)
            object.write("rawOutput", rawOutput)
            object.write("_meta", meta)
            if !rest.isEmpty { object.write(rest: rest) }
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

extension ChatEntry {
    /// A tool that an agent used.
    public struct ToolCall: Sendable, Hashable, Identifiable {
        /// The agent's id of it; empty where it gives none.
        public let id: String
        /// The tool's name, or what the agent calls the call.
        public var name: String
        /// The kind of tool in the agent's words, such as `execute`.
        public var kind: String?
        /// The state of the call in the agent's words, such as `completed`.
        public var status: String?
        /// The arguments of the call.
        public var input: JSONValue?
        /// The result of the call.
        public var output: JSONValue?
        /// Further members under names of the caller's; kept as they are.
        public var extra: JSONObject

        /// A tool call.
        public init(
            id: String,
            name: String,
            kind: String? = nil,
            status: String? = nil,
            input: JSONValue? = nil,
            output: JSONValue? = nil,
            extra: JSONObject = [:]
        ) {
            (self.id, self.name, self.kind, self.status) = (id, name, kind, status)
            (self.input, self.output, self.extra) = (input, output, extra)
        }
    }

    /// Something that was sent with an entry: its name and where it is, never its bytes.
    public struct Attachment: Sendable, Hashable {
        /// The file's name, as people see it.
        public var name: String
        /// The media type, such as `image/png`.
        public var mediaType: String?
        /// The size in bytes.
        public var sizeBytes: Int64?
        /// The location: a path or a URL that means something to the caller.
        public var location: String?
        /// Further members under names of the caller's; kept as they are.
        public var extra: JSONObject

        /// Creates an attachment.
        public init(
            name: String,
            mediaType: String? = nil,
            sizeBytes: Int64? = nil,
            location: String? = nil,
            extra: JSONObject = [:]
        ) {
            (self.name, self.mediaType, self.sizeBytes) = (name, mediaType, sizeBytes)
            (self.location, self.extra) = (location, extra)
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A tool that an agent used in a message.
public struct TranscriptToolCall: Sendable, Hashable, Identifiable {
    /// The agent's id of it; empty where it gives none.
    public let id: String
    /// The tool's name, or what the agent calls the call.
    public var name: String
    /// What kind of tool it is, as the agent says, such as `execute`.
    public var kind: String?
    /// How far it is, as the agent says, such as `completed`.
    public var status: String?
    /// What the tool was given.
    public var input: JSONValue?
    /// What the tool returned.
    public var output: JSONValue?
    /// What else is known of it; kept as it is.
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

    /// The bytes of an input or an output that can be found; what is behind them is kept, and not searched.
    static let searchedBytes = 4096

    /// What can be found of it.
    var searchedText: String {
        [name, kind ?? "", Self.searched(input), Self.searched(output), Self.searched(extra["content"])]
            .filter { !$0.isEmpty }.joined(separator: "\n")
    }

    private static func searched(_ json: JSONValue?) -> String {
        guard let json else { return "" }
        return String(decoding: (json.text.map { Array($0.utf8) } ?? json.bytes()).prefix(searchedBytes), as: UTF8.self)
    }
}

/// Something that was sent with a message: its name and where it is, never its bytes.
public struct TranscriptAttachment: Sendable, Hashable {
    /// The file's name, as people see it.
    public var name: String
    /// What it is, as in `image/png`.
    public var mediaType: String?
    /// How large it is.
    public var sizeBytes: Int64?
    /// Where it is: a path or a URL that means something to the caller.
    public var location: String?
    /// What else is known of it; kept as it is.
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

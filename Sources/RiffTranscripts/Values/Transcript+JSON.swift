// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

// The lines of an export: an object a line, `"type"` says what it is. Members that are not known stay in `extra`.

extension TranscriptSession {
    static let lineType: JSONValue = "session"
    private static let members: Set<String> = [
        "type", "version", "id", "source", "title", "model", "directory", "createdAt", "updatedAt", "isArchived",
        "extra",
    ]

    var line: JSONValue {
        var object: JSONObject = [
            "type": Self.lineType, "version": 1, "id": .string(id), "source": .string(source.rawValue),
        ]
        object["title"] = title.map { .string($0) }
        object["model"] = model.map { .string($0) }
        object["directory"] = directory.map { .string($0) }
        object["createdAt"] = createdAt.map { .number($0) }
        object["updatedAt"] = updatedAt.map { .number($0) }
        if isArchived { object["isArchived"] = true }
        if !extra.isEmpty { object["extra"] = .object(extra) }
        return .object(object)
    }

    init?(line: JSONValue) {
        guard line["type"] == Self.lineType, let id = line["id"]?.text, TranscriptName.isValid(id) else { return nil }
        self.init(
            id: id,
            source: ChatSource(rawValue: line["source"]?.text ?? ChatSource.other.rawValue),
            title: line["title"]?.text,
            model: line["model"]?.text,
            directory: line["directory"]?.text,
            createdAt: line["createdAt"]?.double,
            updatedAt: line["updatedAt"]?.double,
            isArchived: line["isArchived"]?.bool ?? false,
            extra: line.rest(besides: Self.members)
        )
    }
}

extension ChatEntry {
    static let lineType: JSONValue = "message"
    private static let members: Set<String> = [
        "type", "session", "id", "role", "text", "time", "model", "toolCalls", "attachments", "state", "extra",
    ]

    func line(of session: String) -> JSONValue {
        var object: JSONObject = [
            "type": Self.lineType, "session": .string(session), "id": .string(id), "role": .string(role.rawValue),
            "text": .string(text),
        ]
        object["time"] = time.map { .number($0) }
        object["model"] = model.map { .string($0) }
        if !toolCalls.isEmpty { object["toolCalls"] = .array(toolCalls.map(\.json)) }
        if !attachments.isEmpty { object["attachments"] = .array(attachments.map(\.json)) }
        object["state"] = state.json
        if !extra.isEmpty { object["extra"] = .object(extra) }
        return .object(object)
    }

    init?(line: JSONValue) {
        guard line["type"] == Self.lineType, let id = line["id"]?.text, TranscriptName.isValid(id),
            let role = line["role"]?.text, let text = line["text"]?.text
        else { return nil }
        self.init(
            id: id,
            role: Role(rawValue: role),
            text: text,
            time: line["time"]?.double,
            model: line["model"]?.text,
            toolCalls: line["toolCalls"]?.array?.map(ChatEntry.ToolCall.init(json:)) ?? [],
            attachments: line["attachments"]?.array?.map(ChatEntry.Attachment.init(json:)) ?? [],
            state: State(json: line["state"]) ?? .whole,
            extra: line.rest(besides: Self.members)
        )
    }
}

extension ChatEntry.ToolCall {
    private static let members: Set<String> = ["id", "name", "kind", "status", "input", "output", "extra"]

    var json: JSONValue {
        var object: JSONObject = ["id": .string(id), "name": .string(name)]
        object["kind"] = kind.map { .string($0) }
        object["status"] = status.map { .string($0) }
        object["input"] = input
        object["output"] = output
        if !extra.isEmpty { object["extra"] = .object(extra) }
        return .object(object)
    }

    init(json: JSONValue) {
        self.init(
            id: json["id"]?.text ?? "",
            name: json["name"]?.text ?? json.text ?? "",
            kind: json["kind"]?.text,
            status: json["status"]?.text,
            input: json["input"],
            output: json["output"],
            extra: json.rest(besides: Self.members)
        )
    }
}

extension ChatEntry.Attachment {
    private static let members: Set<String> = ["name", "mediaType", "sizeBytes", "location", "extra"]

    var json: JSONValue {
        var object: JSONObject = ["name": .string(name)]
        object["mediaType"] = mediaType.map { .string($0) }
        object["sizeBytes"] = sizeBytes.map { .integer($0) }
        object["location"] = location.map { .string($0) }
        if !extra.isEmpty { object["extra"] = .object(extra) }
        return .object(object)
    }

    init(json: JSONValue) {
        self.init(
            name: json["name"]?.text ?? json.text ?? "",
            mediaType: json["mediaType"]?.text,
            sizeBytes: json["sizeBytes"]?.integer,
            location: json["location"]?.text,
            extra: json.rest(besides: Self.members)
        )
    }
}

/// The names of sessions and messages.
enum TranscriptName {
    static func isValid(_ name: String) -> Bool { (1...512).contains(name.utf8.count) }
}

extension JSONValue {
    /// The members that are not among those, and those of its `extra`.
    func rest(besides known: Set<String>) -> JSONObject {
        var rest = self["extra"]?.object ?? [:]
        let known = Set(known.map(ByteName.init))
        rest.add(new: (object ?? [:]).lazy.filter { !known.contains(ByteName($0.key)) })
        return rest
    }
}

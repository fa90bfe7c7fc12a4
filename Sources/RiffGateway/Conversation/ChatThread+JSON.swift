// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension ChatThread {
    /// The conversation to be kept: `{"entries": [{"id", "role", "text", "state", "reason"?, "refusal"?, "calls"?}],
    /// "next"}`. An answer that grows is kept as one that was cut off: who reads this later does not get the rest of
    /// it.
    public var json: JSONValue {
        ["entries": .array(entries.map(\.json)), "next": .integer(Int64(nextID))]
    }

    /// Reads what was kept; `nil` where it is none of these.
    public init?(json: JSONValue) {
        guard let list = json["entries"]?.array, let next = json["next"]?.number else { return nil }
        for item in list {
            // The numbers rise, and so name one entry each.
            guard let entry = Entry(json: item), entry.id >= nextID else { return nil }
            add(entry)
        }
        guard next >= nextID else { return nil }
        nextID = next
    }
}

extension ChatThread.Entry {
    fileprivate var json: JSONValue {
        var object: JSONObject = [
            "id": .integer(Int64(id)), "role": .string(role.rawValue), "text": .string(text),
        ]
        switch state {
        case .whole: object["state"] = "whole"
        case .growing, .cut: object["state"] = "cut"
        case .failed(let reason):
            object["state"] = "failed"
            object["reason"] = .string(reason)
        }
        if !refusal.isEmpty { object["refusal"] = .string(refusal) }
        if !toolCalls.isEmpty { object["calls"] = .array(toolCalls.map(\.kept)) }
        return .object(object)
    }

    fileprivate init?(json: JSONValue) {
        guard let id = json["id"]?.number, let role = json["role"]?.text, let text = json["text"]?.text else {
            return nil
        }
        let state: State
        switch json["state"]?.text {
        case "whole": state = .whole
        case "cut": state = .cut
        case "failed": state = .failed(reason: json["reason"]?.text ?? "")
        default: return nil
        }
        self.init(id: id, role: ChatMessage.Role(rawValue: role), text: text, state: state)
        refusal = json["refusal"]?.text ?? ""
        toolCalls = json["calls"]?.array?.map(ChatToolCall.init(kept:)) ?? []
    }
}

extension ChatToolCall {
    fileprivate var kept: JSONValue {
        [
            "id": .string(id), "name": .string(name), "arguments": .string(arguments),
            "isComplete": .bool(isComplete),
        ]
    }

    fileprivate init(kept json: JSONValue) {
        self.init(
            id: json["id"]?.text ?? "",
            name: json["name"]?.text ?? "",
            arguments: json["arguments"]?.text ?? "",
            isComplete: json["isComplete"]?.bool ?? false
        )
    }
}

extension JSONValue {
    /// The number of an entry, of which there is always a next one.
    fileprivate var number: Int? { integer.flatMap { (0..<Int64(Int32.max)).contains($0) ? Int($0) : nil } }
}

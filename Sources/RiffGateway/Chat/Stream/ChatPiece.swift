// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The addition to an answer: a `delta`, or a whole `message`.
struct ChatPiece {
    /// Which text of an answer something belongs to.
    enum Kind {
        case content, refusal
        /// The model's thoughts: gateways send the same in up to three members, of which the first one counts.
        case reasoningContent, reasoning, reasoningDetail

        var isReasoning: Bool { self != .content && self != .refusal }
    }

    /// The additions to the texts, in order. None of them is empty.
    private(set) var texts: [(kind: Kind, text: JSONText)] = []
    private(set) var toolCalls: [ChatToolCallPiece] = []

    /// Reads an object; nothing is added by any other value.
    init(_ cursor: inout JSONCursor) throws(CoreError) {
        guard cursor.kind() == .object else { return }
        try cursor.members { (name, cursor) throws(CoreError) in try take(name, &cursor) }
        keepOneReasoning()
    }

    private mutating func take(_ name: JSONName, _ cursor: inout JSONCursor) throws(CoreError) {
        switch name {
        case "content": try takeContent(&cursor)
        case "refusal": try take(.refusal, &cursor)
        case "reasoning_content": try take(.reasoningContent, &cursor)
        case "reasoning": try take(.reasoning, &cursor)
        case "reasoning_details":
            try cursor.elements { (cursor) throws(CoreError) in
                try cursor.members { (name, cursor) throws(CoreError) in
                    if name == "text" { try take(.reasoningDetail, &cursor) }
                }
            }
        case "tool_calls":
            try cursor.elements { (cursor) throws(CoreError) in
                if cursor.kind() == .object { toolCalls.append(try ChatToolCallPiece(&cursor)) }
            }
        case "function_call":
            if cursor.kind() == .object { toolCalls.append(try ChatToolCallPiece(function: &cursor)) }
        default: break
        }
    }

    private mutating func take(_ kind: Kind, _ cursor: inout JSONCursor) throws(CoreError) {
        if let text = try cursor.text(), !text.isEmpty { texts.append((kind, text)) }
    }

    /// A text, or a list of parts.
    private mutating func takeContent(_ cursor: inout JSONCursor) throws(CoreError) {
        guard cursor.kind() == .array else { return try take(.content, &cursor) }
        try cursor.elements { (cursor) throws(CoreError) in
            guard cursor.kind() == .object else { return try take(.content, &cursor) }
            let place = texts.count
            var kind: Kind? = .content
            try cursor.members { (name, cursor) throws(CoreError) in
                switch name {
                case "type":
                    let type = try cursor.text()?.text
                    kind = type == "refusal" ? .refusal : type == "text" || type == "output_text" ? .content : nil
                case "text": try take(.content, &cursor)
                case "refusal": try take(.refusal, &cursor)
                default: break
                }
            }
            // The type may stand behind what it is the type of.
            // Only these are looked at: a message of a million parts is no reason to copy all of them for each.
            let isWanted = texts[place...].allSatisfy { $0.kind == kind }
            if !isWanted { texts.replaceSubrange(place..., with: texts[place...].filter { $0.kind == kind }) }
        }
    }

    private mutating func keepOneReasoning() {
        guard texts.count > 1 else { return }
        let kinds: [Kind] = [.reasoningContent, .reasoning, .reasoningDetail]
        let kept = kinds.first { kind in texts.contains { $0.kind == kind } }
        texts.removeAll { $0.kind.isReasoning && $0.kind != kept }
    }
}

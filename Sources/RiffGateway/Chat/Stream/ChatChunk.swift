// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// One object of a chat stream, or a whole reply, as far as it matters here.
///
/// Only what is wanted is read: of the 250 bytes that a token costs on the wire, most are the same each time. Members
/// of a kind that is not expected count as absent, since gateways differ in all of them.
struct ChatChunk {
    var id: String?
    var model: String?
    var choices: [ChatChoicePiece] = []
    /// Whether it is a part of a reply at all; what is none (`{"type": "ping"}`) means nothing.
    var isReply = false
    var usage: ChatReply.Usage?
    /// The error in the chunk.
    var problem: GatewayProblem?
    /// Whether a member is there that errors have: worth a second look.
    var mayBeError = false

    /// Reads an object.
    ///
    /// - Parameters:
    ///   - text: The object.
    ///   - named: Whether the reply's name and model are known already, and need not be read.
    /// - Throws: `CoreError` with `invalidJSON`, or with `unexpectedJSON` where it is no object.
    init(parsing text: String, named: Bool) throws(CoreError) {
        try JSONCursor.read(text) { (cursor) throws(CoreError) in
            guard cursor.kind() == .object else {
                throw CoreError(.unexpectedJSON, "an object is expected, something else was found")
            }
            try cursor.members { (name, cursor) throws(CoreError) in
                switch name {
                case "id": if !named { id = try cursor.text()?.repaired }
                case "model": if !named { model = try cursor.text()?.repaired }
                default: try take(name, &cursor)
                }
            }
        }
    }

    private mutating func take(_ name: JSONName, _ cursor: inout JSONCursor) throws(CoreError) {
        switch name {
        case "choices":
            isReply = cursor.kind() == .array
            choices = []
            try cursor.elements { (cursor) throws(CoreError) in
                if cursor.kind() == .object { choices.append(try ChatChoicePiece(&cursor, place: choices.count)) }
            }
        case "usage":
            if let object = try cursor.value().object { usage = ChatReply.Usage(json: object) }
        case "error": problem = GatewayProblem(member: try cursor.value())
        case "detail": mayBeError = true
        case "type", "object":
            if try cursor.isText("error") { mayBeError = true }
        default: break
        }
    }
}

/// The part of a chunk that belongs to one choice.
struct ChatChoicePiece {
    var index: Int
    var piece: ChatPiece?
    /// Whether the piece is all of the answer, as in replies that are not streamed.
    var isMessage = false
    var finishReason: ChatReply.FinishReason?

    /// Reads a choice; without a number of its own it has its place in the list.
    init(_ cursor: inout JSONCursor, place: Int) throws(CoreError) {
        index = place
        try cursor.members { (name, cursor) throws(CoreError) in
            switch name {
            case "index": index = try cursor.value().integer.flatMap { Int(exactly: $0) } ?? place
            case "delta":
                piece = try ChatPiece(&cursor)
                isMessage = false
            case "message":
                guard piece == nil else { return }
                piece = try ChatPiece(&cursor)
                isMessage = true
            case "finish_reason":
                if let reason = try cursor.text()?.repaired, !reason.isEmpty {
                    finishReason = ChatReply.FinishReason(rawValue: reason)
                }
            default: break
            }
        }
    }
}

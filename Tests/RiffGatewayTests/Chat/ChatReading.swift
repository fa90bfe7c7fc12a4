// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffGateway
import RiffTransport
import TestSupport
import Testing

/// What a reader makes of a body.
struct ChatReading {
    var outcome: ChatOutcome
    var deltas: [ChatDelta] = []

    var reply: ChatReply { outcome.reply }
    var choice: ChatReply.Choice { outcome.reply.first }
    var error: GatewayError? { outcome.error }
    var kind: String {
        switch outcome {
        case .complete: "complete"
        case .truncated: "truncated"
        case .failed: "failed"
        }
    }

    static let lost = TransportError(.connectionLost, "Reset.")

    static func head(_ status: Int = 200, _ type: String? = "text/event-stream") -> HTTPResponse {
        var head = HTTPResponse(status: .init(code: status))
        head.headerFields[.contentType] = type
        return head
    }

    /// Reads a body in pieces.
    static func read(
        _ chunks: [[UInt8]],
        _ head: HTTPResponse = head(),
        isReset: Bool = false,
        limits: ChatReplyReader.Limits = .init()
    ) -> ChatReading {
        var reader = ChatReplyReader(head, limits: limits)
        var deltas: [ChatDelta] = []
        for chunk in chunks { reader.feed(chunk, into: &deltas) }
        let outcome = reader.end(isReset ? lost : nil, into: &deltas)
        return ChatReading(outcome: outcome, deltas: deltas)
    }

    /// Reads a body, and checks that it means the same however it arrives, and that the pieces make the whole.
    static func read(_ body: String, _ head: HTTPResponse = head(), isReset: Bool = false) -> ChatReading {
        let bytes = Array(body.utf8)
        let whole = read([bytes], head, isReset: isReset)
        for chunks in Chunking.all(bytes, splits: 200, random: 10) {
            let other = read(chunks, head, isReset: isReset)
            #expect(other.kind == whole.kind)
            #expect(other.reply == whole.reply)
            #expect(other.error?.description == whole.error?.description)
            #expect(other.error?.payload == whole.error?.payload)
            #expect(other.deltas == whole.deltas)
        }
        whole.expectDeltasMakeTheReply()
        return whole
    }

    /// Reads a stream of these payloads, one event each.
    static func stream(_ payloads: String..., isReset: Bool = false) -> ChatReading {
        read(payloads.map { "data: \($0)\n\n" }.joined(), isReset: isReset)
    }

    /// Reads chunks with these deltas for choice 0.
    static func deltas(_ deltas: String..., finish: String? = "stop") -> ChatReading {
        let chunks = deltas.map { "data: {\"choices\":[{\"index\":0,\"delta\":\($0),\"finish_reason\":null}]}\n\n" }
        let end = finish.map { "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"\($0)\"}]}\n\n" }
        return read(chunks.joined() + (end.map { $0 + "data: [DONE]\n\n" } ?? ""))
    }

    /// All that was added to the texts, in order, is the texts.
    func expectDeltasMakeTheReply() {
        var choices: [Int: ChatReply.Choice] = [:]
        var usage: ChatReply.Usage?
        for delta in deltas {
            switch delta {
            case .content(let text, let index): choices[index, default: .init(index: index)].content += text
            case .reasoning(let text, let index): choices[index, default: .init(index: index)].reasoning += text
            case .refusal(let text, let index): choices[index, default: .init(index: index)].refusal += text
            case .finish(let reason, let index): choices[index, default: .init(index: index)].finishReason = reason
            case .usage(let count): usage = count
            case .toolCall(let piece, let index):
                var calls = choices[index, default: .init(index: index)].toolCalls
                if piece.place == calls.count { calls.append(ChatToolCall(id: "", name: "", arguments: "")) }
                calls[piece.place].id = piece.id ?? calls[piece.place].id
                calls[piece.place].name += piece.name
                calls[piece.place].arguments += piece.arguments
                choices[index, default: .init(index: index)].toolCalls = calls
            }
        }
        #expect(usage == reply.usage)
        for var choice in reply.choices {
            for place in choice.toolCalls.indices { choice.toolCalls[place].isComplete = true }
            #expect(choices[choice.index, default: .init(index: choice.index)] == choice)
        }
    }
}

extension ChatToolCall {
    /// The call in one line.
    var words: String { "\(id) \(name) \(arguments)\(isComplete ? "" : " ...")" }
}

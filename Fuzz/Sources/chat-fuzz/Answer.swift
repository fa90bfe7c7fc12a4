// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffGateway

/// What a reader makes of an answer.
struct Answer: Equatable {
    var reply: ChatReply
    var kind: Int
    var error: String
    var payload: String?
    var deltas: [ChatDelta] = []

    init(_ body: [UInt8], _ chunk: Int, _ head: HTTPResponse, _ cause: (any Error)?, _ limits: ChatReplyReader.Limits) {
        var reader = ChatReplyReader(head, limits: limits)
        var deltas: [ChatDelta] = []
        for start in stride(from: 0, to: body.count, by: max(1, chunk)) {
            reader.feed(Array(body[start..<min(start + chunk, body.count)]), into: &deltas)
        }
        let outcome = reader.end(cause, into: &deltas)
        self.deltas = deltas
        reply = outcome.reply
        error = outcome.error.map { "\($0.code.rawValue) \($0.message)" } ?? ""
        payload = outcome.error?.payload
        switch outcome {
        case .complete: kind = 0
        case .truncated: kind = 1
        case .failed: kind = 2
        }
    }

    /// What holds of every answer.
    func check() {
        precondition(kind != 0 || reply.lastEvent != nil, "An empty success.")
        var contents: [Int: [Unicode.Scalar]] = [:]
        var thoughts: [Int: [Unicode.Scalar]] = [:]
        for delta in deltas {
            if case .content(let text, let choice) = delta { contents[choice, default: []] += text.unicodeScalars }
            if case .reasoning(let text, let choice) = delta { thoughts[choice, default: []] += text.unicodeScalars }
        }
        for choice in reply.choices {
            precondition(contents[choice.index, default: []] == Array(choice.content.unicodeScalars), "Text is lost.")
            precondition(thoughts[choice.index, default: []] == Array(choice.reasoning.unicodeScalars), "Text is lost.")
            precondition(kind == 0 || choice.toolCalls.allSatisfy { !$0.isComplete }, "A cut call may be run.")
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import HTTPTypes
import RiffCore
import RiffGateway
import RiffTransport

extension Conformance {
    /// What an event stream says, and what becomes of a chat reply over one.
    struct ServerSentEvents: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sse",
            abstract: "Reads cases, one JSON object a line ({id, layer: sse or chat, chunks in Base64}).",
            discussion: """
                Writes {id, events, last_id, retry, comments} for the layer sse, and {id, outcome, content, reasoning, \
                refusal, tool_calls, finish, usage, error} for the layer chat, where a case also has end: eof or reset.
                """
        )

        @Option(help: "How the bytes arrive: asis, 1 (one by one), whole, or random:SEED.")
        var rechunk = Rechunking.asIs

        func run() throws {
            while let line = readLine() {
                guard !line.isEmpty else { continue }
                let test = try JSONValue(parsing: line)
                var answer: JSONObject = ["id": test["id"] ?? .null]
                let chunks = (test["chunks"]?.array ?? []).map { Array(Data(base64Encoded: $0.text ?? "") ?? Data()) }
                switch test["layer"] {
                case "sse": answer.write(rest: try Self.stream(rechunk.cut(chunks)))
                case "chat": answer.write(rest: Self.reply(rechunk.cut(chunks), isReset: test["end"] == "reset"))
                default: answer["error"] = "a layer that is not answered here"
                }
                // Written at once, not buffered: who asks may wait for each answer.
                try FileHandle.standardOutput.write(contentsOf: Data(JSONValue.object(answer).bytes() + [0x0A]))
            }
        }

        private static func stream(_ chunks: [[UInt8]]) throws -> JSONObject {
            var parser = ServerSentEventParser()
            var outputs: [ServerSentEventParser.Output] = []
            for chunk in chunks { try parser.feed(chunk, into: &outputs) }
            var events: [JSONValue] = []
            var comments: [JSONValue] = []
            var retry = JSONValue.null
            for output in outputs {
                switch output {
                case .event(let event):
                    events.append([
                        "type": .string(event.type), "data": .string(event.data), "id": .string(event.lastEventID),
                    ])
                case .comment(let text): comments.append(.string(text))
                case .retry(let wait):
                    let (seconds, attoseconds) = wait.components
                    retry = .integer(seconds * 1000 + attoseconds / 1_000_000_000_000_000)
                }
            }
            return [
                "events": .array(events), "last_id": .string(parser.lastEventID), "retry": retry,
                "comments": .array(comments),
            ]
        }

        private static func reply(_ chunks: [[UInt8]], isReset: Bool) -> JSONObject {
            let head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"])
            var reader = ChatReplyReader(head)
            var deltas: [ChatDelta] = []
            for chunk in chunks { reader.feed(chunk, into: &deltas) }
            let outcome = reader.end(isReset ? TransportError(.connectionLost, "Reset.") : nil, into: &deltas)
            let (name, error): (JSONValue, JSONValue) =
                switch outcome {
                case .complete: ("complete", .null)
                case .truncated: ("truncated", .null)
                case .failed(_, let error): ("failed", .string(error.answer?.message ?? error.message))
                }
            let choice = outcome.reply.choices.first { $0.index == 0 } ?? ChatReply.Choice()
            let calls = choice.toolCalls.map { call -> JSONValue in
                ["id": .string(call.id), "name": .string(call.name), "arguments": .string(call.arguments)]
            }
            return [
                "outcome": name, "content": .string(choice.content), "reasoning": .string(choice.reasoning),
                "refusal": .string(choice.refusal), "tool_calls": .array(calls),
                "finish": choice.finishReason.map { .string($0.rawValue) } ?? .null,
                "usage": outcome.reply.usage.map { .object($0.json) } ?? .null, "error": error,
            ]
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffGateway
import RiffTransport
import TestSupport
import Testing

/// Rules 1, 2 and 4 to 6 of design/streaming.md, section 1.3: what a stream says, and how it ends.
@Suite struct ChatReplyReaderTests {
    private static let role =
        #"{"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}"#
    private static let hello = #"{"choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}"#
    private static let stop = #"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#

    // MARK: Cases

    @Test(arguments: try Fixture.cases("sse/chat.jsonl"))
    func `a case comes out as it is written`(test: JSONValue) throws {
        let chunks = test["chunks"]?.chunks ?? []
        let isReset = test["end"] == "reset"
        for way in [chunks] + Chunking.all(chunks.flatMap(\.self)) {
            let reading = ChatReading.read(way, isReset: isReset)
            let choice = reading.choice
            let calls: [JSONValue] = choice.toolCalls.map {
                ["id": .string($0.id), "name": .string($0.name), "arguments": .string($0.arguments)]
            }
            let found: JSONValue = [
                "outcome": .string(reading.kind), "content": .string(choice.content),
                "reasoning": .string(choice.reasoning), "refusal": .string(choice.refusal), "tool_calls": .array(calls),
                "finish": choice.finishReason.map { .string($0.rawValue) } ?? .null,
                "usage": reading.reply.usage.map { .object($0.json) } ?? .null,
                "error": reading.error?.answer.map { .string($0.message) } ?? .null,
            ]
            #expect(found == test["expect"])
            reading.expectDeltasMakeTheReply()
        }
    }

    @Test(arguments: try Fixture.cases("gateway/streams.jsonl"))
    func `a recorded stream is complete, or cut where it was cut`(test: JSONValue) throws {
        let type = try #require(test["content_type"]?.text)
        let reading = ChatReading.read(try #require(test["body"]?.text), ChatReading.head(200, type))
        #expect(reading.kind == (test["cut"] == true ? "truncated" : "complete"))
        #expect(!reading.reply.content.isEmpty)
    }

    // MARK: 1 and 2: ends

    @Test(arguments: [
        ([role, hello, stop, "[DONE]"], "complete"), ([role, hello, stop], "complete"),
        ([role, hello, "[DONE]"], "complete"), ([hello, " \t[DONE] "], "complete"), ([stop], "complete"),
        ([role, hello], "truncated"), ([role], "truncated"), (["[DONE]"], "truncated"), ([], "truncated"),
        (["{\"type\":\"ping\"}", "[DONE]"], "truncated"),
    ])
    func `a reply is complete where something came, and an end`(payloads: [String], expected: String) {
        for isReset in [false, true] {
            let body = payloads.map { "data: \($0)\n\n" }.joined()
            let reading = ChatReading.read(body, isReset: isReset)
            #expect(reading.kind == expected)
            #expect(reading.reply.content == (payloads.contains(Self.hello) ? "Hello" : ""))
            #expect(reading.error?.code == (expected == "complete" ? nil : .chatTruncated))
            // Why it was cut off is there.
            let cause = reading.error?.cause as? TransportError
            #expect(cause?.code == (isReset && expected != "complete" ? .connectionLost : nil))
        }
    }

    @Test func `what follows the end is ignored`() {
        let reading = ChatReading.stream(Self.hello, "[DONE]", Self.hello, "no JSON", #"{"error":"x"}"#, isReset: true)
        #expect(reading.kind == "complete")
        #expect(reading.reply.content == "Hello")
        var reader = ChatReplyReader(ChatReading.head())
        var deltas: [ChatDelta] = []
        reader.feed(Array("data: [DONE]\n".utf8), into: &deltas)
        #expect(!reader.isOver)
        reader.feed(Array("\n".utf8), into: &deltas)
        #expect(reader.isOver)
    }

    @Test func `a block without an empty line behind it is not read`() {
        #expect(ChatReading.read("data: \(Self.hello)\n\ndata: \(Self.stop)\n").kind == "truncated")
    }

    @Test func `what came is there at any time`() {
        var reader = ChatReplyReader(ChatReading.head())
        var deltas: [ChatDelta] = []
        #expect(reader.partial == ChatReply())
        reader.feed(Array(": waiting\n\n".utf8), into: &deltas)
        #expect(reader.isAlive && !reader.hasBegun)
        reader.feed(Array("data: \(Self.hello)\n\ndata: \(Self.hello)".utf8), into: &deltas)
        #expect(reader.hasBegun)
        #expect(reader.partial.content == "Hello")
        #expect(reader.partial.lastEvent == Self.hello)
        #expect(deltas == [.content("Hello", choice: 0)])
        reader.feed(Array("\n\n".utf8), into: &deltas)
        #expect(reader.partial.content == "HelloHello")
    }

    // MARK: 4: finish reasons

    @Test(arguments: ["stop", "length", "tool_calls", "content_filter", "function_call", "eos", "STOP", "x y"])
    func `any finish reason is an end`(reason: String) {
        let reading = ChatReading.stream(Self.hello, #"{"choices":[{"delta":{},"finish_reason":"\#(reason)"}]}"#)
        #expect(reading.kind == "complete")
        #expect(reading.choice.finishReason?.rawValue == reason)
    }

    @Test(arguments: ["null", "\"\"", "0", "false", "{}"])
    func `no finish reason is no end`(reason: String) {
        let reading = ChatReading.stream(#"{"choices":[{"delta":{"content":"a"},"finish_reason":\#(reason)}]}"#)
        #expect(reading.kind == "truncated")
        #expect(reading.choice.finishReason == nil)
        #expect(reading.reply.content == "a")
    }

    @Test(arguments: [
        #"{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}"#,
        #"{"choices":[{"finish_reason":"stop","delta":{"content":"a"},"index":0}]}"#,
        #"{"choices":[{"index":null,"delta":{"content":"a"},"finish_reason":"stop"}]}"#,
        #"{"choices":[{"index":0.0,"delta":{"content":"a","role":7},"finish_reason":"stop","logprobs":{"content":[]}}]}"#,
        #"{"choices":[null,{"index":0,"delta":{"content":"a"},"finish_reason":"stop"}]}"#,
    ])
    func `content beside the finish reason counts, and what is missing is forgiven`(chunk: String) {
        let reading = ChatReading.stream(chunk)
        #expect(reading.kind == "complete")
        #expect(reading.reply.content == "a")
    }

    @Test func `a choice without a delta adds nothing`() {
        let reading = ChatReading.stream(
            #"{"choices":[{"index":0}]}"#,
            #"{"choices":[{"index":0,"delta":null}]}"#,
            Self.hello,
            Self.stop
        )
        #expect(reading.kind == "complete")
        #expect(reading.reply.content == "Hello")
    }

    // MARK: 5 and 6: usage and service members

    @Test func `the last usage counts, and is never added up`() {
        let reading = ChatReading.stream(
            #"{"choices":[{"delta":{"content":"a"}}],"usage":null}"#,
            #"{"choices":[{"delta":{}}],"usage":{"prompt_tokens":9,"completion_tokens":1,"total_tokens":10}}"#,
            Self.stop,
            #"{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":3,"total_tokens":12,"cost":0.5}}"#,
            #"{"choices":[],"usage":null}"#
        )
        #expect(reading.kind == "complete")
        #expect(reading.reply.usage?.promptTokens == 9)
        #expect(reading.reply.usage?.completionTokens == 3)
        #expect(reading.reply.usage?.totalTokens == 12)
        #expect(reading.reply.usage?.json["cost"] == .number(0.5))
    }

    @Test func `a usage that was cut off is none, and the reply complete`() {
        let reading = ChatReading.read(
            "data: \(Self.hello)\n\ndata: \(Self.stop)\n\ndata: {\"choices\":[],\"usage\":{\"prompt",
            isReset: true
        )
        #expect(reading.kind == "complete")
        #expect(reading.reply.usage == nil)
    }

    @Test(arguments: [
        #"{"id":"","object":"","created":0,"model":"","choices":[],"prompt_filter_results":[{"prompt_index":0}]}"#,
        #"{"type":"ping"}"#, "{}", #"{"id":7,"object":null,"created":1.5,"model":[],"choices":null}"#,
        #"{"choices":[],"obfuscation":"xxxx","service_tier":"default","x":{"y":[1,{"z":null}]}}"#,
        #"{"choices":{}}"#, #"{"choices":[],"error":null}"#, #"{"usage":[1]}"#, "", " ",
    ])
    func `what says nothing of the reply is ignored`(payload: String) {
        let reading = ChatReading.stream(payload, Self.hello, payload, Self.stop, payload)
        #expect(reading.kind == "complete")
        #expect(reading.reply.content == "Hello")
    }

    @Test func `the reply's name and the model that answers are kept`() {
        let reading = ChatReading.stream(
            #"{"id":"c1","created":1.5,"model":"real-model","choices":[{"delta":{"content":"a"}}]}"#,
            #"{"id":"c2","model":"other","choices":[{"delta":{},"finish_reason":"stop"}]}"#
        )
        #expect(reading.reply.id == "c1")
        #expect(reading.reply.model == "real-model")
    }
}

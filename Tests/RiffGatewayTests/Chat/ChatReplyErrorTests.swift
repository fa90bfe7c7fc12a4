// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import RiffCore
import RiffGateway
import Testing

/// Rules 3 and 10 of design/streaming.md, section 1.3: no error passes for a success, and what came before it is kept.
@Suite struct ChatReplyErrorTests {
    private static let hello = #"{"choices":[{"index":0,"delta":{"content":"Hello"},"finish_reason":null}]}"#

    @Test(
        arguments: [
            (#"data: {"error":{"message":"m","type":"server_error","code":null}}"#, "m", "server_error", nil),
            (#"data: {"error":{"message":"m","code":502}}"#, "m", nil, "502"),
            (#"data: {"error":"m"}"#, "m", nil, nil),
            (#"data: {"error":{"type":"overloaded_error"}}"#, "overloaded_error", "overloaded_error", nil),
            (#"data: {"error":{"code":"c"}}"#, "c", nil, "c"), (#"data: {"error":{"x":1}}"#, #"{"x":1}"#, nil, nil),
            (#"data: {"error":{}}"#, "{}", nil, nil), (#"data: {"error":true}"#, "true", nil, nil),
            (#"data: {"type":"error","error":{"type":"t","message":"m"}}"#, "m", "t", nil),
            (#"data: {"detail":"m"}"#, "m", nil, nil),
            (#"data: {"detail":[{"loc":["body"],"msg":"m"}]}"#, "m", nil, nil),
            (
                #"data: {"object":"error","message":"m","type":"BadRequestError","code":400}"#, "m", "BadRequestError",
                "400"
            ),
            (#"data: [{"error":{"message":"m","code":429}}]"#, "m", nil, "429"),
            ("event: error\ndata: {\"message\":\"m\",\"type\":\"t\"}", "m", "t", nil),
            ("event: error\ndata: {\"error\":{\"message\":\"m\"}}", "m", nil, nil),
            ("event: error\ndata: m", "m", nil, nil),
            ("event: error\ndata: \"m\"", "m", nil, nil), ("event: error\ndata: {\"code\":1}", "1", nil, "1"),
            (#"data: {"choices":[{"delta":{},"finish_reason":"error"}],"error":{"message":"m"}}"#, "m", nil, nil),
            (#"data: {"error":{"message":"m"},"choices":[]}"#, "m", nil, nil),
            (#"data: {"choices":[{"delta":{},"finish_reason":"error"}]}"#, "error", nil, nil),
        ] as [(String, String, String?, String?)]
    )
    func `an error in the middle is a failure with what came before`(
        event: String,
        message: String,
        type: String?,
        code: String?
    ) {
        for end in ["", "data: [DONE]\n\n", "data: \(Self.hello)\n\n"] {
            let reading = ChatReading.read("data: \(Self.hello)\n\n\(event)\n\n\(end)")
            #expect(reading.kind == "failed")
            #expect(reading.error?.code == .chatFailed)
            #expect(reading.error?.answer == GatewayProblem(message: message, type: type, code: code))
            #expect(reading.reply.content == "Hello")
        }
        // Nor is it an empty success.
        #expect(ChatReading.read("\(event)\n\ndata: [DONE]\n\n").kind == "failed")
    }

    @Test(
        arguments: [
            (#"error: {"code":500,"message":"m","type":"server_error"}"#, "m", "server_error", "500"),
            (#"error:{"error":{"message":"m"}}"#, "m", nil, nil), ("error: m", "m", nil, nil),
            (#"{"error":{"message":"m","type":"t"}}"#, "m", "t", nil), (#"{ "error": "m"}"#, "m", nil, nil),
            (#"{"detail":"m"}"#, "m", nil, nil),
        ] as [(String, String, String?, String?)]
    )
    func `an error in no field of the format is a failure with the server's words`(
        line: String,
        message: String,
        type: String?,
        code: String?
    ) {
        let problem = GatewayProblem(message: message, type: type, code: code)
        // Also where the body ends with it, or nothing came before it.
        for end in ["\n\n", "\n", "", "\n\ndata: [DONE]\n\n"] {
            let reading = ChatReading.read("data: \(Self.hello)\n\n\(line)\(end)")
            #expect(reading.kind == "failed" && reading.error?.code == .chatFailed)
            #expect(reading.error?.answer == problem)
            #expect(reading.reply.content == "Hello")
        }
        for end in ["\n\n", "\n", ""] {
            let reading = ChatReading.read(": wait\n\n\(line)\(end)")
            #expect(reading.kind == "failed" && reading.error?.answer == problem)
        }
    }

    @Test func `a comment that a proxy wraps is a sign of life`() {
        let reading = ChatReading.stream(": OPENROUTER PROCESSING", Self.hello, ":", "[DONE]")
        #expect(reading.kind == "complete" && reading.reply.content == "Hello")
    }

    @Test func `what is no error in no field of the format is nothing`() {
        for line in ["error", "error:", "errors: x", #"{"other":1}"#, "{", "text"] {
            let reading = ChatReading.read("data: \(Self.hello)\n\n\(line)\n\ndata: [DONE]\n\n")
            #expect(reading.kind == "complete", "\(line)")
        }
        // In the data it is what was said.
        let quoted = #"{"choices":[{"delta":{"content":"error: {}"},"finish_reason":"stop"}]}"#
        #expect(ChatReading.stream(quoted).reply.content == "error: {}")
    }

    @Test(arguments: [
        "Error: 429 too many requests", "error: x", "Error code: 400 - {'error': 1}",
        "\u{26A0}\u{FE0F} Error from host",
        " \nError: x", #"{"error":{"message":"m"}}"#, #"{"error":"m"}"#, "[ERROR] x",
        "litellm.RateLimitError: RateLimitError: x",
    ])
    func `an error as the whole answer is suspected`(text: String) {
        let json = JSONValue.string(text).description
        let body = #"{"choices":[{"message":{"content":\#(json)},"finish_reason":"stop"}]}"#
        let reading = ChatReading.read(body, ChatReading.head(200, "application/json"))
        #expect(reading.kind == "complete" && reading.reply.suspectedError)
        var thread = ChatThread()
        thread.ask("?")
        thread.grow(text)
        thread.end(.whole)
        #expect(thread.answer?.isSuspectedError == true && thread.isResumable)
    }

    @Test(arguments: [
        "Errors: none", "The error: x", #"{"error":null}"#, #"{"error":"x","data":[]}"#, #"{"a":1}"#,
        "litellm. is a tool",
        "", "Error",
    ])
    func `an answer is not suspected for a word`(text: String) {
        var thread = ChatThread()
        thread.ask("?")
        thread.grow(text)
        thread.end(.whole)
        #expect(thread.answer?.isSuspectedError == false && !thread.isResumable)
        thread.ask("Error: x")
        #expect(thread.entries[2].isSuspectedError == false)
    }

    @Test func `what stands beside an error counts`() {
        let reading = ChatReading.stream(
            #"{"choices":[{"delta":{"content":"a"},"finish_reason":"error"}],"error":{"message":"m"}}"#
        )
        #expect(reading.kind == "failed")
        #expect(reading.reply.content == "a")
        #expect(reading.choice.finishReason == .error)
    }

    @Test(arguments: ["null", "false", "\"\""])
    func `no error is none`(error: String) {
        let reading = ChatReading.stream(
            #"{"error":\#(error),"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}],"detail":"x"}"#
        )
        #expect(reading.kind == "complete")
    }

    @Test(arguments: [
        "{", "no JSON", #"{"choices":[{"delta":{"content":"a"}}]"#, #"{"choices":[{"delta":{"content":"a\x"}}]}"#, "42",
        "\"a\"", "[]", "[1]", "null", "true", "{} {}", "[DONE] x",
    ])
    func `what is no object is a failure with what was sent, never skipped`(payload: String) {
        let reading = ChatReading.stream(Self.hello, payload, Self.hello, "[DONE]")
        #expect(reading.kind == "failed")
        #expect(reading.error?.code == .chatMalformed)
        #expect(reading.error?.payload == payload)
        #expect(reading.error?.description.contains(payload) == false)
        #expect(reading.reply.content == "Hello")
        #expect(reading.reply.lastEvent == Self.hello)
    }

    @Test func `the message says what the gateway said, in one line and without controls`() throws {
        let reading = ChatReading.stream(#"{"error":"over\u001b[31mloaded\n\u202enow"}"#)
        let error = try #require(reading.error)
        #expect(
            error.description == "gateway.chatFailed: The gateway ended the reply with an error. It says: "
                + "over[31mloaded now."
        )
        #expect(error.localizedDescription == error.message)
        let long = ChatReading.stream(#"{"error":"\#(String(repeating: "x", count: 1000))"}"#)
        #expect(try #require(long.error).message.count < 300)
    }

    // MARK: Answers that are no stream

    @Test(
        arguments: [
            (
                401, "application/json", #"{"error":{"message":"Unauthorized","type":"unauthorized"}}"#, "Unauthorized",
                GatewayError.Code.unauthorized
            ),
            (
                400, "application/json", #"{"error":{"message":"bad","type":"invalid_request_error"}}"#, "bad",
                .requestRefused
            ),
            (400, "application/json", #"{"error":"Invalid JSON body"}"#, "Invalid JSON body", .requestRefused),
            (422, "application/json", #"{"detail":[{"msg":"Field required"}]}"#, "Field required", .requestRefused),
            (404, "application/json", #"{"message":"Not Found"}"#, "Not Found", .unsupported),
            (405, "text/plain", "Method Not Allowed", nil, .unsupported), (404, "text/plain", "", nil, .unsupported),
            (502, "text/html", "<html>Bad gateway</html>", nil, .gatewayFailed),
            (500, "text/event-stream", #"{"error":{"message":"boom"}}"#, "boom", .gatewayFailed),
            (301, nil, "", nil, .requestRefused), (429, nil, #"{"error":{"message":"slow"}}"#, "slow", .rateLimited),
        ] as [(Int, String?, String, String?, GatewayError.Code)]
    )
    func `another status is a failure with what it says`(
        status: Int,
        type: String?,
        body: String,
        message: String?,
        code: GatewayError.Code
    ) throws {
        let reading = ChatReading.read(body, ChatReading.head(status, type))
        #expect(reading.kind == "failed")
        let error = try #require(reading.error)
        #expect(error.code == code)
        #expect(error.status == status)
        #expect(error.answer?.message == message)
        #expect(error.payload == (body.isEmpty ? nil : body))
        #expect(reading.reply == ChatReply())
        // A page is kept for diagnosis, and never shown.
        #expect(!error.message.contains("html"))
    }

    @Test(arguments: [
        ("30", 30.0), ("1.5", 1.5), ("0", 0), ("999999999", 86_400), ("-1", nil), ("soon", nil), (nil, nil),
    ])
    func `how long to wait is kept`(value: String?, seconds: Double?) {
        var head = ChatReading.head(429, "application/json")
        head.headerFields[.retryAfter] = value
        let error = ChatReading.read(#"{"error":"slow down"}"#, head).error
        #expect(error?.retryAfter == seconds.map { .seconds($0) })
        #expect(error?.recovery == .retry)
    }

    private static let whole = #"""
        {"id":"c1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":"assistant",
        "content":"Hello","reasoning":"hm","tool_calls":[{"id":"t","type":"function","function":{"name":"f",
        "arguments":"{}"}}]},"finish_reason":"stop"}],"usage":{"total_tokens":3}}
        """#

    @Test(arguments: ["application/json; charset=utf-8", "text/event-stream", "text/plain", nil])
    func `a reply that is not streamed is taken whole`(type: String?) {
        for text in [Self.whole, " \r\n\t" + Self.whole + "\n", "\u{FEFF}" + Self.whole] {
            let reading = ChatReading.read(text, ChatReading.head(200, type))
            #expect(reading.kind == "complete")
            #expect(reading.reply.content == "Hello")
            #expect(reading.reply.reasoning == "hm")
            #expect(reading.reply.toolCalls.map(\.words) == ["t f {}"])
            #expect(reading.reply.finishReason == .stop)
            #expect(reading.reply.usage?.totalTokens == 3)
        }
    }

    @Test func `a message in a stream counts where no deltas came`() {
        let message = #"{"choices":[{"message":{"content":"Hello"},"finish_reason":"stop"}]}"#
        #expect(ChatReading.stream(message).reply.content == "Hello")
        #expect(ChatReading.stream(Self.hello, message).reply.content == "Hello")
    }

    @Test(arguments: ["application/json", "text/event-stream", nil])
    func `an error that is not streamed is a failure`(type: String?) {
        for body in [#"{"error":{"message":"m"}}"#, #"[{"error":{"message":"m"}}]"#, #"{"detail":"m"}"#] {
            let reading = ChatReading.read(body, ChatReading.head(200, type))
            #expect(reading.kind == "failed")
            #expect(reading.error?.answer?.message == "m")
        }
    }

    @Test(arguments: ["application/json", "text/html; charset=utf-8", "application/octet-stream", nil])
    func `a stream under another type is a stream`(type: String?) {
        for start in ["", "\n", ": ping\n\n", "\u{FEFF}"] {
            let reading = ChatReading.read(
                "\(start)data: \(Self.hello)\n\ndata: [DONE]\n\n",
                ChatReading.head(200, type)
            )
            #expect(reading.kind == "complete")
            #expect(reading.reply.content == "Hello")
        }
    }

    @Test(arguments: [
        ("<!doctype html><title>Control UI</title>", "text/html"), (" <html>", nil), ("upstream timeout", "text/plain"),
        (#"{"status":"ok"}"#, "application/json"),
    ])
    func `what is no reply at all is a failure with its beginning`(body: String, type: String?) {
        let reading = ChatReading.read(body, ChatReading.head(200, type))
        #expect(reading.kind == "failed")
        #expect(reading.error?.code == .notChat)
        #expect(reading.error?.payload?.hasSuffix(body.dropFirst()) == true)
    }

    @Test func `half a document is truncated where it was lost, and malformed where it ended`() {
        let half = String(Self.whole.prefix(100))
        let head = ChatReading.head(200, "application/json")
        #expect(ChatReading.read(half, head, isReset: true).kind == "truncated")
        let ended = ChatReading.read(half, head)
        #expect(ended.error?.code == .chatMalformed)
        #expect(ended.error?.payload == half)
        #expect(ChatReading.read("", head).kind == "truncated")
        #expect(ChatReading.read(" \n", head).kind == "truncated")
    }

    @Test(arguments: ["d", "data: {\"choices\"", "event: x\ndata", "id: 1\n", ": waiting"])
    func `a stream under another type that is cut before its first event is truncated`(body: String) {
        #expect(ChatReading.read(body, ChatReading.head(200, "text/html"), isReset: true).kind == "truncated")
    }

    // MARK: Limits

    @Test func `a reply past its limit is a failure, and keeps what came`() {
        let bytes = Array("data: \(Self.hello)\n\n".utf8)
        let many = Array(repeating: bytes, count: 100)
        let reading = ChatReading.read(many, limits: .init(replyBytes: 200))
        #expect(reading.error?.code == .chatTooLarge)
        #expect(reading.reply.content.count > 50 && reading.reply.content.count < 200)
        let event = ChatReading.read(many, limits: .init(eventBytes: 50))
        #expect(event.error?.code == .chatTooLarge)
        let document = ChatReading.read([Array(Self.whole.utf8)], limits: .init(replyBytes: 200))
        #expect(document.error?.code == .chatTooLarge)
        // A million calls or choices are not free either.
        var calls = ""
        for index in 0..<1000 { calls += #"{"index":\#(index),"id":"\#(index)"},"# }
        let chunk = #"data: {"choices":[{"delta":{"tool_calls":[\#(calls.dropLast())]}}]}"# + "\n\n"
        #expect(ChatReading.read([Array(chunk.utf8)], limits: .init(replyBytes: 10_000)).error?.code == .chatTooLarge)
    }
}

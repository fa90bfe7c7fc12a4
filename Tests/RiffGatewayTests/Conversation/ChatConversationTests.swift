// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffGateway
import RiffTesting
import RiffTransport
import Synchronization
import Testing

/// R10: an answer that is cut anywhere is completed, without a lost and without a repeated character.
@Suite(.timeLimit(.minutes(5))) struct ChatConversationTests {
    private static let answer =
        "Two tests fail. The first is slow; the first is also wrong — because \"ä😀\" is cut.\n\n- one\n- two\n"

    /// Answers as a model does: with all of it, or, asked for the rest, with the last words and the rest.
    private final class Model: HTTPTransport {
        let cut: Mutex<Int?>
        let questions = Mutex<[JSONValue]>([])

        init(cutAt cut: Int?) { self.cut = Mutex(cut) }

        func send(_ request: HTTPRequest, body: HTTPBody, deadlines: HTTPDeadlines) async throws -> HTTPReply {
            guard case .bytes(let bytes) = body else { throw TransportError(.httpInvalidRequest, "no bytes") }
            let json = try JSONValue(parsing: bytes)
            questions.withLock { $0.append(json) }
            let last = json["messages"]?.array?.last?["content"]?.text ?? ""
            var text = ChatConversationTests.answer
            if let mark = last.firstRange(of: "<<<"), last.hasSuffix(">>>") {
                let anchor = last[mark.upperBound...].dropLast(3)
                // The last place, as a reader would take it, of what came so far.
                let came = json["messages"]?.array?.dropLast().last?["content"]?.text ?? ""
                text =
                    String(anchor) + text.unicodeScalars.dropFirst(came.unicodeScalars.count).map(String.init).joined()
            }
            var wire: [UInt8] = []
            for piece in text.unicodeScalars {
                let chunk: JSONValue = ["choices": [["index": 0, "delta": ["content": .string(String(piece))]]]]
                wire += Array("data: ".utf8) + chunk.bytes() + [0x0A, 0x0A]
            }
            wire += Array("data: [DONE]\n\n".utf8)
            let cut = cut.withLock { cut in
                defer { cut = nil }
                return cut
            }
            let (stream, writer) = ByteStream.makeStream(bufferedBytes: .max)
            try await writer.write(Array(wire.prefix(cut ?? .max)))
            writer.finish(throwing: cut == nil ? nil : TransportError(.connectionLost, "cut"))
            let head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"])
            return HTTPReply(head: head, body: stream)
        }
    }

    @Test func `cut at every byte, resumed, nothing is lost and nothing repeated`() async throws {
        let whole = Model(cutAt: nil)
        await ChatConversation(try GatewayFixtures.gateway(whole)).ask("why?")
        var cut = 0
        while true {
            let model = Model(cutAt: cut)
            let chat = ChatConversation(try GatewayFixtures.gateway(model))
            let outcome = await chat.ask("why?")
            if case .complete = outcome { break }
            guard case .truncated(let reply, _) = outcome else {
                Issue.record("cut at \(cut): \(outcome)")
                return
            }
            let came = reply.choices.first?.content ?? ""
            #expect(Self.answer.unicodeScalars.starts(with: came.unicodeScalars))
            #expect(chat.thread.answer?.text == came && chat.thread.answer?.state == .cut)
            // The process is gone; what was kept is read by the next one.
            let kept = try #require(ChatThread(json: try JSONValue(parsing: chat.thread.json.bytes())))
            let next = ChatConversation(try GatewayFixtures.gateway(model), thread: kept)
            _ = await next.resume()
            #expect(next.thread.entries.map(\.text) == ["why?", Self.answer], "cut at \(cut)")
            #expect(next.thread.answer?.state == .whole)
            #expect(await next.resume() == nil)
            cut += 7
        }
        #expect(cut > 3_000)
    }

    @Test func `going to the background cuts the answer off, and coming back completes it`() async throws {
        let (stream, writer) = ByteStream.makeStream()
        let chat = ChatConversation(try GatewayFixtures.gateway(HeldReply(stream)))
        let updates = chat.updates()
        async let outcome = chat.ask("hello")
        try await writer.write(Array(#"data: {"choices":[{"delta":{"content":"par"}}]}"#.utf8 + [0x0A, 0x0A]))
        for await thread in updates where thread.answer?.text == "par" { break }
        await chat.suspend()
        guard case .truncated = await outcome else {
            Issue.record("not truncated")
            return
        }
        #expect(chat.thread.answer?.state == .cut && chat.thread.answer?.text == "par")
    }

    @Test func `an answer that failed is asked for anew, with the question once`() async throws {
        let http = ScriptedHTTPTransport([
            .failure(TransportError(.httpNeverConnected, "x")),
            .json(#"{"choices":[{"message":{"content":"here"},"finish_reason":"stop"}]}"#),
        ])
        let chat = ChatConversation(try GatewayFixtures.gateway(http))
        await chat.ask("hello")
        guard case .failed(let reason) = chat.thread.answer?.state else {
            Issue.record("\(chat.thread)")
            return
        }
        #expect(reason.contains("cannot be reached"))
        #expect(ChatThread(json: chat.thread.json) == chat.thread)
        _ = await chat.resume()
        #expect(chat.thread.entries.map(\.text) == ["hello", "here"])
        let body = try JSONValue(parsing: try #require(http.requests.last?.body))
        #expect(body["messages"]?.array?.compactMap { $0["content"]?.text } == ["hello"])
    }

    @Test func `of many who ask at a time each gives up the one before, and no answer is left growing`() async throws {
        let reply = ScriptedHTTPTransport.Reply.json(
            #"{"choices":[{"message":{"content":"here"},"finish_reason":"stop"}]}"#
        )
        let chat = ChatConversation(
            try GatewayFixtures.gateway(ScriptedHTTPTransport(Array(repeating: reply, count: 20)))
        )
        await withTaskGroup { group in
            for number in 0..<20 { group.addTask { await chat.ask("\(number)") } }
        }
        let entries = chat.thread.entries
        #expect(entries.count == 40 && !entries.contains { $0.state == .growing })
        #expect(entries.enumerated().allSatisfy { $0.element.role == ($0.offset % 2 == 0 ? .user : .assistant) })
        #expect(chat.thread.answer?.text == "here")
    }

    @Test func `what is no conversation is not read as one`() {
        for json: JSONValue in [
            .null, [], ["entries": 1], ["entries": [["role": "user"]]],
            ["entries": [["role": "user", "text": "x", "state": "lost"]]],
        ] {
            #expect(ChatThread(json: json) == nil)
        }
    }
}

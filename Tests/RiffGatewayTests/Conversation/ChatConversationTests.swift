// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffGateway
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// R10: an answer that is cut anywhere is completed, without a lost and without a repeated character.
@Suite(.timeLimit(.minutes(10))) struct ChatConversationTests {
    private static let pieces = [
        "Two tests fail", ". The first ", "is slow; the first", " is also wrong",
        " \u{2014} because \"\u{E4}\u{1F600}\"",
        " is cut.\n\n", "- one\n", "- two\n\n", "    }\n", "    }\n", "That is all of it", ", I think.", "\n",
    ]

    /// Cuts an answer after so many bytes, keeps the conversation, and resumes it as another process would.
    ///
    /// - Returns: Whether there was something to resume.
    private static func resume(
        _ http: some HTTPTransport,
        to answer: String,
        cutAt cut: Int,
        _ comment: Comment
    ) async throws -> Bool {
        let chat = ChatConversation(try GatewayFixtures.gateway(http))
        let outcome = await chat.ask("why?")
        if case .complete = outcome { return false }
        guard case .truncated(let reply, _) = outcome else {
            Issue.record("cut at \(cut): \(outcome)")
            return false
        }
        #expect(answer.unicodeScalars.starts(with: reply.content.unicodeScalars))
        #expect(chat.current.answer?.text == reply.content && chat.current.answer?.state == .cut, comment)
        let kept = try #require(ChatThread(json: try JSONValue(parsing: chat.current.json.bytes())))
        #expect(kept == chat.current)
        let next = ChatConversation(try GatewayFixtures.gateway(http), thread: kept)
        await next.resume()
        #expect(next.current.entries.map(\.text) == ["why?", answer], comment)
        #expect(next.current.answer?.state == .whole)
        #expect(await next.resume() == nil)
        return true
    }

    @Test(arguments: ConversationModel.Manner.allCases)
    func `cut at every byte, resumed, nothing is lost and nothing repeated`(
        _ manner: ConversationModel.Manner
    ) async throws {
        let answer = Self.pieces.joined()
        var cut = 0
        while try await Self.resume(
            ConversationModel(Self.pieces, cutAt: cut, manner: manner),
            to: answer,
            cutAt: cut,
            "\(manner), cut at \(cut)"
        ) { cut += 1 }
        #expect(cut > 800)
    }

    @Test(arguments: [
        ("stream_hello", "You said: hello there (agent remoteclaw)"),
        ("stream_utf8", "snowman \u{2603} flag \u{1F1E9}\u{1F1F0} done"),
    ])
    func `a recorded stream is cut at every byte, and resumed`(_ name: String, _ answer: String) async throws {
        let stream = try #require(try Fixture.cases("gateway/streams.jsonl").first { $0["name"]?.text == name })
        let wire = Array((stream["body"]?.text ?? "").utf8)
        var cut = 0
        while try await Self.resume(RecordedStream(wire, cutAt: cut), to: answer, cutAt: cut, "cut at \(cut)") {
            cut += 1
        }
        #expect(cut > 1_000)
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
        #expect(chat.current.answer?.state == .cut && chat.current.answer?.text == "par")
    }

    @Test func `an answer that failed is asked for anew, with the question once`() async throws {
        let http = ScriptedHTTPTransport([
            .failure(TransportError(.httpNeverConnected, "x")), ChatScript.whole(#"{"content":"here"}"#),
        ])
        let chat = ChatConversation(try GatewayFixtures.gateway(http))
        await chat.ask("hello")
        guard case .failed(let reason) = chat.current.answer?.state else {
            Issue.record("\(chat.current)")
            return
        }
        #expect(reason.contains("cannot be reached"))
        #expect(ChatThread(json: chat.current.json) == chat.current)
        _ = await chat.resume()
        #expect(chat.current.entries.map(\.text) == ["hello", "here"])
        let body = try JSONValue(parsing: try #require(http.requests.last?.body))
        #expect(body["messages"]?.array?.compactMap { $0["content"]?.text } == ["hello"])
    }

    @Test func `of many who ask at a time each gives up the one before, and no answer is left growing`() async throws {
        let reply = ChatScript.whole(#"{"content":"here"}"#)
        let chat = ChatConversation(
            try GatewayFixtures.gateway(ScriptedHTTPTransport(Array(repeating: reply, count: 20)))
        )
        await withTaskGroup { group in
            for number in 0..<20 { group.addTask { await chat.ask("\(number)") } }
        }
        let entries = chat.current.entries
        #expect(entries.count == 40 && !entries.contains { $0.state == .growing })
        #expect(entries.enumerated().allSatisfy { $0.element.role == ($0.offset % 2 == 0 ? .user : .assistant) })
        #expect(chat.current.answer?.text == "here")
    }

    @Test func `no more of the conversation is sent than is wanted, and than fits`() async throws {
        let reply = ChatScript.whole(#"{"content":"\#(String(repeating: "a", count: 1000))"}"#)
        func sent(_ make: (ChatGateway) -> ChatConversation) async throws -> (count: Int, bytes: Int) {
            let http = ScriptedHTTPTransport(Array(repeating: reply, count: 30))
            let chat = make(try GatewayFixtures.gateway(http))
            for number in 0..<30 { await chat.ask("\(number)") }
            let body = try #require(http.requests.last?.body)
            return (try JSONValue(parsing: body)["messages"]?.array?.count ?? 0, body.count)
        }
        #expect(try await sent { ChatConversation($0) }.count == 50)
        #expect(try await sent { ChatConversation($0, history: 7) }.count == 7)
        let small = try await sent { ChatConversation($0, limitBytes: 5_000) }
        #expect(small.bytes <= 5_000 && small.count > 3)
    }

    @Test func `the caps of a gateway are those of its replies`() async throws {
        let http = ScriptedHTTPTransport([ChatScript.stream([#"{"content":"12345678901234567890"}"#])])
        let gateway = ChatGateway(
            GatewayConfiguration(server: try HTTPBaseURL("http://127.0.0.1:1")),
            http: http,
            limits: .init(replyBytes: 10)
        )
        let outcome = await gateway.reply(to: ChatRequest(model: "m", messages: [.user("x")]))
        #expect(outcome.error?.code == .chatTooLarge)
    }
}

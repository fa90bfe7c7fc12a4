// Riff
// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import RiffCore
import RiffGateway
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// What becomes of an answer in a conversation, however it ends.
@Suite(.timeLimit(.minutes(5))) struct ChatAnswerTests {
    private static let lost = TransportError(.connectionLost, "cut")

    private static func ask(_ replies: ScriptedHTTPTransport.Reply...) async throws -> (
        ChatConversation, ScriptedHTTPTransport
    ) {
        let http = ScriptedHTTPTransport(replies)
        let chat = ChatConversation(try GatewayFixtures.gateway(http))
        await chat.ask("?")
        return (chat, http)
    }

    private static func messages(of request: ScriptedHTTPTransport.Request?) throws -> [String] {
        let json = try JSONValue(parsing: try #require(request?.body))
        return json["messages"]?.array?.compactMap { $0["content"]?.text } ?? []
    }

    @Test(arguments: [false, true])
    func `an answer that is only a refusal stays, and is said to the model`(streaming: Bool) async throws {
        let refusal = #"{"refusal":"I would rather not."}"#
        let (chat, http) = try await Self.ask(
            streaming ? ChatScript.stream([refusal]) : ChatScript.whole(refusal),
            ChatScript.whole(#"{"content":"x"}"#)
        )
        #expect(chat.current.answer?.refusal == "I would rather not." && chat.current.answer?.state == .whole)
        #expect(ChatThread(json: chat.current.json) == chat.current)
        await chat.ask("Why?")
        #expect(try Self.messages(of: http.requests.last) == ["?", "I would rather not.", "Why?"])
    }

    @Test func `an answer that is only calls of tools stays, and the calls are told`() async throws {
        let calls = #"{"tool_calls":[{"index":0,"id":"c1","function":{"name":"ls","arguments":"{}"}}]}"#
        let (chat, http) = try await Self.ask(ChatScript.stream([calls]), ChatScript.whole(#"{"content":"x"}"#))
        #expect(chat.current.answer?.toolCalls == [ChatToolCall(id: "c1", name: "ls", arguments: "{}")])
        #expect(chat.current.answer?.state == .whole)
        #expect(ChatThread(json: chat.current.json) == chat.current)
        await chat.ask("And?")
        #expect(try Self.messages(of: http.requests.last) == ["?", "And?"])
    }

    @Test(arguments: [
        (#"{"content":"NO_REPLY"}"#, "stop", true), (#"{"content":"NO_REPLY","reasoning":"Why?"}"#, "stop", true),
        (#"{"content":""}"#, "stop", true), (#"{"content":" \n"}"#, "stop", true),
        (#"{"content":"","reasoning":"Hm."}"#, "stop", false), (#"{"content":""}"#, "content_filter", false),
        (#"{"content":"","reasoning":"Hm."}"#, "length", false),
    ])
    func `an empty answer is dropped where it says nothing, and has its reason where it was stopped`(
        message: String,
        finish: String,
        isDropped: Bool
    ) async throws {
        let (chat, _) = try await Self.ask(ChatScript.whole(message, finish: finish))
        if isDropped { return #expect(chat.current.entries.map(\.text) == ["?"]) }
        guard case .failed(let reason) = chat.current.answer?.state else {
            Issue.record("\(chat.current)")
            return
        }
        #expect(reason.hasPrefix("The model ended without an answer"))
        #expect(finish == "stop" || reason.contains(finish))
    }

    @Test(arguments: ["HEART", "NO", "NO_REP", "H", " \nNO"])
    func `the beginning of a word that says nothing is not shown, and all is asked for again`(
        _ text: String
    ) async throws {
        let (chat, http) = try await Self.ask(
            ChatScript.stream([#"{"content":\#(JSONValue.string(text))}"#], failure: Self.lost),
            ChatScript.stream([#"{"content":"HEART"}"#, #"{"content":"BEAT_OK"}"#])
        )
        #expect(chat.current.answer?.text == "" && chat.current.answer?.state == .cut)
        await chat.resume()
        #expect(chat.current.entries.map(\.text) == ["?"])
        #expect(try Self.messages(of: http.requests.last) == ["?"])
    }

    @Test(arguments: ["NO_REPLY", "HEARTBEAT_OK", "NO_REPL"])
    func `a word that says nothing leaves no bubble where it is cut behind it`(_ text: String) async throws {
        let (chat, _) = try await Self.ask(ChatScript.stream([#"{"content":"\#(text)"}"#], failure: Self.lost))
        #expect(chat.current.entries.map(\.text) == ["?"])
        #expect(await chat.resume() == nil)
    }

    @Test func `an error after some text keeps the text, and says its reason`() async throws {
        let long = String(repeating: "word ", count: 20)
        let (chat, http) = try await Self.ask(
            ChatScript.stream([#"{"content":"\#(long)"}"#], last: #"{"error":{"message":"quota used up"}}"#),
            .failure(TransportError(.httpNeverConnected, "x")),
            .json(#"{"error":{"message":"no"}}"#, status: .forbidden),
            ChatScript.stream([#"{"content":"end"}"#])
        )
        guard case .failed(let reason) = chat.current.answer?.state else {
            Issue.record("\(chat.current)")
            return
        }
        #expect(reason.contains("quota used up") && chat.current.answer?.text == long)
        #expect(ChatThread(json: chat.current.json) == chat.current)
        // Who does not get through knows no more than before; who is refused does.
        await chat.resume()
        #expect(chat.current.answer?.state == .cut && chat.current.answer?.text == long)
        await chat.resume()
        guard case .failed = chat.current.answer?.state else {
            Issue.record("\(chat.current)")
            return
        }
        await chat.resume()
        #expect(chat.current.answer?.text == long + "end" && chat.current.answer?.state == .whole)
        #expect(try Self.messages(of: http.requests.last).count == 3)
    }

    /// Does not answer the first request, and the others as it is told.
    private final class Hesitant: HTTPTransport {
        let asked = EventualValue<Void>()
        let rest: ScriptedHTTPTransport

        init(_ rest: ScriptedHTTPTransport) { self.rest = rest }

        func send(_ request: HTTPRequest, body: HTTPBody, deadlines: HTTPDeadlines) async throws -> HTTPReply {
            if asked.resolve(()) { try await EventualValue<Void>().cancellableValue() }
            return try await rest.send(request, body: body, deadlines: deadlines)
        }
    }

    @Test func `who is suspended before an answer begins can resume`() async throws {
        let http = Hesitant(ScriptedHTTPTransport([ChatScript.whole(#"{"content":"x"}"#)]))
        let chat = ChatConversation(try GatewayFixtures.gateway(http))
        async let outcome = chat.ask("?")
        try await http.asked.cancellableValue()
        await chat.suspend()
        _ = await outcome
        #expect(chat.current.answer?.state == .cut)
        await chat.resume()
        #expect(chat.current.answer?.text == "x" && chat.current.answer?.state == .whole)
    }
}

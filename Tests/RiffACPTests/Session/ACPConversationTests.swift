// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ACPConversationTests {
    @Test func `a turn with a question is shown as it goes`() async throws {
        let conversation = ACPConversation(clock: ManualClock())
        try await ScriptedAgent.with(conversation.handlers) { agent in
            let start = try await agent.expect("session/new")
            // Before its session is known.
            try await agent.update([
                "sessionUpdate": "available_commands_update",
                "availableCommands": [["name": "compact", "description": "d"]],
            ])
            try await agent.answer(
                start,
                [
                    "sessionId": "s",
                    "modes": ["currentModeId": "ask", "availableModes": [["id": "ask", "name": "Ask"]]],
                ]
            )
            let prompt = try await agent.expect("session/prompt")
            try await agent.update([
                "sessionUpdate": "tool_call", "toolCallId": "t1", "title": "rm x", "kind": "execute",
            ])
            try await agent.send(Permission.request(id: 1))
            let answer = try await agent.next()
            #expect(answer?["result"]?["outcome"]?["optionId"] == "no")
            try await agent.say("done")
            try await agent.answer(prompt, ["stopReason": "end_turn"])
        } client: { client in
            try await conversation.start(on: client, in: "/")
            async let turn: Void = conversation.send("remove it")
            for await chat in conversation.updates() {
                guard let question = chat.questions.first else { continue }
                #expect(chat.isRunning && question.permission.title == "rm x")
                await conversation.answer(question, with: question.permission.options[2])
                break
            }
            try await turn
        }
        let chat = await conversation.current
        #expect(chat.questions.isEmpty && chat.problem == nil && chat.turnDuration == .zero)
        #expect(chat.transcript.turn == .idle(.endTurn))
        #expect(chat.commands(completing: "/co").map(\.name) == ["compact"])
        #expect(chat.commands(completing: "/x").isEmpty && chat.commands(completing: "co").isEmpty)
        #expect(chat.groups.count == 1)
        #expect(chat.groups.first?.prompt?.text == "remove it")
        #expect(chat.groups.first?.toolCounts == [.execute: 1])
        #expect(chat.transcript.modes?.currentModeID == "ask")
    }

    @Test func `a turn that fails leaves a problem with what is probably wrong`() async throws {
        let conversation = ACPConversation()
        try await ScriptedAgent.with(conversation.handlers) { agent in
            try await agent.answer(try await agent.expect("session/new"), ["sessionId": "s"])
            let prompt = try await agent.expect("session/prompt")
            try await agent.send([
                "jsonrpc": "2.0", "id": prompt["id"] ?? .null,
                "error": ["code": -31002, "message": "HTTP 429: rate limit"],
            ])
            try await agent.answer(try await agent.expect("session/prompt"), ["stopReason": "refusal"])
        } client: { client in
            try await conversation.start(on: client, in: "/")
            try await conversation.send("go")
            let problem = await conversation.current.problem
            #expect(problem?.hint?.kind == .rateLimit && problem?.canRetry == true)
            try await conversation.send("again")
        }
        let chat = await conversation.current
        #expect(chat.problem?.canRetry == false && chat.transcript.turn == .idle(.refusal))
        #expect(chat.groups.count == 2)
    }

    @Test func `a session opened again is shown once, and stays as it was where it cannot be opened`() async throws {
        let conversation = ACPConversation()
        let replay: JSONValue = [
            "sessionUpdate": "user_message_chunk", "content": ["type": "text", "text": "said before"],
        ]
        try await ScriptedAgent.with(conversation.handlers, capabilities: ["loadSession": true]) { agent in
            for _ in 0..<2 {
                let load = try await agent.expect("session/load")
                try await agent.update(replay)
                try await agent.answer(load, [:])
            }
            let load = try await agent.expect("session/load")
            try await agent.update(replay)
            try await agent.send([
                "jsonrpc": "2.0", "id": load["id"] ?? .null, "error": ["code": -32002, "message": "no such session"],
            ])
        } client: { client in
            for _ in 0..<2 {
                try await conversation.open(ACP.SessionID("s"), on: client, in: "/")
                #expect(await conversation.current.groups.map { $0.prompt?.text } == ["said before"])
            }
            await #expect(throws: ACPError.self) {
                try await conversation.open(ACP.SessionID("gone"), on: client, in: "/")
            }
        }
        #expect(await conversation.current.groups.map { $0.prompt?.text } == ["said before"])
        #expect(await conversation.session == ACP.SessionID("s"))
    }

    @Test func `cancelling takes the questions away`() async throws {
        let conversation = ACPConversation()
        try await ScriptedAgent.with(conversation.handlers) { agent in
            try await agent.answer(try await agent.expect("session/new"), ["sessionId": "s"])
            let prompt = try await agent.expect("session/prompt")
            try await agent.send(Permission.request(id: 1))
            _ = try await agent.expect("session/cancel")
            let answer = try await agent.next()
            #expect(answer?["result"]?["outcome"]?["outcome"] == "cancelled")
            try await agent.answer(prompt, ["stopReason": "cancelled"])
        } client: { client in
            try await conversation.start(on: client, in: "/")
            async let turn: Void = conversation.send("go")
            for await chat in conversation.updates() where !chat.questions.isEmpty { break }
            await conversation.cancel()
            try await turn
            for await chat in conversation.updates() where chat.questions.isEmpty { break }
        }
        let chat = await conversation.current
        #expect(chat.transcript.turn == .idle(.cancelled) && chat.problem == nil)
    }

    /// What a turn becomes whose prompt is answered with an error.
    private func turn(answeredWith code: Int, cancelling: Bool) async throws -> ACPChat {
        let conversation = ACPConversation()
        try await ScriptedAgent.with(conversation.handlers) { agent in
            try await agent.answer(try await agent.expect("session/new"), ["sessionId": "s"])
            let prompt = try await agent.expect("session/prompt")
            try await agent.say("begun")
            if cancelling { _ = try await agent.expect("session/cancel") }
            let error: JSONValue = ["code": .integer(Int64(code)), "message": "This operation was aborted"]
            try await agent.send(["jsonrpc": "2.0", "id": prompt["id"] ?? .null, "error": error])
        } client: { client in
            try await conversation.start(on: client, in: "/")
            async let turn: Void = conversation.send("go")
            for await chat in conversation.updates() where chat.transcript.entries.count == 2 { break }
            if cancelling { await conversation.cancel() }
            try await turn
        }
        return await conversation.current
    }

    @Test(arguments: [(-32800, true), (-32603, true), (-32800, false)])
    func `an error that says that the turn was cancelled is no failure`(code: Int, cancelling: Bool) async throws {
        let chat = try await turn(answeredWith: code, cancelling: cancelling)
        #expect(chat.transcript.turn == .idle(.cancelled) && chat.problem == nil)
    }

    @Test(arguments: [(-32603, false), (-32000, true)])
    func `another error stays a failure`(code: Int, cancelling: Bool) async throws {
        let chat = try await turn(answeredWith: code, cancelling: cancelling)
        guard case .failed = chat.transcript.turn else {
            Issue.record("\(chat.transcript.turn)")
            return
        }
        #expect(chat.problem != nil)
    }
}

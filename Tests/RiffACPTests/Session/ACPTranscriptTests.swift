// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffCore
import Testing

@Suite struct ACPTranscriptTests {
    private func applying(_ updates: [JSONValue], to transcript: ACPTranscript = ACPTranscript()) throws
        -> ACPTranscript
    {
        var transcript = transcript
        for update in updates { transcript.apply(try ACP.SessionUpdate(json: update)) }
        return transcript
    }

    private func chunk(_ kind: String, _ text: String, id: String? = nil) -> JSONValue {
        var update: JSONObject = ["sessionUpdate": .string(kind), "content": ["type": "text", "text": .string(text)]]
        update["messageId"] = id.map { .string($0) }
        return .object(update)
    }

    private func words(_ transcript: ACPTranscript) -> [String] {
        transcript.entries.map { entry in
            switch entry.kind {
            case .user(let message): "user: \(message.text)"
            case .agent(let message): "agent: \(message.text)"
            case .thought(let message): "thought: \(message.text)"
            case .toolCall(let call): "tool: \(call.title) \(call.status)"
            }
        }
    }

    @Test func `pieces become messages, and another kind, id, tool or turn begins a new one`() throws {
        var transcript = try applying([
            chunk("agent_thought_chunk", "h"), chunk("agent_thought_chunk", "m"), chunk("agent_message_chunk", "a"),
            chunk("agent_message_chunk", "b"), ["sessionUpdate": "tool_call", "toolCallId": "1", "title": "ls"],
            chunk("agent_message_chunk", "c"), chunk("agent_message_chunk", "d", id: "x"),
            chunk("agent_message_chunk", "e", id: "x"),
            chunk("agent_message_chunk", "f", id: "y"),
        ])
        transcript.promptSent([.text(ACP.TextContent(text: "more"))])
        transcript = try applying([chunk("agent_message_chunk", "g", id: "y")], to: transcript)
        #expect(
            words(transcript) == [
                "thought: hm", "agent: ab", "tool: ls pending", "agent: c", "agent: de", "agent: f", "user: more",
                "agent: g",
            ]
        )
        #expect(transcript.entries.map(\.id) == Array(0..<8))
    }

    @Test func `a piece with the message's id after the turn's end belongs to it, one without an id does not`() throws {
        var transcript = ACPTranscript()
        transcript.promptSent([.text(ACP.TextContent(text: "go"))])
        transcript = try applying([chunk("agent_message_chunk", "a", id: "x")], to: transcript)
        transcript.turnEnded(.endTurn)
        transcript = try applying(
            [chunk("agent_message_chunk", "b", id: "x"), chunk("agent_message_chunk", "c")],
            to: transcript
        )
        transcript.turnEnded(.endTurn)
        transcript = try applying([chunk("agent_message_chunk", "d")], to: transcript)
        #expect(words(transcript) == ["user: go", "agent: ab", "agent: c", "agent: d"])
    }

    @Test func `a tool call keeps what an update leaves out, and clears what it sets to null`() throws {
        let transcript = try applying([
            [
                "sessionUpdate": "tool_call", "toolCallId": "1", "title": "read \u{1B}[1ma.txt", "kind": "read",
                "status": "pending",
                "rawInput": ["path": "a"], "locations": [["path": "/a", "line": 3]],
                "content": [["type": "content", "content": ["type": "text", "text": "x"]]],
            ],
            [
                "sessionUpdate": "tool_call_update", "toolCallId": "1", "status": "completed", "rawInput": nil,
                "kind": nil,
            ],
            [
                "sessionUpdate": "tool_call_update", "toolCallId": "1",
                "content": [
                    ["type": "diff", "path": "/a", "oldText": nil, "newText": "n"],
                    ["type": "terminal", "terminalId": "t"],
                ],
            ],
            // Never announced, but all there is.
            ["sessionUpdate": "tool_call_update", "toolCallId": "2", "title": "later", "status": "failed"],
        ])
        let calls = transcript.toolCalls
        #expect(calls.map(\.title) == ["read [1ma.txt", "later"])
        #expect(calls[0].status == .completed && calls[0].kind == .other && calls[0].rawInput == nil)
        #expect(calls[0].locations.first?.line == 3)
        #expect(calls[0].diffs.map(\.newText) == ["n"] && calls[0].terminals == ["t"])
        #expect(calls[1].status == .failed)
    }

    @Test func `cancelling marks what is not finished at once`() throws {
        var transcript = ACPTranscript()
        transcript.promptSent([.text(ACP.TextContent(text: "go"))])
        transcript = try applying(
            [
                ["sessionUpdate": "tool_call", "toolCallId": "1", "title": "a", "status": "completed"],
                ["sessionUpdate": "tool_call", "toolCallId": "2", "title": "b", "status": "in_progress"],
            ],
            to: transcript
        )
        transcript.cancelled()
        #expect(transcript.turn == .cancelling)
        #expect(transcript.toolCalls.map(\.wasCancelled) == [false, true])
        transcript = try applying([chunk("agent_message_chunk", "winding up")], to: transcript)
        transcript.turnEnded(.cancelled)
        #expect(transcript.turn == .idle(.cancelled))
        #expect(words(transcript).last == "agent: winding up")
    }

    @Test func `what an agent repeats of the prompt is not shown twice, what it replays is shown`() throws {
        var transcript = try applying([chunk("user_message_chunk", "earlier"), chunk("agent_message_chunk", "yes")])
        transcript.promptSent([.text(ACP.TextContent(text: "Say hello"))])
        transcript = try applying(
            [chunk("user_message_chunk", "Say hello", id: "u"), chunk("agent_message_chunk", "hello")],
            to: transcript
        )
        #expect(words(transcript) == ["user: earlier", "agent: yes", "user: Say hello", "agent: hello"])
    }

    @Test func `an echo in pieces is found, and what is no echo is shown`() throws {
        var transcript = ACPTranscript()
        transcript.promptSent([.text(ACP.TextContent(text: "Say e\u{301}e\u{301}llo, twice"))])
        transcript = try applying(
            [
                chunk("user_message_chunk", "Say e"), chunk("user_message_chunk", "\u{301}e\u{301}llo"),
                // Once more, and from the middle.
                chunk("user_message_chunk", "llo, twice"), chunk("user_message_chunk", "Say"),
                chunk("user_message_chunk", "\u{E9}llo"),
            ],
            to: transcript
        )
        #expect(words(transcript) == ["user: Say e\u{301}e\u{301}llo, twice", "user: \u{E9}llo"])
        #expect(transcript.entries.last?.kind.message?.text.unicodeScalars.first == "\u{E9}")
    }

    @Test func `plan, modes, options, commands, usage and title are the newest ones`() throws {
        var transcript = ACPTranscript()
        transcript.begin(
            modes: ACP.SessionModeState(currentModeID: "a", availableModes: [ACP.SessionMode(id: "a", name: "A")]),
            options: nil,
            models: nil
        )
        transcript = try applying(
            [
                ["sessionUpdate": "plan", "entries": [["content": "1", "priority": "high", "status": "pending"]]],
                ["sessionUpdate": "plan", "entries": [["content": "2", "priority": "low", "status": "completed"]]],
                ["sessionUpdate": "current_mode_update", "currentModeId": "b"],
                [
                    "sessionUpdate": "available_commands_update",
                    "availableCommands": [["name": "web", "description": "d"], ["name": 5]],
                ],
                ["sessionUpdate": "usage_update", "used": 5, "size": 10, "cost": ["amount": 0.5, "currency": "USD"]],
                ["sessionUpdate": "session_info_update", "title": "T\nx", "updatedAt": "2026-01-01T00:00:00Z"],
                ["sessionUpdate": "session_info_update", "updatedAt": nil],
                ["sessionUpdate": "dance"],
            ],
            to: transcript
        )
        #expect(transcript.plan.map(\.content) == ["2"])
        #expect(transcript.modes?.currentModeID == "b")
        #expect(transcript.commands.map(\.name) == ["web"])
        #expect(transcript.usage?.used == 5 && transcript.usage?.cost?.amount == 0.5)
        #expect(transcript.title == "T x" && transcript.updatedAt == nil)
        #expect(transcript.ignoredUpdates == 1)
    }

    @Test(arguments: TranscriptLines.names)
    func `recorded sessions leave a transcript without anything ignored`(name: String) throws {
        var transcripts: [String: ACPTranscript] = [:]
        for line in try TranscriptLines.read(name) where line.message["method"] == "session/update" {
            let params = try #require(line.message["params"])
            let notification = try ACP.SessionNotification(json: params)
            transcripts[notification.sessionID.rawValue, default: ACPTranscript()].apply(notification.update)
        }
        #expect(transcripts.values.allSatisfy { $0.ignoredUpdates == 0 })
        #expect(transcripts.values.contains { !$0.entries.isEmpty })
    }

    @Test func `a message of very many pieces grows in good time`() throws {
        let update = try ACP.SessionUpdate(json: chunk("agent_message_chunk", "twenty-four bytes of it."))
        var transcript = ACPTranscript()
        for _ in 0..<200_000 { transcript.apply(update) }
        #expect(transcript.entries.count == 1)
        #expect(transcript.entries[0].kind.message?.text.utf8.count == 24 * 200_000)
    }
}

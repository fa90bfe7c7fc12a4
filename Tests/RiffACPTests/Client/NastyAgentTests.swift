// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// What agents do that they should not: no message is lost for it, and no turn hangs.
@Suite(.timeLimit(.minutes(5))) struct NastyAgentTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let what: String
        /// What the agent writes before it answers the prompt; `ID` is the prompt's id.
        let writes: String
        var sees: [String] = ["says ok"]
        var stopReason: ACP.StopReason = .endTurn
        var noise = 0
        var testDescription: String { what }
    }

    private static func update(_ update: String) -> String {
        #"{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":\#(update)}}"#
    }
    private static let ok =
        update(#"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"ok"}}"#) + "\n"
    private static let end = #"{"jsonrpc":"2.0","id":ID,"result":{"stopReason":"end_turn"}}"# + "\n"

    static let cases = [
        Case(what: "a problem", writes: "Welcome to agent 3!\n\u{1B}[1mINFO\u{1B}[0m ready\n" + ok + end, noise: 2),
        Case(
            what: "an unknown update",
            writes: update(#"{"sessionUpdate":"dance","x":1}"#) + "\n" + ok + end,
            sees: ["unknown dance", "says ok"]
        ),
        Case(
            what: "unknown content",
            writes: update(#"{"sessionUpdate":"agent_message_chunk","content":{"type":"hologram"}}"#) + "\n" + end,
            sees: ["says unknown hologram"]
        ),
        Case(
            what: "an unknown tool kind and status",
            writes: update(
                #"{"sessionUpdate":"tool_call","toolCallId":"1","title":"t","kind":"teleport","status":"paused"}"#
            )
                + "\n" + end,
            sees: ["calls t kind teleport"]
        ),
        Case(
            what: "a kind of another type",
            writes: update(#"{"sessionUpdate":"tool_call","toolCallId":"1","title":"t","kind":7}"#) + "\n" + end,
            sees: ["calls t kind -"]
        ),
        Case(
            what: "an unknown stop reason",
            writes: ok + #"{"jsonrpc":"2.0","id":ID,"result":{"stopReason":"bored","extra":[1]}}"# + "\n",
            stopReason: ACP.StopReason(rawValue: "bored")
        ),
        Case(
            what: "null where a value must be",
            writes: update(#"{"sessionUpdate":"usage_update","used":null,"size":5}"#) + "\n" + ok + end,
            sees: ["unknown usage_update", "says ok"]
        ),
        Case(
            what: "no session",
            writes: #"{"jsonrpc":"2.0","method":"session/update","params":{}}"# + "\n" + ok + end,
            noise: 1
        ),
        Case(
            what: "broken JSON",
            writes: #"{"jsonrpc":"2.0","method":"session/upd"# + "\n" + ok + "}\n" + end,
            noise: 2
        ),
        Case(what: "JSON that is no message", writes: "7\n[]\n{}\nnull\n\"x\"\n" + ok + end, noise: 4),
        Case(what: "blank lines", writes: "\n\n\r\n  \n" + ok + "\n" + end, noise: 0),
        Case(
            what: "an id as a text",
            writes: ok + #"{"jsonrpc":"2.0","id":"ID","result":{"stopReason":"end_turn"}}"# + "\n"
        ),
        Case(
            what: "answers with no, null and strange ids",
            writes: #"{"jsonrpc":"2.0","id":null,"result":{}}"# + "\n" + #"{"jsonrpc":"2.0","id":1.5,"result":{}}"#
                + "\n"
                + #"{"jsonrpc":"2.0","result":{}}"# + "\n" + ok + end,
            noise: 1
        ),
        Case(
            what: "stray and repeated answers",
            writes: #"{"jsonrpc":"2.0","id":999,"result":{}}"# + "\n" + ok + end + end
                + #"{"jsonrpc":"2.0","id":ID,"error":{"code":1,"message":"late"}}"# + "\n"
        ),
        Case(
            what: "numbers beyond 64 bits",
            writes: update(#"{"sessionUpdate":"usage_update","used":18446744073709551615,"size":5}"#) + "\n"
                + update(#"{"sessionUpdate":"usage_update","used":18446744073709551616,"size":5}"#) + "\n" + end,
            sees: ["used 18446744073709551615", "unknown usage_update"]
        ),
        Case(
            what: "half a surrogate pair",
            writes: update(#"{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"\ud83d"}}"#) + "\n"
                + end,
            sees: ["says \u{FFFD}"]
        ),
        Case(what: "carriage returns", writes: (ok + end).replacing("\n", with: "\r\n")),
        Case(
            what: "UTF-8 of several bytes",
            writes: ok.replacing("ok", with: "z\u{F6}e \u{1F600}") + end,
            sees: ["says z\u{F6}e \u{1F600}"]
        ),
        Case(what: "a batch", writes: "[" + ok.dropLast() + "," + end.dropLast() + "]\n"),
        Case(what: "a byte order mark", writes: "\u{FEFF}" + ok + end),
        Case(
            what: "a whole turn in one write",
            writes: String(repeating: ok, count: 5) + end,
            sees: Array(repeating: "says ok", count: 5)
        ),
        Case(what: "no version of JSON-RPC", writes: ok.replacing(#""jsonrpc":"2.0","#, with: "") + end),
        Case(
            what: "parameters of another kind",
            writes: #"{"jsonrpc":"2.0","method":"session/update","params":[1]}"# + "\n" + ok + end,
            noise: 1
        ),
    ]

    @Test(arguments: cases, [false, true])
    func `a turn goes on`(_ nasty: Case, bytewise: Bool) async throws {
        let seen = Recorder<String>()
        var handlers = ACPClient.Handlers()
        handlers.update = { seen.add($0.update.summary) }
        let (reason, noise) = try await ScriptedAgent.with(handlers) { agent in
            let prompt = try await agent.expect("session/prompt")
            let text = nasty.writes.replacing("ID", with: prompt["id"]?.description ?? "")
            if bytewise {
                for byte in text.utf8 { try await agent.bytes.write([byte]) }
            } else {
                try await agent.write(text)
            }
            // The line is still good after all that.
            let second = try await agent.expect("session/prompt")
            try await agent.answer(second, ["stopReason": "end_turn"])
        } client: { client in
            let turn = try await client.prompt("go", in: "s")
            let seenAtEnd = seen.all
            #expect(seenAtEnd == nasty.sees)
            let second = try await client.prompt("again", in: "s")
            #expect(second.stopReason == .endTurn)
            return (turn.stopReason, client.noise.count)
        }
        #expect(reason == nasty.stopReason)
        #expect(noise == nasty.noise)
    }

    @Test(arguments: [200_000, 8_000_000])
    func `a long line keeps its place`(bytes: Int) async throws {
        let seen = Recorder<String>()
        var handlers = ACPClient.Handlers()
        handlers.update = { seen.add($0.update.summary) }
        try await ScriptedAgent.with(handlers) { agent in
            let prompt = try await agent.expect("session/prompt")
            try await agent.say("before")
            try await agent.say(String(repeating: "x", count: bytes))
            try await agent.say("after")
            try await agent.answer(prompt, ["stopReason": "end_turn"])
        } client: { client in
            _ = try await client.prompt("go", in: "s")
        }
        #expect(seen.all == ["says before", "says \(bytes) bytes", "says after"])
    }

    @Test func `an agent that ends in the middle of a line, or of a turn, fails what is open with its last words`()
        async throws
    {
        let end = try await ScriptedAgent.with { agent in
            for _ in 0..<5 { _ = try await agent.next() }
            agent.bytes.writeDiagnostics(Array("Traceback\nopenai.AuthenticationError: Error code: 401\n".utf8))
            try await agent.write(#"{"jsonrpc":"2.0","id":1,"res"#)
            agent.bytes.end(.signaled("KILL"))
        } client: { client in
            let failures = await withTaskGroup(of: ACPError?.self) { group in
                for _ in 0..<5 {
                    group.addTask {
                        do {
                            _ = try await client.prompt("go", in: "s")
                            return nil
                        } catch { return error as? ACPError }
                    }
                }
                return await group.reduce(into: [ACPError?]()) { $0.append($1) }
            }
            #expect(failures.count == 5)
            for failure in failures {
                #expect(failure?.code == .agentExited)
                #expect(failure?.hint?.kind == .rejectedCredentials)
                #expect(failure?.message.contains("signal KILL") == true)
                #expect(failure?.message.contains("Error code: 401") == true)
            }
            await #expect(throws: ACPError.self) { try await client.newSession(in: "/") }
            return try await client.ended() as? ACPError
        }
        #expect(end?.code == .agentExited)
    }

    @Test func `a cut connection is told apart from an end`() async throws {
        let failure = try await ScriptedAgent.with { agent in
            _ = try await agent.next()
            agent.bytes.cut()
        } client: { client in
            await #expect { try await client.prompt("go", in: "s") } throws: {
                ($0 as? ACPError)?.code == .connectionLost
            }
            return try await client.ended() as? ACPError
        }
        #expect(failure?.recovery == .checkNetwork)
    }

    @Test func `updates behind the answer still come`() async throws {
        let seen = Recorder<String>()
        let last = EventualValue<Void>()
        var handlers = ACPClient.Handlers()
        handlers.update = {
            seen.add($0.update.summary)
            if case .usageUpdate = $0.update { last.resolve(()) }
        }
        try await ScriptedAgent.with(handlers) { agent in
            let prompt = try await agent.expect("session/prompt")
            try await agent.answer(prompt, ["stopReason": "end_turn"])
            try await agent.update(["sessionUpdate": "usage_update", "used": 3, "size": 9])
        } client: { client in
            _ = try await client.prompt("go", in: "s")
            try await last.cancellableValue()
        }
        #expect(seen.all == ["used 3"])
    }

    @Test func `requests are answered while a person thinks about a permission`() async throws {
        let mayAnswer = EventualValue<Void>()
        var handlers = ACPClient.Handlers()
        handlers.permission = { question in
            try await mayAnswer.cancellableValue()
            return question.choosing(question.options[0])
        }
        handlers.readTextFile = { ACP.ReadTextFileResponse(content: "content of \($0.path)") }
        try await ScriptedAgent.with(handlers) { agent in
            let prompt = try await agent.expect("session/prompt")
            try await agent.send(Permission.request(id: "p"))
            try await agent.send([
                "jsonrpc": "2.0", "id": 0, "method": "fs/read_text_file", "params": ["sessionId": "s", "path": "/a"],
            ])
            let file = try await agent.next()
            #expect(file == ["jsonrpc": "2.0", "id": 0, "result": ["content": "content of /a"]])
            mayAnswer.resolve(())
            let permission = try await agent.next()
            #expect(permission?["id"] == "p")
            #expect(permission?["result"] == ["outcome": ["outcome": "selected", "optionId": "yes"]])
            try await agent.answer(prompt, ["stopReason": "end_turn"])
        } client: { client in
            _ = try await client.prompt("go", in: "s")
        }
    }
}

/// A question about a tool call that was only named.
enum Permission {
    static func request(id: JSONValue, options: JSONValue? = nil) -> JSONValue {
        [
            "jsonrpc": "2.0", "id": id, "method": "session/request_permission",
            "params": [
                "sessionId": "s", "toolCall": ["toolCallId": "t1"],
                "options": options ?? [
                    ["optionId": "yes", "name": "Allow", "kind": "allow_once"],
                    ["optionId": "always", "name": "Allow always", "kind": "allow_always"],
                    ["optionId": "no", "name": "Deny", "kind": "reject_once"],
                ],
            ],
        ]
    }
}

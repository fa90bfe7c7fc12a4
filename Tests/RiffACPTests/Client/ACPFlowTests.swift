// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffCore
import RiffTesting
import Synchronization
import TestSupport
import Testing

/// Slow consumers, paused ones, and agents that do not listen.
@Suite(.timeLimit(.minutes(5))) struct ACPFlowTests {
    @Test func `a connection that is to be kept alive is pinged, until its end`() async throws {
        let clock = ManualClock()
        let configuration = ACPClient.Configuration(closeGrace: .zero, keepalive: .seconds(30), clock: clock)
        try await ScriptedAgent.with(ACPClient.Handlers(), configuration) { agent in
            for _ in 0..<2 {
                let ping = try await agent.expect("$/ping")
                #expect(ping["id"] == nil)
            }
            #expect(try await agent.next() == nil)
        } client: { _ in
            // The handshake's deadline is the other sleeper.
            for _ in 0..<2 {
                await clock.sleepers(2)
                clock.advance(by: .seconds(30))
            }
            await clock.sleepers(2)
        }
    }

    @Test func `a stalled consumer loses nothing, pieces of text are joined, and the agent waits`() async throws {
        let mayGoOn = EventualValue<Void>()
        let seen = Recorder<String>()
        var handlers = ACPClient.Handlers()
        handlers.update = {
            await mayGoOn.value()
            seen.add($0.update.fullSummary)
        }
        let configuration = ACPClient.Configuration(bufferedBytes: 64 * 1024, closeGrace: .zero)
        let written = Recorder<Int>()
        try await ScriptedAgent.with(handlers, configuration, bufferedBytes: 4 * 1024) { agent in
            let prompt = try await agent.expect("session/prompt")
            for number in 0..<20_000 {
                try await agent.say("\(number) ")
                if number % 1000 == 999 {
                    try await agent.update([
                        "sessionUpdate": "tool_call", "toolCallId": .string("t\(number)"),
                        "title": .string("tool \(number)"),
                    ])
                }
                written.add(number)
                // Far more than may be buffered, and then the consumer wakes up.
                if number == 4_000 { mayGoOn.resolve(()) }
            }
            try await agent.answer(prompt, ["stopReason": "end_turn"])
        } client: { client in
            _ = try await client.prompt("go", in: "s")
        }
        var expected = ""
        for number in 0..<20_000 {
            expected += "\(number) "
            if number % 1000 == 999 { expected += "[tool \(number)]" }
        }
        #expect(seen.all.joined() == expected)
        #expect(seen.all.count < 20_020)
    }

    @Test func `an agent is never far ahead of a slow consumer`() async throws {
        let written = Atomic(0)
        let handled = Atomic(0)
        let lead = Atomic(0)
        var handlers = ACPClient.Handlers()
        handlers.update = { _ in
            let ahead = written.load(ordering: .relaxed) - handled.add(1, ordering: .relaxed).newValue
            lead.max(ahead, ordering: .relaxed)
            await Task.yield()
        }
        let configuration = ACPClient.Configuration(bufferedBytes: 32 * 1024, closeGrace: .zero)
        try await ScriptedAgent.with(handlers, configuration, bufferedBytes: 4 * 1024) { agent in
            let prompt = try await agent.expect("session/prompt")
            for number in 0..<20_000 {
                try await agent.update(["sessionUpdate": "tool_call", "toolCallId": "t", "title": .string("\(number)")])
                written.add(1, ordering: .relaxed)
            }
            try await agent.answer(prompt, ["stopReason": "end_turn"])
        } client: { client in
            _ = try await client.prompt("go", in: "s")
        }
        #expect(handled.load(ordering: .relaxed) == 20_000)
        // 40 KiB of lines of more than 100 bytes, what the channel holds, and what is being handed on.
        #expect(lead.load(ordering: .relaxed) < 1_000)
    }

    @Test func `a paused client shows nothing, and goes on where it was`() async throws {
        let seen = Recorder<String>()
        let asked = EventualValue<Void>()
        let resumed = EventualValue<Void>()
        var handlers = ACPClient.Handlers()
        handlers.update = { seen.add($0.update.summary) }
        handlers.permission = { question in
            asked.resolve(())
            return question.choosing(question.options[0])
        }
        try await ScriptedAgent.with(handlers) { agent in
            let prompt = try await agent.expect("session/prompt")
            try await agent.say("while paused")
            try await agent.send(Permission.request(id: 1))
            // Proof that the client has read all of that.
            try await agent.send(["jsonrpc": "2.0", "id": 2, "method": "_ping", "params": [:]])
            #expect(try await agent.next()?["id"] == 2)
            #expect(seen.all == [] && asked.current == nil)
            resumed.resolve(())
            #expect(try await agent.next()?["result"]?["outcome"]?["optionId"] == "yes")
            try await agent.answer(prompt, ["stopReason": "end_turn"])
        } client: { client in
            client.pause()
            async let turn = client.prompt("go", in: "s")
            await resumed.value()
            client.resume()
            let reason = try await turn.stopReason
            #expect(reason == .endTurn)
        }
        #expect(seen.all == ["says while paused"])
    }

    @Test func `a handler may ask the agent something`() async throws {
        let (handle, client) = (EventualValue<ACPClient>(), Recorder<String>())
        var handlers = ACPClient.Handlers()
        handlers.update = { _ in
            do { try await handle.value().setMode("code", of: "s") } catch { client.add("\(error)") }
        }
        try await ScriptedAgent.with(handlers) { agent in
            let prompt = try await agent.expect("session/prompt")
            try await agent.say("x")
            try await agent.answer(try await agent.expect("session/set_mode"), [:])
            try await agent.answer(prompt, ["stopReason": "end_turn"])
        } client: { client in
            handle.resolve(client)
            _ = try await client.prompt("go", in: "s")
        }
        #expect(client.all == [])
    }
}

extension ACP.SessionUpdate {
    fileprivate var fullSummary: String {
        switch self {
        case .agentMessageChunk(let chunk): if case .text(let text) = chunk.content { text.text } else { "" }
        case .toolCall(let call): "[\(call.title)]"
        default: "?"
        }
    }
}

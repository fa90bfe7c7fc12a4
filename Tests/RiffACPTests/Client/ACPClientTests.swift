// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffCore
import RiffTesting
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ACPClientTests {
    /// Answers each prompt, and takes what a script does before.
    private func turn(
        _ handlers: ACPClient.Handlers = ACPClient.Handlers(),
        _ configuration: ACPClient.Configuration = ACPClient.Configuration(closeGrace: .zero),
        agent script: @escaping @Sendable (ScriptedAgent) async throws -> Void
    ) async throws {
        try await ScriptedAgent.with(handlers, configuration) { agent in
            let prompt = try await agent.expect("session/prompt")
            try await script(agent)
            try await agent.answer(prompt, ["stopReason": "end_turn"])
        } client: { client in
            _ = try await client.prompt("go", in: "s")
        }
    }

    // MARK: Handshake

    @Test func `only what has a handler is offered`() async throws {
        let (mine, theirs) = InMemoryByteChannel.makePair()
        let agent = ScriptedAgent(theirs)
        var handlers = ACPClient.Handlers()
        handlers.readTextFile = { _ in ACP.ReadTextFileResponse(content: "") }
        async let hello = {
            let hello = try await agent.expect("initialize")
            try await agent.answer(hello, ["protocolVersion": 1])
            return hello
        }()
        try await withACPClient(
            .channel(ACPLineChannel(mine)),
            configuration: ACPClient.Configuration(closeGrace: .zero),
            handlers: handlers
        ) { client in
            #expect(client.agent.agentCapabilities.loadSession == false)
        }
        let params = try await hello["params"]
        #expect(params?["protocolVersion"] == 1)
        #expect(
            params?["clientCapabilities"] == [
                "fs": ["readTextFile": true], "session": ["configOptions": ["boolean": [:]]],
            ]
        )
    }

    @Test func `another version of the protocol is refused`() async throws {
        let (mine, theirs) = InMemoryByteChannel.makePair()
        let agent = ScriptedAgent(theirs)
        async let script: Void = {
            try await agent.answer(try await agent.expect("initialize"), ["protocolVersion": 2])
        }()
        await #expect { try await withACPClient(.channel(ACPLineChannel(mine))) { _ in } } throws: {
            ($0 as? ACPError)?.code == .unsupportedVersion
        }
        try await script
    }

    @Test func `an agent that cannot be started is the start's failure`() async throws {
        struct Broken: Error {}
        let source = ACPAgentSource("nobody") { throw Broken() }
        await #expect { try await withACPClient(source) { _ in } } throws: { ($0 as? ACPError)?.code == .notStarted }
    }

    // MARK: Gates

    @Test func `what the agent does not offer is not asked`() async throws {
        try await ScriptedAgent.with { agent in
            let message = try await agent.next()
            #expect(message == nil)
        } client: { client in
            let load = ACP.LoadSessionRequest(mcpServers: [], cwd: "/", sessionID: "s")
            let picture = ACP.ContentBlock.image(ACP.ImageContent(data: "", mimeType: "image/png"))
            #expect(await code { try await client.closeSession("s") } == .notOffered)
            #expect(await code { _ = try await client.listSessions() } == .notOffered)
            #expect(await code { try await client.deleteSession("s") } == .notOffered)
            #expect(await code { try await client.logout() } == .notOffered)
            #expect(await code { _ = try await client.loadSession(load) } == .notOffered)
            #expect(await code { _ = try await client.prompt([picture], in: "s") } == .notOffered)
            #expect(
                await code { _ = try await client.newSession(in: "/", additionalDirectories: ["/b"]) } == .notOffered
            )
            #expect(await code { _ = try await client.newSession(in: "relative") } == .invalidParameter)
        }
    }

    @Test func `what it offers is asked, and answers of null are taken`() async throws {
        try await ScriptedAgent.with(capabilities: [
            "sessionCapabilities": ["close": [:], "list": [:]], "loadSession": true,
        ]) {
            agent in
            try await agent.answer(try await agent.expect("session/close"), nil)
            try await agent.answer(
                try await agent.expect("session/list"),
                ["sessions": [["sessionId": "a", "cwd": "/"]]]
            )
            let load = try await agent.expect("session/load")
            try await agent.say("replayed")
            try await agent.answer(load, nil)
        } client: { client in
            try await client.closeSession("s")
            #expect(try await client.listSessions().sessions.map(\.sessionID) == ["a"])
            let load = ACP.LoadSessionRequest(mcpServers: [], cwd: "/", sessionID: "s")
            #expect(try await client.loadSession(load).modes == nil)
        }
    }

    @Test func `notifications that it takes are sent, and no others`() async throws {
        let opened = ACP.DidOpenDocumentNotification(
            sessionID: "s",
            uri: "file:///a",
            languageID: "swift",
            version: 1,
            text: "x"
        )
        let saved = ACP.DidSaveDocumentNotification(sessionID: "s", uri: "file:///a")
        try await ScriptedAgent.with(capabilities: ["nes": ["events": ["document": ["didOpen": [:]]]]]) { agent in
            let message = try await agent.expect("document/didOpen")
            #expect(message["id"] == nil)
            #expect(message["params"]?["uri"] == "file:///a")
            #expect(try await agent.next() == nil)
        } client: { client in
            try client.notify(opened)
            #expect(await code { try client.notify(saved) } == .notOffered)
        }
    }

    // MARK: Requests of the agent

    @Test func `requests that nobody handles are answered so`() async throws {
        try await turn { agent in
            for (method, id) in [("fs/read_text_file", 1), ("terminal/create", nil), ("_x/y", "a"), ("no/such", 1.5)]
                as [(String, JSONValue)]
            {
                try await agent.send(["jsonrpc": "2.0", "id": id, "method": .string(method), "params": [:]])
                let answer = try await agent.next()
                #expect(answer?["id"] == id)
                #expect(answer?["error"]?["code"] == -32601)
            }
        }
    }

    @Test func `parameters that cannot be read are answered so, and so are a handler's errors`() async throws {
        var handlers = ACPClient.Handlers()
        handlers.readTextFile = { request in
            if request.path == "/none" { throw ACP.RPCError.resourceNotFound("/none") }
            throw CoreError(.storeFailed, "The words for a person.")
        }
        try await turn(handlers) { agent in
            let cases: [(JSONValue, JSONValue)] = [
                (["sessionId": "s"], -32602), (["sessionId": "s", "path": "/none"], -32002),
                (["sessionId": "s", "path": "/x"], -32603),
            ]
            for (params, code) in cases {
                try await agent.send(["jsonrpc": "2.0", "id": 4, "method": "fs/read_text_file", "params": params])
                let answer = try await agent.next()
                #expect(answer?["error"]?["code"] == code)
            }
        }
    }

    @Test func `an agent may cancel its own request`() async throws {
        let wasCancelled = EventualValue<Bool>()
        var handlers = ACPClient.Handlers()
        handlers.extensionRequest = { _, _ in
            do { try await EventualValue<Void>().cancellableValue() } catch {
                wasCancelled.resolve(error is CancellationError)
            }
            return "too late"
        }
        try await turn(handlers) { agent in
            try await agent.send(["jsonrpc": "2.0", "id": "q", "method": "_slow", "params": [:]])
            try await agent.send(["jsonrpc": "2.0", "method": "$/cancel_request", "params": ["requestId": "q"]])
            let answer = try await agent.next()
            #expect(answer?["id"] == "q" && answer?["error"]?["code"] == -32800)
            #expect(await wasCancelled.value())
        }
    }

    // MARK: Permissions

    @Test func `without a handler a permission is denied, and never allowed for good`() async throws {
        try await turn { agent in
            try await agent.send(Permission.request(id: 1))
            #expect(try await agent.next()?["result"]?["outcome"] == ["outcome": "selected", "optionId": "no"])
            let onlyAllow: JSONValue = [["optionId": "a", "name": "A", "kind": "allow_always"]]
            try await agent.send(Permission.request(id: 2, options: onlyAllow))
            #expect(try await agent.next()?["result"]?["outcome"] == ["outcome": "cancelled"])
        }
    }

    @Test func `a permission that nobody answers in time is denied, and a late answer dropped`() async throws {
        let clock = ManualClock()
        let late = EventualValue<Void>()
        var handlers = ACPClient.Handlers()
        handlers.permission = { question in
            // Does not notice that it is cancelled.
            await late.value()
            return question.choosing(question.options[0])
        }
        let configuration = ACPClient.Configuration(permissionDeadline: .seconds(60), closeGrace: .zero, clock: clock)
        try await turn(handlers, configuration) { agent in
            try await agent.send(Permission.request(id: 1))
            // The question's own, beside that of the requests.
            await clock.sleepers(2)
            clock.advance(by: .seconds(60))
            #expect(try await agent.next()?["result"]?["outcome"] == ["outcome": "selected", "optionId": "no"])
            late.resolve(())
            try await agent.send(Permission.request(id: 2))
            #expect(try await agent.next()?["id"] == 2)
        }
    }

    @Test func `a question without a title gets the one that was announced, in one line without control characters`()
        async throws
    {
        let asked = EventualValue<ACPPermissionQuestion>()
        var handlers = ACPClient.Handlers()
        handlers.permission = { question in
            asked.resolve(question)
            return question.denial
        }
        try await turn(handlers) { agent in
            try await agent.update([
                "sessionUpdate": "tool_call", "toolCallId": "t1", "title": "rm \u{1B}[2J-rf\n/tmp/x\u{202E}",
            ])
            try await agent.send(Permission.request(id: 1))
            _ = try await agent.next()
        }
        let question = try #require(asked.current)
        #expect(question.title == "rm [2J-rf /tmp/x")
        #expect(question.options.map(\.kind) == [.allowOnce, .allowAlways, .rejectOnce])
    }

    // MARK: Cancelling

    @Test func `cancelling answers every open permission at once`() async throws {
        let asked = EventualValue<Void>()
        let count = Mutex(0)
        var handlers = ACPClient.Handlers()
        handlers.permission = { question in
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 3 { asked.resolve(()) }
            try await EventualValue<Void>().cancellableValue()
            return question.denial
        }
        let reason = try await ScriptedAgent.with(handlers) { agent in
            let prompt = try await agent.expect("session/prompt")
            for id in 1...3 { try await agent.send(Permission.request(id: .integer(Int64(id)))) }
            _ = try await agent.expect("session/cancel")
            for id in 1...3 {
                let answer = try await agent.next()
                #expect(
                    answer == [
                        "jsonrpc": "2.0", "id": .integer(Int64(id)), "result": ["outcome": ["outcome": "cancelled"]],
                    ]
                )
            }
            try await agent.say("one more")
            try await agent.answer(prompt, ["stopReason": "cancelled"])
        } client: { client in
            async let turn = client.prompt("go", in: "s")
            await asked.value()
            client.cancel("s")
            return try await turn.stopReason
        }
        #expect(reason == .cancelled)
    }

    @Test func `a cancelled task cancels its turn, and its request`() async throws {
        let started = EventualValue<Void>()
        try await ScriptedAgent.with { agent in
            _ = try await agent.expect("session/prompt")
            started.resolve(())
            #expect(try await agent.next()?["method"] == "$/cancel_request")
            #expect(try await agent.next()?["method"] == "session/cancel")
            let other = try await agent.expect("_slow")
            started.resolve(())
            #expect(try await agent.next()?["params"]?["requestId"] == other["id"])
        } client: { client in
            let turn = Task { try await client.prompt("go", in: "s") }
            await started.value()
            turn.cancel()
            await #expect(throws: CancellationError.self) { try await turn.value }
            let other = Task { try await client.extensionRequest("_slow", [:]) }
            // Cancelled before or after it was sent: both must come through.
            other.cancel()
            await #expect(throws: CancellationError.self) { try await other.value }
        }
    }

    @Test func `a request without an answer in time fails, and its late answer is dropped`() async throws {
        let clock = ManualClock()
        let configuration = ACPClient.Configuration(closeGrace: .zero, clock: clock)
        try await ScriptedAgent.with(configuration: configuration) { agent in
            let request = try await agent.expect("session/new")
            await clock.sleepers(1)
            clock.advance(by: .seconds(120))
            #expect(try await agent.next()?["params"]?["requestId"] == request["id"])
            try await agent.answer(request, ["sessionId": "s"])
            let prompt = try await agent.expect("session/prompt")
            // A turn has no deadline.
            clock.advance(by: .seconds(100_000))
            try await agent.answer(prompt, ["stopReason": "end_turn"])
        } client: { client in
            await #expect { try await client.newSession(in: "/") } throws: { ($0 as? ACPError)?.code == .timeout }
            let turn = try await client.prompt("go", in: "s")
            #expect(turn.stopReason == .endTurn)
        }
    }

    // MARK: Errors

    @Test func `an agent's error keeps its number, its words and what is probably wrong`() async throws {
        try await ScriptedAgent.with { agent in
            let request = try await agent.expect("session/new")
            try await agent.send([
                "jsonrpc": "2.0", "id": request["id"] ?? .null,
                "error": ["code": -32000, "message": "Authentication \u{1B}[31mrequired", "data": ["authMethods": []]],
            ])
            let second = try await agent.expect("session/new")
            try await agent.send(["jsonrpc": "2.0", "id": second["id"] ?? .null, "error": "no object"])
            try await agent.answer(try await agent.expect("session/new"), ["wrong": 1])
        } client: { client in
            await #expect { try await client.newSession(in: "/") } throws: { error in
                let error = error as? ACPError
                return error?.code == .answeredWithError && error?.answer?.code == .authenticationRequired
                    && error?.answer?.data == ["authMethods": []] && error?.hint?.kind == .authenticationRequired
                    && error?.message.contains("\u{1B}") == false
            }
            await #expect { try await client.newSession(in: "/") } throws: {
                ($0 as? ACPError)?.answer?.message == "no object"
            }
            await #expect { try await client.newSession(in: "/") } throws: {
                ($0 as? ACPError)?.code == .unexpectedAnswer
            }
        }
    }
}

extension ScriptedAgent {
    /// The same without handlers.
    static func with<Result: Sendable>(
        configuration: ACPClient.Configuration,
        agent script: @escaping @Sendable (ScriptedAgent) async throws -> Void,
        client body: @Sendable (ACPClient) async throws -> Result
    ) async throws -> Result {
        try await with(ACPClient.Handlers(), configuration, agent: script, client: body)
    }
}

/// The code of the error that a call throws.
func code(_ call: () async throws -> Void) async -> ACPError.Code? {
    do { try await call() } catch { return (error as? ACPError)?.code }
    return nil
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffCore
import RiffTesting
import TestSupport
import Testing

/// Both sides of ours against each other.
@Suite(.timeLimit(.minutes(5))) struct ACPAgentTests {
    private func with(
        _ agent: ACPAgentHandlers,
        _ handlers: ACPClient.Handlers = ACPClient.Handlers(),
        client body: @Sendable (ACPClient) async throws -> Void
    ) async throws {
        let (mine, theirs) = InMemoryByteChannel.makePair()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await serveACPAgent(on: ACPLineChannel(theirs), handlers: agent) }
            try await withACPClient(
                .channel(ACPLineChannel(mine)),
                configuration: ACPClient.Configuration(closeGrace: .zero),
                handlers: handlers,
                body
            )
            try await group.waitForAll()
        }
    }

    private func agent(
        prompt: @escaping @Sendable (ACP.PromptRequest, ACPAgentConnection) async throws -> ACP.PromptResponse
    ) -> ACPAgentHandlers {
        ACPAgentHandlers(
            info: ACP.Implementation(name: "echo", version: "1"),
            newSession: { _, _ in ACP.NewSessionResponse(sessionID: "s") },
            prompt: prompt
        )
    }

    @Test func `a client and an agent hold a conversation`() async throws {
        let agent = agent { request, client in
            guard case .text(let text) = request.prompt[0] else { throw ACP.RPCError.invalidParams("text only") }
            let call = ACP.ToolCallUpdate(toolCallID: "t", title: .set("write"))
            let options = [ACP.PermissionOption(optionID: "yes", name: "Yes", kind: .allowOnce)]
            let question = ACP.RequestPermissionRequest(sessionID: request.sessionID, toolCall: call, options: options)
            guard case .selected(let choice) = try await client.request(question).outcome, choice.optionID == "yes"
            else {
                return ACP.PromptResponse(stopReason: .refusal)
            }
            let file = ACP.ReadTextFileRequest(sessionID: request.sessionID, path: "/a")
            let content = try await client.request(file).content
            client.say("\(text.text) \(content)", in: request.sessionID)
            return ACP.PromptResponse(stopReason: .endTurn)
        }
        let conversation = ACPConversation()
        var handlers = conversation.handlers
        handlers.permission = { $0.choosing($0.options[0]) }
        handlers.readTextFile = { ACP.ReadTextFileResponse(content: "is in \($0.path)") }
        try await with(agent, handlers) { client in
            #expect(client.agent.agentInfo?.name == "echo")
            try await conversation.start(on: client, in: "/")
            try await conversation.send("it")
        }
        let chat = await conversation.current
        #expect(chat.groups[0].entries.compactMap { $0.kind.message?.text } == ["it is in /a"])
        #expect(chat.transcript.turn == .idle(.endTurn))
    }

    @Test func `a cancelled turn ends as such although the agent does not notice`() async throws {
        let started = EventualValue<Void>()
        let release = EventualValue<Void>()
        let agent = agent { _, _ in
            started.resolve(())
            await release.value()
            return ACP.PromptResponse(stopReason: .endTurn)
        }
        try await with(agent) { client in
            async let turn = client.prompt("go", in: "s")
            await started.value()
            client.cancel("s")
            let reason = try await turn.stopReason
            #expect(reason == .cancelled)
            release.resolve(())
        }
    }

    @Test func `what an agent does not know it refuses`() async throws {
        try await with(agent { _, _ in throw ACP.RPCError.resourceNotFound("that") }) { client in
            await #expect { try await client.prompt("go", in: "s") } throws: {
                ($0 as? ACPError)?.answer?.code == .resourceNotFound
            }
            await #expect { try await client.extensionRequest("_x", [:]) } throws: {
                ($0 as? ACPError)?.answer?.code == .methodNotFound
            }
        }
    }
}

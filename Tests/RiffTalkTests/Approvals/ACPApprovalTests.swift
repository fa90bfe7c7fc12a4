// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffCore
import RiffTalk
import RiffTesting
import TestSupport
import Testing

/// An agent over the Agent Client Protocol asks in a hands-free conversation, as the guide on talking does it.
@Suite(.timeLimit(.minutes(5)))
struct ACPApprovalTests {
    private static let options = [
        ACP.PermissionOption(optionID: "always", name: "Always", kind: .allowAlways),
        ACP.PermissionOption(optionID: "once", name: "Yes", kind: .allowOnce),
        ACP.PermissionOption(optionID: "no", name: "No", kind: .rejectOnce),
    ]

    private static func agent(_ outcome: EventualValue<ACP.RequestPermissionOutcome>) -> ACPAgentHandlers {
        ACPAgentHandlers(
            newSession: { _, _ in ACP.NewSessionResponse(sessionID: "s") },
            prompt: { request, client in
                let call = ACP.ToolCallUpdate(toolCallID: "t", title: .set("Remove the folder build"))
                let question = ACP.RequestPermissionRequest(
                    sessionID: request.sessionID,
                    toolCall: call,
                    options: options
                )
                outcome.resolve(try await client.request(question).outcome)
                client.say("I am done.", in: request.sessionID)
                return ACP.PromptResponse(stopReason: .endTurn)
            }
        )
    }

    @Test(arguments: [("yes, go ahead", "once"), ("okay, wait, don't", "no"), ("yes always", "no")])
    func `its question is read out, and answered by what is said`(words: String, option: String) async throws {
        var policy = ConversationPolicy(endpoint: ConversationTests.Lab.prompt)
        policy.approvals.settling = .zero
        let lab = ConversationTests.Lab(policy: policy)
        let outcome = EventualValue<ACP.RequestPermissionOutcome>()
        let (mine, theirs) = InMemoryByteChannel.makePair()
        var handlers = ACPClient.Handlers()
        handlers.permission = { question in
            let id = ApprovalRequest.ID(rawValue: question.request.toolCall.toolCallID.rawValue)
            let request = ApprovalRequest(id: id, question: "May the agent do this, \(question.title)?")
            switch (await lab.conversation.ask(request), question.allowOnce) {
            case (.allowedOnce, let once?): return question.choosing(once)
            default: return question.denial
            }
        }
        await lab.conversation.start()
        _ = try await lab.listening(1)
        async let serving: Void = serveACPAgent(on: ACPLineChannel(theirs), handlers: Self.agent(outcome))
        let configuration = ACPClient.Configuration(closeGrace: .zero)
        try await withACPClient(.channel(ACPLineChannel(mine)), configuration: configuration, handlers: handlers) {
            client in
            let session = try await client.newSession(in: "/").sessionID
            async let turn = client.prompt([.text(ACP.TextContent(text: "clean up"))], in: session)
            // It is read twice at most.
            for reading in 1...2 {
                try await waitUntil { lab.voice.texts.count >= reading || outcome.current != nil }
                guard outcome.current == nil else { break }
                lab.say(words, in: try await lab.listening(reading + 1))
            }
            #expect(try await turn.stopReason == .endTurn)
        }
        await serving
        await lab.conversation.stop()
        guard case .selected(let choice) = try await outcome.cancellableValue() else {
            Issue.record("nothing was chosen")
            return
        }
        #expect(choice.optionID.rawValue == option)
        #expect(lab.voice.texts.first == "May the agent do this, Remove the folder build?")
        #expect(await lab.typed.texts.isEmpty, "an answer is no prompt")
    }

    @Test func `what several options mean is for a person who sees them`() {
        let twice = Self.options + [ACP.PermissionOption(optionID: "other", name: "Yes, once", kind: .allowOnce)]
        for (options, id) in [(Self.options, "once"), (twice, nil), ([Self.options[0]], nil)] {
            let request = ACP.RequestPermissionRequest(
                sessionID: "s",
                toolCall: ACP.ToolCallUpdate(toolCallID: "t"),
                options: options
            )
            #expect(ACPPermissionQuestion(request).allowOnce?.id.rawValue == id)
        }
    }
}

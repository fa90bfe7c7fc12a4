// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffCore
import RiffTalk
import RiffTesting
import RiffVoice
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SpokenChatTests {
    struct Broken: Error {}

    /// An agent over the protocol, its client, and a hands-free conversation with it.
    @Test func `hands-free with an agent over ACP: each turn is a prompt, and its answer is heard`() async throws {
        let prompts = Mutex<[String]>([])
        let (mine, theirs) = InMemoryByteChannel.makePair()
        let handlers = ACPAgentHandlers(
            newSession: { _, _ in ACP.NewSessionResponse(sessionID: "s") },
            prompt: { request, client in
                let text = request.prompt.compactMap { if case .text(let part) = $0 { part.text } else { nil } }
                    .joined()
                let number = prompts.withLock { prompts in
                    prompts.append(text)
                    return prompts.count
                }
                client.say("I did **\(number)**. `ls` is code.", in: request.sessionID)
                return ACP.PromptResponse(stopReason: .endTurn)
            }
        )
        async let serving: Void = serveACPAgent(on: ACPLineChannel(theirs), handlers: handlers)
        let chat = ACPConversation()
        let configuration = ACPClient.Configuration(closeGrace: .zero)
        try await withACPClient(.channel(ACPLineChannel(mine)), configuration: configuration, handlers: chat.handlers) {
            client in
            try await chat.start(on: client, in: "/")
            let agent = SpokenChat("the agent") { text in
                try await chat.send(text)
                guard case .agent(let message)? = await chat.current.groups.last?.entries.last?.kind else { return nil }
                return message.text
            }
            let (recognizer, voice) = (
                ScriptedSpeechRecognizer(), ScriptedTextToSpeech(perCharacter: .milliseconds(1))
            )
            let conversation = Conversation(
                policy: ConversationPolicy(endpoint: ConversationTests.Lab.prompt),
                recognizer: recognizer,
                sink: agent,
                feed: agent,
                voice: AnswerVoice(voice) { MemoryAudioSink() }
            ) { MemoryAudioSource() }
            await conversation.start()
            for number in 1...3 {
                try await waitUntil { recognizer.turns.count >= number && conversation.current.isMicrophoneLive }
                let turn = recognizer.turns[number - 1]
                turn.tell(.speechStarted(at: .zero))
                turn.tell(.line(ConversationTests.Lab.line("question \(number)")))
                turn.tell(.speechEnded(at: .milliseconds(1)))
                try await waitUntil { voice.texts.count >= number }
            }
            await conversation.stop()
            await agent.shutdown()
            #expect(voice.texts == (1...3).map { "I did \($0). ls is code." } || voice.texts.count == 3)
        }
        await serving
        #expect(prompts.withLock { $0 } == (1...3).map { "question \($0)" })
    }

    @Test func `turns run one after another, drafts wait, and answers are told newest first`() async throws {
        let asked = Mutex<[String]>([])
        let running = Mutex(0)
        let most = Mutex(0)
        let chat = SpokenChat("x") { text in
            let now = running.withLock { running in
                running += 1
                return running
            }
            most.withLock { $0 = max($0, now) }
            for _ in 0..<10 { await Task.yield() }
            asked.withLock { $0.append(text) }
            running.withLock { $0 -= 1 }
            return "Answer to \(text)."
        }
        let start = try await chat.beginning()
        try await chat.type("a ", submit: false)
        for text in ["one ", "two ", "three "] { try await chat.type(text, submit: true) }
        try await waitUntil { asked.withLock { $0.count } == 3 }
        #expect(asked.withLock { $0 } == ["a one", "two", "three"])
        #expect(most.withLock { $0 } == 1)
        var time = start
        var last: AgentAnswer?
        while last?.content != .prose("Answer to three.") {
            let answer = try await chat.next(after: time)
            #expect(answer.time > time)
            time = answer.time
            last = answer
        }
        await chat.shutdown()
    }

    @Test func `a turn that fails is told once, and the next one is heard`() async throws {
        let calls = Mutex(0)
        let chat = SpokenChat("x") { _ in
            let number = calls.withLock { calls in
                calls += 1
                return calls
            }
            if number == 1 { throw Broken() }
            return "Well."
        }
        let start = try await chat.beginning()
        try await chat.type("one", submit: true)
        await #expect(throws: Broken.self) { try await chat.next(after: start) }
        try await chat.type("two", submit: true)
        #expect(try await chat.next(after: start).content == .prose("Well."))
        await chat.shutdown()
    }

    @Test func `no more than eight texts wait, and the end of the chat ends them`() async throws {
        let chat = SpokenChat("x") { _ in
            try await ManualClock().sleep(for: .seconds(1))
            return nil
        }
        for _ in 0..<8 { try await chat.type("again", submit: true) }
        let error = await #expect(throws: VoiceError.self) { try await chat.type("more", submit: true) }
        #expect(error?.code == .chatBusy)
        await chat.shutdown()
        await #expect(throws: (any Error).self) { try await chat.type("late", submit: true) }
    }
}

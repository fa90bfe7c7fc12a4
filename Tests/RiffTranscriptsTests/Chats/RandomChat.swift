// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffCore
import RiffGateway
import RiffHermes
import RiffHub
import RiffTesting
import RiffVoice

/// Chats of five kinds, each made by the type that a live one has.
struct RandomChat {
    private var generator: SeededGenerator
    private var count = 0

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// The next one; its third of five kinds follows the second, and so on.
    mutating func next() throws -> Chat {
        defer { count += 1 }
        // A few owners and names, so that many chats differ in one of the three parts alone.
        let owner = "owner\(Int.random(in: 0..<5, using: &generator))"
        let name = "\(count / 5)"
        switch count % 5 {
        case 0: return acp().chat(ChatID(.acp, owner: owner, name: name))
        case 1: return gateway().chat(ChatID(.gateway, owner: owner, name: name), model: "m")
        case 2: return try riff().chat(ChatID(.riff, owner: owner, name: name))
        case 3: return hub().chat(ChatID(.hub, owner: owner, name: name))
        default: return hermes().chat(ChatID(.hermes, owner: owner, name: name))
        }
    }

    private mutating func words() -> String {
        let some = ["build", "green", "日本語", "é", "🙂", "`code`", "\n", "  ", "\"", "\\", "naïve", "0", ":"]
        return (0..<Int.random(in: 1...8, using: &generator))
            .map { _ in some[Int.random(in: 0..<some.count, using: &generator)] }.joined(separator: " ") + " x\(count)"
    }

    private mutating func steps() -> Range<Int> { 0..<Int.random(in: 0...6, using: &generator) }

    private mutating func acp() -> ACPTranscript {
        var transcript = ACPTranscript()
        for step in steps() {
            transcript.promptSent([.text(ACP.TextContent(text: words()))])
            transcript.apply(.agentThoughtChunk(ACP.ContentChunk(content: .text(ACP.TextContent(text: words())))))
            let id = ACP.ToolCallID(rawValue: "call\(step % 2)")
            transcript.apply(
                .toolCall(ACP.ToolCall(toolCallID: id, title: "run", rawInput: ["command": .string(words())]))
            )
            transcript.apply(.agentMessageChunk(ACP.ContentChunk(content: .text(ACP.TextContent(text: words())))))
            if Bool.random(using: &generator) { transcript.turnEnded(.endTurn) } else { transcript.turnFailed("no") }
        }
        return transcript
    }

    private mutating func gateway() -> ChatThread {
        var thread = ChatThread()
        for _ in steps() {
            thread.ask(words())
            thread.grow(words())
            let call = ChatToolCall(
                id: "c",
                name: "look",
                arguments: Bool.random(using: &generator) ? "{\"a\":1}" : "{"
            )
            let ends: [ChatThread.Entry.State] = [.whole, .cut, .failed(reason: "no")]
            thread.end(ends[Int.random(in: 0..<3, using: &generator)], calling: [call])
        }
        return thread
    }

    private mutating func riff() throws -> MessageThread {
        var thread = MessageThread()
        var messages: [ConversationMessage] = []
        for step in steps() {
            messages.append(
                ConversationMessage(
                    id: try RiffIdentifier("m\(step)"),
                    role: step.isMultiple(of: 2) ? .user : .assistant,
                    text: words(),
                    attachments: ["a.png"],
                    time: TranscriptLab.noon + Double(step)
                )
            )
        }
        thread.handle(.resync(messages))
        let local = try RiffIdentifier("local\(count)")
        thread.handle(.sending(words(), id: local, time: TranscriptLab.noon + 60))
        if Bool.random(using: &generator) { thread.handle(.failed(local, reason: "no", mayHaveArrived: false)) }
        return thread
    }

    private mutating func hub() -> [HubChatMessage] {
        steps().map { step in
            let hasID = Bool.random(using: &generator)
            return HubChatMessage(
                step.isMultiple(of: 2) ? .user : .assistant,
                words(),
                time: TranscriptLab.noon + Double(step / 2),
                id: hasID ? HubChatMessage.ID(rawValue: "h\(step)") : nil,
                isBareAck: step == 5
            )
        }
    }

    private mutating func hermes() -> HermesTranscript {
        let messages = steps().flatMap { step -> [HermesMessage] in
            let (id, time) = (Int64(step * 3), TranscriptLab.noon + Double(step))
            var asked = HermesMessage(id: id, sessionID: "s", role: .user, content: words(), timestamp: time)
            asked.isActive = step != 4
            var called = HermesMessage(id: id + 1, sessionID: "s", role: .assistant, content: "", timestamp: time)
            called.toolCalls = [HermesMessage.ToolCall(id: "c\(step)", name: "run", arguments: "{\"x\":1}")]
            called.reasoning = "hm"
            var answer = HermesMessage(id: id + 2, sessionID: "s", role: .tool, content: words(), timestamp: time)
            answer.toolCallID = "c\(step)"
            return [asked, called, answer]
        }
        return HermesTranscript(session: nil, messages: messages)
    }
}

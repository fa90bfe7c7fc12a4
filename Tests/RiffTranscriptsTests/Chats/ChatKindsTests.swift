// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffCore
import RiffGateway
import RiffHermes
import RiffHub
import RiffVoice
import Testing

/// What each kind of live chat becomes.
@Suite(.timeLimit(.minutes(1)))
struct ChatKindsTests {
    private static func id(_ source: ChatSource) -> ChatID { ChatID(source, owner: "h", name: "s") }

    @Test func `an agent's turn over the protocol keeps its thoughts, calls and growing answer apart`() {
        var transcript = ACPTranscript()
        transcript.promptSent([.text(ACP.TextContent(text: "go"))])
        transcript.apply(.agentThoughtChunk(ACP.ContentChunk(content: .text(ACP.TextContent(text: "hm")))))
        let name = ACP.ToolCallID(rawValue: "c1")
        transcript.apply(.toolCall(ACP.ToolCall(toolCallID: name, title: "ls", rawInput: ["command": "ls"])))
        let answer = ACP.TextContent(text: "do")
        let message = ACP.MessageID(rawValue: "m1")
        transcript.apply(.agentMessageChunk(ACP.ContentChunk(content: .text(answer), messageID: message)))
        var entries = transcript.chat(Self.id(.acp)).entries
        #expect(entries.map(\.role) == [.user, .thought, .tool, .assistant])
        #expect(entries.map(\.text) == ["go", "hm", "", "do"])
        #expect(entries.map(\.state) == [.whole, .whole, .growing, .growing])
        #expect(entries[2].id == "call:c1" && entries[3].id == "message:m1")
        #expect(entries[2].toolCalls.map(\.name) == ["ls"] && entries[2].toolCalls[0].input == ["command": "ls"])

        transcript.turnFailed("no more")
        entries = transcript.chat(Self.id(.acp)).entries
        #expect(entries[2].state == .cut && entries[3].state == .failed(reason: "no more"))
    }

    @Test func `a gateway's refusal is the text of an answer without one`() {
        var thread = ChatThread()
        thread.ask("how?")
        thread.refuse("I may not.")
        thread.end(.whole)
        thread.ask("and?")
        thread.grow("half")
        thread.end(.cut)
        let chat = thread.chat(Self.id(.gateway), model: "m")
        #expect(chat.entries.map(\.text) == ["how?", "I may not.", "and?", "half"] && chat.model == "m")
        #expect(chat.entries.last?.state == .cut && Set(chat.entries.map(\.id)).count == 4)
    }

    @Test func `words on their way to a Riff server are sending, failed or the server's`() throws {
        var thread = MessageThread()
        let (first, second) = (try RiffIdentifier("a"), try RiffIdentifier("b"))
        thread.handle(.sending("one", id: first, time: 1))
        thread.handle(.sending("two", id: second, time: 2))
        thread.handle(.failed(second, reason: "no network", mayHaveArrived: false))
        let chat = thread.chat(Self.id(.riff))
        #expect(chat.entries.map(\.state) == [.sending, .failed(reason: "no network")])
        #expect(chat.entries.map(\.id) == ["local:a", "local:b"])
    }

    @Test func `messages of a hub that have one time and no names are told apart`() {
        let messages = [
            HubChatMessage(.user, "a", time: 1), HubChatMessage(.assistant, "b", time: 1),
            HubChatMessage(.assistant, "ack", time: 1, isBareAck: true), HubChatMessage(.activity, "read", time: 2),
            HubChatMessage(.assistant, "c", time: 2, id: HubChatMessage.ID(rawValue: "x")),
        ]
        let entries = messages.chat(Self.id(.hub)).entries
        #expect(entries.map(\.text) == ["a", "b", "c"])
        #expect(Set(entries.map(\.id)).count == 3 && entries[2].id == "id:x")
    }

    @Test func `what a tool returned to Hermes stands in its call, and what was taken back is gone`() {
        var called = HermesMessage(id: 2, sessionID: "s", role: .assistant, content: "look", timestamp: 2)
        called.toolCalls = [HermesMessage.ToolCall(id: "c", name: "read", arguments: "{\"path\":\"/a\"}")]
        called.reasoning = "hm"
        var answer = HermesMessage(id: 3, sessionID: "s", role: .tool, content: "text", timestamp: 3)
        answer.toolCallID = "c"
        var gone = HermesMessage(id: 4, sessionID: "s", role: .user, content: "no", timestamp: 4)
        gone.isActive = false
        let asked = HermesMessage(id: 1, sessionID: "s", role: .user, content: "hi", timestamp: 1)
        let chat = HermesTranscript(session: nil, messages: [asked, called, answer, gone]).chat(Self.id(.hermes))
        #expect(chat.entries.map(\.role) == [.user, .thought, .assistant])
        let call = chat.entries[2].toolCalls[0]
        #expect(call.input == ["path": "/a"] && call.output == "text" && call.status == "completed")
    }
}

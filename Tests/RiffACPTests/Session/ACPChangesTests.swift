// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffACP
import RiffCore
import TestSupport
import Testing

/// A reader that only appends what it is told has what the agent said.
@Suite(.timeLimit(.minutes(5))) struct ACPChangesTests {
    private static func block(_ text: String, annotated: Bool = false) -> JSONValue {
        var content: JSONObject = ["type": "text", "text": .string(text)]
        if annotated { content["annotations"] = ["priority": 1] }
        return ["sessionUpdate": "agent_message_chunk", "content": .object(content)]
    }

    private static let image: JSONValue = [
        "sessionUpdate": "agent_message_chunk", "content": ["type": "image", "data": "", "mimeType": "image/png"],
    ]

    @Test func `each piece of a message comes once, whatever stands between the texts`() throws {
        let updates: [(json: JSONValue, text: String)] = [
            (Self.block("a"), "a"), (Self.block("\u{E4}\u{1F600}"), "\u{E4}\u{1F600}"),
            (Self.block("b", annotated: true), "b"),
            (Self.block("c"), "c"), (Self.image, ""), (Self.block("d"), "d"), (Self.block("e", annotated: true), "e"),
            (Self.block("f"), "f"),
        ]
        var transcript = ACPTranscript()
        var (quick, slow) = (ACPTranscriptMarks(), ACPTranscriptMarks())
        var said = ""
        for (number, update) in updates.enumerated() {
            transcript.apply(try ACP.SessionUpdate(json: update.json))
            let growth = transcript.growth(since: &quick)
            let isNew = !update.text.isEmpty
            #expect(growth == (isNew ? [TextGrowth(id: 0, text: update.text, startsOver: number == 0)] : []))
            said += update.text
            if number == 1 { _ = transcript.growth(since: &slow) }
        }
        #expect(transcript.growth(since: &slow) == [TextGrowth(id: 0, text: String(said.dropFirst(3)))])
        var late = ACPTranscriptMarks()
        #expect(transcript.growth(since: &late) == [TextGrowth(id: 0, text: said, startsOver: true)])
        #expect(transcript.entries.first?.kind.message?.text == said)
    }

    @Test func `from any piece on, the text is told, however many parts of their own there are`() throws {
        var transcript = ACPTranscript()
        let pieces = (0..<20_000).map { "\($0)\u{E4}" }
        var (quick, slow) = (ACPTranscriptMarks(), ACPTranscriptMarks())
        var waiting = ""
        for (number, piece) in pieces.enumerated() {
            transcript.apply(try ACP.SessionUpdate(json: Self.block(piece, annotated: number % 7 != 0)))
            if number % 11 == 0 { transcript.apply(try ACP.SessionUpdate(json: Self.image)) }
            #expect(transcript.growth(since: &quick).map(\.text) == [piece])
            waiting += piece
            guard number % 97 == 0 else { continue }
            #expect(transcript.growth(since: &slow).map(\.text) == [waiting])
            waiting = ""
        }
        let message = transcript.entries.first?.kind.message
        #expect(message?.text == pieces.joined())
        // Neighboring texts with annotations stay apart, and each of the others is one.
        #expect(message?.content.count == pieces.count + (pieces.count + 10) / 11)
    }

    @Test func `no state is told twice, however much changes while a reader wakes up`() async throws {
        let conversation = ACPConversation(following: "s")
        let count = 5_000
        let readers = [
            Task { await Self.sizes(conversation.changes().map(\.chat), until: count) },
            Task { await Self.sizes(conversation.updates(), until: count) },
        ]
        let apply = try #require(conversation.handlers.update)
        for number in 0..<count {
            let update: JSONValue = ["sessionUpdate": "usage_update", "used": .integer(Int64(number + 1)), "size": 9]
            await apply(ACP.SessionNotification(sessionID: "s", update: try ACP.SessionUpdate(json: update)))
        }
        for reader in readers {
            let sizes = await reader.value
            #expect(sizes.last == count && zip(sizes, sizes.dropFirst()).allSatisfy { $0 < $1 })
        }
    }

    private static func sizes(_ chats: some AsyncSequence<ACPChat, Never>, until last: Int) async -> [Int] {
        var sizes: [Int] = []
        for await chat in chats {
            sizes.append(chat.transcript.usage.map { Int($0.used) } ?? 0)
            if sizes.last == last { break }
        }
        return sizes
    }

    @Test func `a conversation tells the person's words, then the agent's, and no tool call`() async throws {
        let conversation = ACPConversation()
        let reader = Task {
            var texts: [Int: String] = [:]
            for await update in conversation.changes() {
                for text in update.texts {
                    texts[text.id] = text.startsOver ? text.text : (texts[text.id] ?? "?") + text.text
                }
                if update.chat.transcript.turn == .idle(.endTurn) { break }
            }
            return texts
        }
        try await ScriptedAgent.with(conversation.handlers) { agent in
            try await agent.answer(try await agent.expect("session/new"), ["sessionId": "s"])
            let prompt = try await agent.expect("session/prompt")
            for number in 0..<200 { try await agent.say("\(number) ") }
            try await agent.update(["sessionUpdate": "tool_call", "toolCallId": "t", "title": "ls"])
            try await agent.say("done")
            try await agent.answer(prompt, ["stopReason": "end_turn"])
        } client: { client in
            try await conversation.start(on: client, in: "/")
            try await conversation.send("count")
        }
        let counted = (0..<200).map { "\($0) " }.joined()
        #expect(await reader.value == [0: "count", 1: counted, 3: "done"])
    }
}

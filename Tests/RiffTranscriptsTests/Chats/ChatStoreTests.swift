// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTranscripts
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ChatStoreTests {
    /// 10,000 are a minute's work; `RIFF_CHAT_ROUNDS` says how many.
    private static let rounds = ProcessInfo.processInfo.environment["RIFF_CHAT_ROUNDS"].flatMap(Int.init) ?? 1_000

    @Test func `chats of five kinds are saved, found, exported and imported as they were`() async throws {
        try await TranscriptLab.withFolder { (folder) async throws in
            let store = try await TranscriptLab.open(folder + "/a.db")
            var random = RandomChat(seed: 33)
            var chats: [Chat] = []
            for _ in 0..<Self.rounds {
                let chat = try random.next()
                try await store.save(chat)
                // Once more changes nothing.
                #expect(try await store.save(chat).unchanged == chat.entries.count)
                chats.append(Self.timed(chat))
            }
            for chat in chats { #expect(try await store.chat(chat.id) == chat) }
            // A word that one chat alone has is found there.
            for (index, chat) in chats.enumerated().dropFirst(Self.rounds / 2).prefix(50) {
                guard chat.entries.contains(where: { $0.text.hasSuffix("x\(index)") }) else { continue }
                let found = try await store.search(TranscriptSearch("x\(index)")).hits.map(\.session)
                #expect(Set(found) == [chat.id.text])
            }
            _ = try await store.export(as: .jsonLines).write(to: folder + "/all.jsonl.gz")
            let other = try await TranscriptLab.open(folder + "/b.db")
            let report = try await other.importTranscripts(at: folder + "/all.jsonl.gz") { Issue.record("\($0.error)") }
            #expect(report.rejectedLines == 0)
            for chat in chats {
                #expect(try await other.chat(chat.id) == chat)
                #expect(try await other.session(chat.id.text)?.chatID == chat.id)
            }
            try await store.close()
            try await other.close()
        }
    }

    /// As the store has it: an entry without a time is said when it is saved.
    private static func timed(_ chat: Chat) -> Chat {
        var chat = chat
        for index in chat.entries.indices { chat.entries[index].time = chat.entries[index].time ?? TranscriptLab.noon }
        return chat
    }

    @Test func `agents that give one name have two chats, and a chat grows in its place`() async throws {
        try await TranscriptLab.withStore { (store) async throws in
            for owner in ["first", "second"] {
                let entry = ChatEntry(id: "1", role: .user, text: owner)
                try await store.save(Chat(id: ChatID(.acp, owner: owner, name: "1"), entries: [entry]))
            }
            #expect(try await store.sessions().elements.count == 2)
            let id = ChatID(.acp, owner: "first", name: "1")
            var answer = ChatEntry(id: "2", role: .assistant, text: "wor", state: .growing)
            try await store.save(Chat(id: id, title: "T", entries: [answer]))
            #expect(try await store.chat(id)?.entries.map(\.state) == [.whole, .growing])
            answer.text = "words"
            answer.state = .failed(reason: "no")
            try await store.save(Chat(id: id, entries: [answer]))
            let chat = try #require(try await store.chat(id))
            #expect(chat.entries.map(\.text) == ["first", "words"] && chat.title == "T")
            #expect(chat.entries[1].state == .failed(reason: "no") && chat.entries[1].extra.isEmpty)
            #expect(try await store.chat(ChatID(.acp, owner: "third", name: "1")) == nil)
        }
    }
}

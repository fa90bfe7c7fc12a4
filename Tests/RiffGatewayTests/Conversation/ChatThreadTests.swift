// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffGateway
import RiffTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct ChatThreadTests {
    @Test func `a conversation that is kept and read has the same numbers, also behind an answer that was dropped`()
        async throws
    {
        let http = ScriptedHTTPTransport([
            ChatScript.whole(#"{"content":"a"}"#), ChatScript.whole(#"{"content":"NO_REPLY"}"#),
            ChatScript.whole(#"{"content":"b"}"#), ChatScript.whole(#"{"content":"NO_REPLY"}"#),
        ])
        let chat = ChatConversation(try GatewayFixtures.gateway(http))
        for _ in 0..<3 { await chat.ask("?") }
        #expect(chat.current.entries.map(\.id) == [0, 1, 2, 4, 5])
        #expect(ChatThread(json: chat.current.json) == chat.current)
        await chat.ask("?")
        let kept = try #require(ChatThread(json: chat.current.json))
        #expect(kept == chat.current)
        var (live, read) = (chat.current, kept)
        live.ask("next")
        read.ask("next")
        #expect(live == read && Set(live.entries.map(\.id)).count == live.entries.count)
    }

    @Test func `what is no conversation is not read as one`() {
        func thread(_ ids: Int64..., next: JSONValue = 9) -> JSONValue {
            let entries = ids.map { id -> JSONValue in
                ["id": .integer(id), "role": "user", "text": "x", "state": "whole"]
            }
            return ["entries": .array(entries), "next": next]
        }
        #expect(ChatThread(json: thread(0, 3, 8))?.entries.map(\.id) == [0, 3, 8])
        for json: JSONValue in [
            .null, [], ["entries": 1], ["entries": [["role": "user"]]], ["entries": []],
            ["entries": [["id": 0, "role": "user", "text": "x", "state": "lost"]], "next": 1],
            thread(1, 1), thread(2, 1), thread(-1), thread(.max), thread(0, next: 0), thread(0, next: .null),
            thread(0, next: .integer(.max)),
        ] {
            #expect(ChatThread(json: json) == nil, "\(json)")
        }
    }

    @Test func `a growing answer is added to in its place: its text is not copied for each piece`() {
        let source = ChatThreadSource(ChatThread())
        source.change { $0.ask("?") }
        let updates = source.updates()
        var places: Set<UInt> = []
        for _ in 0..<20_000 {
            source.change { $0.grow("abcd") }
            let place = source.read { thread in
                thread.entries[thread.entries.count - 1].text.utf8.withContiguousStorageIfAvailable {
                    UInt(bitPattern: $0.baseAddress)
                }
            }
            if let place { places.insert(place) }
        }
        // It moves where it has outgrown its buffer, each time into one of twice the size.
        #expect(places.count < 40)
        #expect(source.current.answer?.text.utf8.count == 80_000)
        withExtendedLifetime(updates) {}
    }

    @Test func `a reader that was busy gets the newest state, and only that`() async {
        let source = ChatThreadSource(ChatThread())
        source.change { $0.ask("?") }
        var updates = source.updates().makeAsyncIterator()
        #expect(await updates.next()?.answer?.text == "")
        for number in 0..<200 { source.change { $0.grow("\(number) ") } }
        #expect(await updates.next()?.answer?.text.hasSuffix("198 199 ") == true)
        source.change { $0.grow("end") }
        #expect(await updates.next()?.answer?.text.hasSuffix("199 end") == true)
    }

    @Test func `readers end with their task, and with the conversation`() async {
        var source: ChatThreadSource? = ChatThreadSource(ChatThread())
        let first = source?.updates()
        let reading = Task { () -> Int in
            var count = 0
            if let first { for await _ in first { count += 1 } }
            return count
        }
        reading.cancel()
        #expect(await reading.value <= 1)
        var second = source?.updates().makeAsyncIterator()
        #expect(await second?.next() != nil)
        source = nil
        #expect(await second?.next() == nil)
    }
}

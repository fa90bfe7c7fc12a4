// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTranscripts
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct TranscriptStoreTests {
    private static let call = ChatEntry.ToolCall(
        id: "call-1",
        name: "run_tests",
        kind: "execute",
        status: "completed",
        input: ["command": "swift test", "limit": 3.5],
        output: .null,
        extra: ["locations": ["a.swift"]]
    )
    private static let full = ChatEntry(
        id: "m-1",
        role: ChatEntry.Role(rawValue: "narrator"),
        text: "line\nend\u{0}\u{1A}\u{1A}0\u{1F680}",
        time: 1.25,
        model: "m",
        toolCalls: [call, ChatEntry.ToolCall(id: "", name: "none")],
        attachments: [
            ChatEntry.Attachment(name: "a.png", mediaType: "image/png", sizeBytes: 1 << 40, location: "/a.png")
        ],
        extra: ["number": .numeral("123456789012345678901234567890")]
    )

    @Test func `the preview is what the first message of the person says now`() async throws {
        try await TranscriptLab.withStore { (store) async throws in
            func preview() async throws -> String? { try await store.session("s")?.preview }
            let session = TranscriptSession(id: "s")
            try await store.save(
                session,
                [
                    TranscriptLab.message("0", "Hello", role: .assistant), TranscriptLab.message("1", "my secret"),
                    TranscriptLab.message("2", "second"), TranscriptLab.message("3", "third"),
                ]
            )
            #expect(try await preview() == "my secret")
            try await store.append([TranscriptLab.message("1", "edited")], to: "s")
            #expect(try await preview() == "edited")
            try await store.delete(["1"], of: "s")
            #expect(try await preview() == "second")
            try await store.append([TranscriptLab.message("2", "")], to: "s")
            #expect(try await preview() == "third")
            try await store.append([TranscriptLab.message("3", "third", role: .assistant)], to: "s")
            #expect(try await preview() == "")
            try await store.append([TranscriptLab.message("4", "fourth")], to: "s")
            #expect(try await preview() == "fourth")
        }
    }

    @Test func `a message whose letters are written otherwise is another one`() async throws {
        try await TranscriptLab.withStore { (store) async throws in
            var message = TranscriptLab.message("1", "caf\u{E9}")
            message.extra = ["k": "\u{E9}"]
            let session = TranscriptSession(id: "s")
            try await store.save(session, [message])
            #expect(try await store.save(session, [message]).unchanged == 1)
            message.text = "cafe\u{301}"
            #expect(try await store.save(session, [message]).updated == 1)
            #expect(try await store.message("1", of: "s")?.text.unicodeScalars.count == 5)
            message.extra = ["k": "e\u{301}"]
            #expect(try await store.save(session, [message]).updated == 1)
            #expect(try await store.message("1", of: "s")?.extra["k"]?.text?.unicodeScalars.count == 2)
        }
    }

    @Test func `what goes in comes out`() async throws {
        try await TranscriptLab.withStore { (store) async throws in
            let session = TranscriptSession(
                id: "s",
                source: ChatSource(rawValue: "new"),
                title: "T",
                model: "m",
                directory: "/w",
                createdAt: 1,
                updatedAt: 2,
                extra: ["x": [1, nil]]
            )
            let change = try await store.save(session, [Self.full])
            #expect(change.added == 1)
            var read = try #require(try await store.session("s"))
            #expect(read.messageCount == 1)
            read.messageCount = 0
            #expect(read == session)
            let page = try await store.messages(of: "s")
            #expect(page.messages == [Self.full])
            #expect(try await store.message("m-1", of: "s") == Self.full)
        }
    }

    @Test func `saving again changes what differs, and nothing else`() async throws {
        try await TranscriptLab.withStore { (store) async throws in
            let session = TranscriptSession(id: "s", title: "T", createdAt: 1, extra: ["a": 1])
            try await store.save(session, [Self.full])
            let revision = try await store.revision()
            let same = try await store.save(session, [Self.full])
            #expect(same.unchanged == 1 && same.added + same.updated == 0)
            #expect(try await store.revision() == revision)
            var other = Self.full
            other.text = "grown"
            other.toolCalls = []
            other.time = nil
            #expect(try await store.append([other], to: "s").updated == 1)
            other.time = 1.25
            #expect(try await store.message("m-1", of: "s") == other)
            #expect(try await store.texts(TranscriptSearch("grown")) == ["grown"])
            #expect(try await store.texts(TranscriptSearch("run_tests")) == [])
            try await store.save(TranscriptSession(id: "s", title: "Mine"))
            try await store.save(TranscriptSession(id: "s", title: "Theirs", model: "new"), keepsDetails: true)
            let read = try await store.session("s")
            #expect(read?.title == "Mine" && read?.model == "new" && read?.extra == ["a": 1] && read?.createdAt == 1)
        }
    }

    @Test func `messages stand in the order of their times, and of one time in that of saving`() async throws {
        try await TranscriptLab.withStore { (store) async throws in
            let session = TranscriptSession(id: "s")
            let first = [("a", 100.0), ("b", 100), ("c", 200), ("d", 300)].map {
                TranscriptLab.message($0.0, $0.0, at: $0.1)
            }
            try await store.save(session, first)
            // Another session's messages of the same time, then some that come late.
            try await store.save(TranscriptSession(id: "t"), first)
            try await store.append(
                [TranscriptLab.message("e", "e", at: 250), TranscriptLab.message("f", "f", at: 50)],
                to: "s"
            )
            try await store.append([TranscriptLab.message("g", "g", at: 300)], to: "s")
            let order = try await store.messages(of: "s", .oldest).messages.map(\.id).joined()
            #expect(order == "fabcedg")
            #expect(try await store.session("s")?.messageCount == 7)
            #expect(try await store.session("s")?.updatedAt == TranscriptLab.noon)
        }
    }

    @Test func `what comes late stands behind those a sixteenth of a second about it, and what changes stays`()
        async throws
    {
        try await TranscriptLab.withStore { (store) async throws in
            let close = [("a", 10.0), ("b", 10.01), ("c", 10.02), ("d", 11)].map {
                TranscriptLab.message($0.0, $0.0, at: $0.1)
            }
            try await store.save(TranscriptSession(id: "s"), close)
            try await store.append([TranscriptLab.message("e", "e", at: 10.005)], to: "s")
            try await store.append([TranscriptLab.message("a", "a", at: 12)], to: "s")
            let messages = try await store.messages(of: "s", .oldest).messages
            #expect(messages.map(\.id).joined() == "abced" && messages[0].time == 12)
        }
    }

    @Test(arguments: [1, 2, 3, 7, 100])
    func `pages hold every message once, both ways`(limit: Int) async throws {
        try await TranscriptLab.withStore { (store) async throws in
            let ids = (0..<20).map { "\($0)" }
            try await store.save(TranscriptSession(id: "s"), ids.map { TranscriptLab.message($0, $0, at: 5) })
            var forward: [String] = []
            var page = try await store.messages(of: "s", .oldest, limit: limit)
            forward += page.messages.map(\.id)
            while page.isBehindEnd, let later = page.later {
                page = try await store.messages(of: "s", .after(later), limit: limit)
                forward += page.messages.map(\.id)
            }
            #expect(forward == ids)
            var backward: [String] = []
            page = try await store.messages(of: "s", .newest, limit: limit)
            backward = page.messages.map(\.id)
            while let earlier = page.earlier {
                page = try await store.messages(of: "s", .before(earlier), limit: limit)
                backward = page.messages.map(\.id) + backward
            }
            #expect(backward == ids)
            // New ones come behind the last place.
            let last = try #require(try await store.messages(of: "s", .newest, limit: limit).later)
            try await store.append([TranscriptLab.message("new", "new", at: 5)], to: "s")
            #expect(try await store.messages(of: "s", .after(last)).messages.map(\.id) == ["new"])
        }
    }

    @Test(arguments: [1, 4, 50])
    func `sessions come last used first, in pages, archived apart`(limit: Int) async throws {
        try await TranscriptLab.withStore { (store) async throws in
            for number in 0..<12 {
                // Three of each time: the last made first.
                let time = Double(number / 3)
                try await store.save(TranscriptSession(id: "\(number)", createdAt: time, updatedAt: time))
            }
            try await store.setArchived(true, "5")
            var ids: [String] = []
            var cursor: TranscriptCursor?
            repeat {
                let page = try await store.sessions(after: cursor, limit: limit)
                ids += page.elements.map(\.id)
                cursor = page.next
            } while cursor != nil
            #expect(ids == ["11", "10", "9", "8", "7", "6", "4", "3", "2", "1", "0"])
            #expect(try await store.sessions(isArchived: true).elements.map(\.id) == ["5"])
            #expect(try await store.sessions(isArchived: nil).elements.count == 12)
        }
    }

    @Test func `renaming, archiving and removing`() async throws {
        try await TranscriptLab.withStore { (store) async throws in
            try await store.save(TranscriptSession(id: "s"), [Self.full, TranscriptLab.message("2", "remains\nhere")])
            #expect(try await store.session("s")?.preview == "remains here")
            try await store.rename("s", to: "Name")
            #expect(try await store.session("s")?.title == "Name")
            try await store.rename("s", to: nil)
            #expect(try await store.session("s")?.title == nil)
            #expect(try await store.delete(["m-1", "none"], of: "s") == 1)
            #expect(try await store.session("s")?.messageCount == 1)
            #expect(try await store.texts(TranscriptSearch("run_tests")) == [])
            #expect(try await store.texts(TranscriptSearch("remains")).count == 1)
            #expect(try await store.delete(["s", "none"]) == 1)
            #expect(try await store.session("s") == nil)
            #expect(try await store.texts(TranscriptSearch("remains")) == [])
            #expect(await TranscriptLab.code { try await store.rename("s", to: "x") } == .sessionNotFound)
            #expect(await TranscriptLab.code { try await store.append([], to: "s") } == .sessionNotFound)
        }
    }

    @Test func `values that cannot be kept are refused, and nothing is saved`() async throws {
        try await TranscriptLab.withStore { (store) async throws in
            let bad = [
                TranscriptLab.message("", "x"), TranscriptLab.message("x", "x", at: .nan),
                TranscriptLab.message("x", "x", at: .infinity),
                TranscriptLab.message(String(repeating: "x", count: 513), "x"),
            ]
            for message in bad {
                let messages = [TranscriptLab.message("good", "x"), message]
                let code = await TranscriptLab.code { try await store.save(TranscriptSession(id: "s"), messages) }
                #expect(code == .invalidValue)
            }
            #expect(try await store.session("s") == nil)
        }
    }

    @Test func `a message of a Riff server's conversation goes in and comes out`() async throws {
        let message = ConversationMessage(
            id: try RiffIdentifier("id"),
            role: .assistant,
            text: "t",
            attachments: ["a.png"],
            time: 5.5
        )
        try await TranscriptLab.withStore { (store) async throws in
            try await store.save(TranscriptSession(id: "s", source: .riff), [ChatEntry(message)])
            let read = try #require(try await store.messages(of: "s").messages.first)
            #expect(ConversationMessage(read) == message)
        }
    }
}

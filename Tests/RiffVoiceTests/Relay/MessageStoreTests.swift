// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffVoice
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct MessageStoreTests {
        private static let noon = 1_000_000.0

        private static func name(_ text: String) throws -> RiffIdentifier { try RiffIdentifier(text) }

        private static func question(_ id: String, _ text: String, at offset: Double) throws -> ConversationMessage {
            ConversationMessage(id: try name(id), role: .user, text: text, time: noon + offset)
        }

        private static func answer(_ id: String, at offset: Double) throws -> ConversationMessage {
            ConversationMessage(
                id: try name(id),
                role: .assistant,
                text: "a \"quoted\"\n\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467} answer",
                attachments: ["a b.png"],
                time: noon + offset
            )
        }

        /// A folder in which a conversation `c` holds one sent message, and the bytes of its file.
        private static func withKept(_ body: (String, RiffIdentifier, [UInt8]) async throws -> Void) async throws {
            try await KeyTool.withFolder { root in
                let (folder, c) = ("\(root)/new/messages", try name("c"))
                let store = MessageStore(directory: folder)
                try await store.handle(.sending("kept", id: try name("a"), time: noon), in: c)
                try await store.handle(.sent(try name("a"), reply: try answer("r", at: 1)), in: c)
                try await body(folder, c, try KeyTool.bytes("\(folder)/c.json"))
            }
        }

        private static func files(_ folder: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        }

        @Test func `what is shown is kept, for each conversation apart, in private files`() async throws {
            try await Self.withKept { folder, c, _ in
                let store = MessageStore(directory: folder)
                let other = try Self.name("other")
                try await store.handle(.resync([try Self.answer("s", at: 2)]), in: other)
                let again = MessageStore(directory: folder)
                #expect(try await again.thread(of: c).entries.map(\.text).first == "kept")
                #expect(try await again.thread(of: c) == store.thread(of: c))
                #expect(try await again.thread(of: other) == store.thread(of: other))
                #expect(try await again.thread(of: other).entries.map(\.attachments) == [["a b.png"]])
                #expect(try await again.thread(of: try Self.name("none")).entries.isEmpty)
                #expect(try Self.files(folder) == [".messages.lock", "c.json", "other.json"])
                #expect(try KeyTool.mode(folder) == 0o700)
                #expect(try KeyTool.mode("\(folder)/c.json") == 0o600)
            }
        }

        @Test func `every state comes back as it was`() async throws {
            try await KeyTool.withFolder { root in
                let (folder, c) = ("\(root)/m", try Self.name("c"))
                let store = MessageStore(directory: folder)
                let ids = try ["a", "b", "d", "e"].map { try Self.name($0) }
                for (place, id) in ids.enumerated() {
                    try await store.handle(.sending("text \(place)", id: id, time: Self.noon + 0.1), in: c)
                }
                try await store.handle(.failed(ids[0], reason: "offline", mayHaveArrived: false), in: c)
                try await store.handle(.failed(ids[1], reason: "", mayHaveArrived: true), in: c)
                try await store.handle(.sent(ids[2], reply: try Self.answer("r", at: 3)), in: c)
                let found = try Self.question("q", "text 3", at: 1)
                let thread = try await store.handle(.resync([found]), in: c)
                #expect(thread.entries.map(\.serverID) == [nil, nil, nil, found.id, try Self.name("r")])
                let again = MessageStore(directory: folder)
                #expect(try await again.thread(of: c) == thread)
                // The question of the answer is found by a store that was not there when it was asked.
                let question = try Self.question("p", "text 2", at: 2)
                #expect(try await again.handle(.resync([question]), in: c).entries.count == 5)
            }
        }

        @Test func `a reader follows a conversation`() async throws {
            try await Self.withKept { folder, c, _ in
                let store = MessageStore(directory: folder)
                var updates = try await store.updates(of: c).makeAsyncIterator()
                #expect(await updates.next()?.entries.count == 2)
                try await store.handle(.sending("more", id: try Self.name("b"), time: Self.noon + 5), in: c)
                #expect(await updates.next()?.entries.count == 3)
                try await store.remove(c)
                #expect(await updates.next()?.entries.isEmpty == true)
            }
        }

        @Test func `what was being sent when the process died has failed and may have arrived`() async throws {
            try await Self.withKept { folder, c, _ in
                let b = try Self.name("b")
                try await MessageStore(directory: folder).handle(.sending("more", id: b, time: Self.noon + 5), in: c)
                let next = MessageStore(directory: folder)
                let entry = try #require(try await next.thread(of: c).entries.last)
                #expect(entry.state == .failed(reason: "The app was closed before an answer came."))
                #expect(entry.mayHaveArrived)
                let arrived = try Self.question("q", "more", at: 6)
                let thread = try await next.handle(.resync([arrived]), in: c)
                #expect(thread.entries.map(\.state) == [.sent, .sent, .sent])
                #expect(try await MessageStore(directory: folder).thread(of: c) == thread)
            }
        }

        @Test(arguments: ["", "{\"version\":1,\"entries\":[{\"local\":\"b\",", "{\"version\":1,\"entries\":[\n\n]}\n"])
        func `a process that dies while it writes leaves the old file, and what it left is removed`(
            half: String
        ) async throws {
            try await Self.withKept { folder, c, bytes in
                try KeyTool.write(half, to: "\(folder)/.riff-1234567890")
                let store = MessageStore(directory: folder)
                #expect(try await store.thread(of: c).entries.map(\.state) == [.sent, .sent])
                #expect(try await store.problem(of: c) == nil)
                #expect(try KeyTool.bytes("\(folder)/c.json") == bytes)
                #expect(try Self.files(folder) == [".messages.lock", "c.json"])
            }
        }

        @Test(arguments: [
            "", "{", "[]", "{}", "{\"version\":2,\"entries\":[]}", "{\"version\":1,\"entries\":[{}]}",
            "{\"version\":1,\"entries\":[{\"local\":\"../x\",\"role\":\"user\",\"text\":\"\",\"ts\":1}]}",
            "{\"version\":1,\"entries\":[{\"local\":\"x\",\"role\":\"system\",\"text\":\"\",\"ts\":1}]}",
            "{\"version\":1,\"entries\":[{\"local\":\"x\",\"role\":\"user\",\"text\":\"\",\"ts\":1,\"state\":\"\"}]}",
            "{\"version\":1,\"entries\":[{\"role\":\"user\",\"text\":\"\",\"ts\":1}]}",
            """
            {"version":1,"entries":[{"server":"x","role":"user","text":"","ts":1},
            {"server":"x","role":"user","text":"","ts":2}]}
            """,
        ])
        func `a damaged file is put aside and reported, and the conversation begins anew`(text: String) async throws {
            try await Self.withKept { folder, c, _ in
                try KeyTool.write(text, to: "\(folder)/c.json")
                let store = MessageStore(directory: folder)
                #expect(try await store.thread(of: c).entries.isEmpty)
                let problem = try #require(try await store.problem(of: c))
                #expect(problem.code == .messagesDamaged)
                #expect(problem.errorDescription?.contains("\(folder)/c.json.damaged") == true)
                #expect(try KeyTool.text("\(folder)/c.json.damaged") == text)
                #expect(try KeyTool.mode("\(folder)/c.json.damaged") == 0o600)
                #expect(try Self.files(folder) == [".messages.lock", "c.json.damaged"])
                try await store.handle(.sending("more", id: try Self.name("b"), time: Self.noon), in: c)
                #expect(try await MessageStore(directory: folder).thread(of: c).entries.count == 1)
                #expect(try KeyTool.text("\(folder)/c.json.damaged") == text)
                try await store.remove(c)
                #expect(try await store.problem(of: c) == nil)
                #expect(try Self.files(folder) == [".messages.lock"])
            }
        }

        @Test func `a file cut anywhere is damaged or says the same`() async throws {
            try await Self.withKept { folder, c, bytes in
                let whole = try await MessageStore(directory: folder).thread(of: c)
                for count in 0..<bytes.count {
                    try Data(bytes[..<count]).write(to: URL(fileURLWithPath: "\(folder)/c.json"))
                    try FileManager.default.setAttributes(
                        [.posixPermissions: 0o600],
                        ofItemAtPath: "\(folder)/c.json"
                    )
                    let store = MessageStore(directory: folder)
                    let isDamaged = try await store.problem(of: c) != nil
                    let thread = try await store.thread(of: c)
                    #expect(isDamaged ? thread.entries.isEmpty : thread == whole, "after \(count) bytes")
                    #expect(isDamaged || count == bytes.count - 1, "after \(count) bytes")
                }
            }
        }

        @Test func `what could not be written is shown, and written with the next event`() async throws {
            try await KeyTool.withFolder { root in
                let (folder, c, a) = ("\(root)/m", try Self.name("c"), try Self.name("a"))
                let store = MessageStore(directory: folder)
                #expect(try await store.thread(of: c).entries.isEmpty)
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/c.json",
                    withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700]
                )
                try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
                let error = await #expect(throws: CoreError.self) {
                    try await store.handle(.sending("more", id: a, time: Self.noon), in: c)
                }
                #expect(error?.code == .storeFailed)
                #expect(try await store.thread(of: c).entries.count == 1)
                #expect(try Self.files(folder) == [".messages.lock", "c.json"])
                try FileManager.default.removeItem(atPath: "\(folder)/c.json")
                try await store.handle(.sending("more", id: a, time: Self.noon), in: c)
                #expect(try await MessageStore(directory: folder).thread(of: c).entries.count == 1)
            }
        }

        @Test func `an event that changes nothing writes nothing`() async throws {
            try await Self.withKept { folder, c, _ in
                let store = MessageStore(directory: folder)
                #expect(try await store.thread(of: c).entries.count == 2)
                try FileManager.default.removeItem(atPath: "\(folder)/c.json")
                try await store.handle(.resync([try Self.answer("r", at: 1)]), in: c)
                #expect(!FileManager.default.fileExists(atPath: "\(folder)/c.json"))
            }
        }

        @Test(arguments: [("c.json", 0o644), ("c.json", 0o602), (".", 0o755)])
        func `a file or a folder that others may use is refused`(name: String, mode: Int) async throws {
            try await Self.withKept { folder, c, _ in
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: "\(folder)/\(name)")
                let store = MessageStore(directory: folder)
                let error = await #expect(throws: CoreError.self) { try await store.thread(of: c) }
                #expect(error?.code == .permissionsTooOpen)
                await #expect(throws: CoreError.self) {
                    try await store.handle(.sending("more", id: try Self.name("b"), time: Self.noon), in: c)
                }
                // Once that is mended, the same store goes on.
                let mended = name == "." ? 0o700 : 0o600
                try FileManager.default.setAttributes([.posixPermissions: mended], ofItemAtPath: "\(folder)/\(name)")
                #expect(try await store.thread(of: c).entries.count == 2)
            }
        }

        @Test func `501 messages leave 500 in the file, and a smaller cap shows fewer of them`() async throws {
            try await KeyTool.withFolder { root in
                let (folder, c) = ("\(root)/m", try Self.name("c"))
                let all = try (0..<501).map { try Self.answer("m\($0)", at: Double($0)) }
                let store = MessageStore(directory: folder)
                try await store.handle(.resync(all), in: c)
                let kept = try await MessageStore(directory: folder).thread(of: c)
                #expect(kept.entries.compactMap(\.serverID) == all.dropFirst().map(\.id))
                let few = MessageStore(directory: folder, beginning: MessageThread(limit: 3))
                #expect(try await few.thread(of: c).entries.compactMap(\.serverID) == all.suffix(3).map(\.id))
            }
        }

        @Test func `a file that would grow too large keeps the newest messages`() async throws {
            try await KeyTool.withFolder { root in
                let (folder, c) = ("\(root)/m", try Self.name("c"))
                let store = MessageStore(directory: folder, fileLimitBytes: 1000)
                let text = String(repeating: "\u{1}", count: 50)
                let all = try (0..<4).map { number in
                    ConversationMessage(
                        id: try Self.name("m\(number)"),
                        role: .assistant,
                        text: text,
                        time: Self.noon + Double(number)
                    )
                }
                let thread = try await store.handle(.resync(all), in: c)
                #expect(thread.entries.count == 4)
                let kept = try await MessageStore(directory: folder).thread(of: c)
                #expect(kept.entries == thread.entries.suffix(2))
                #expect(try KeyTool.bytes("\(folder)/c.json").count <= 1000)
            }
        }

        @Test func `50 events at once are all kept`() async throws {
            try await KeyTool.withFolder { root in
                let (folder, c) = ("\(root)/m", try Self.name("c"))
                let store = MessageStore(directory: folder)
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<50 {
                        group.addTask {
                            try await store.handle(
                                .sending("\(number)", id: try Self.name("a\(number)"), time: Self.noon),
                                in: c
                            )
                        }
                    }
                    try await group.waitForAll()
                }
                #expect(try await MessageStore(directory: folder).thread(of: c).entries.count == 50)
            }
        }
    }
}

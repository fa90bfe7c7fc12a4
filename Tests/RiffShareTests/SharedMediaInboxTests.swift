// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffShare
import RiffTesting
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct SharedMediaInboxTests {
        static let png = MediaFormatTests.pngHead + [UInt8](repeating: 7, count: 300_000)
        static let now = 1_779_400_000.0

        private func names(_ folder: String) throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        }

        @Test func `a deposit is one private file with the bytes as they came, under a name of its kind`() async throws
        {
            try await KeyTool.withFolder { folder in
                let inbox = SharedMediaInbox(directory: "\(folder)/a/inbox", wallClock: { Self.now + 0.9 })
                #expect(try await inbox.items() == [])
                let item = try await inbox.deposit(Self.png)
                #expect(item.sizeBytes == Int64(Self.png.count))
                #expect(
                    item.name.text.wholeMatch(of: /1779400000-[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}\.png/) != nil
                )
                #expect(try names("\(folder)/a/inbox") == [item.name.text])
                #expect(try KeyTool.bytes("\(folder)/a/inbox/\(item.name)") == Self.png)
                #expect(try KeyTool.mode("\(folder)/a/inbox/\(item.name)") == 0o600)
                #expect(try KeyTool.mode("\(folder)/a/inbox") == 0o700)
                #expect(try await inbox.items() == [item])
            }
        }

        #if os(Linux)
        /// As in a process that is forked from this one at that moment and has not come to its exec.
        @Test func `a claim that is over is over for whoever else has its descriptor`() async throws {
            try await KeyTool.withFolder { folder in
                let inbox = SharedMediaInbox(directory: "\(folder)/inbox")
                let item = try await inbox.deposit(Self.png)
                let claim = try #require(try await inbox.claim(item.name))
                let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(
                    Int32.init
                )
                let held = try #require(
                    descriptors.first { number in
                        // One that was closed meanwhile is not the one.
                        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(number)")
                        return path?.hasSuffix("/inbox/\(item.name)") == true
                    }
                )
                let copy = dup(held)
                defer { close(copy) }
                #expect(try await inbox.claim(item.name) == nil)
                await claim.release()
                #expect(try await inbox.claim(item.name) != nil)
            }
        }
        #endif

        @Test(arguments: [("picture.jpg", "png"), ("film.mov", "png"), ("notes.txt", "png"), ("noname", "png")])
        func `the name that a file was shared under means nothing`(name: String, expected: String) async throws {
            try await KeyTool.withFolder { folder in
                let source = "\(folder)/\(name)"
                try Data(Self.png).write(to: URL(fileURLWithPath: source))
                let inbox = SharedMediaInbox(directory: "\(folder)/inbox")
                let item = try await inbox.deposit(contentsOf: source)
                #expect(item.name.format.fileExtension == expected)
                #expect(try KeyTool.bytes("\(folder)/inbox/\(item.name)") == Self.png)
            }
        }

        @Test func `text named as a picture, nothing, a folder and a pipe are refused, and leave nothing`() async throws
        {
            try await KeyTool.withFolder { folder in
                let inbox = SharedMediaInbox(directory: "\(folder)/inbox")
                try KeyTool.write("just words, no picture", to: "\(folder)/words.png")
                try KeyTool.write("", to: "\(folder)/empty.png")
                #expect(mkfifo("\(folder)/pipe.png", 0o600) == 0)
                for (path, code) in [
                    ("words.png", CoreError.Code.unknownMedia), ("empty.png", .unknownMedia),
                    ("pipe.png", .storeFailed),
                    (".", .storeFailed), ("none.png", .storeFailed),
                ] {
                    let error = await #expect(throws: CoreError.self, "\(path)") {
                        try await inbox.deposit(contentsOf: "\(folder)/\(path)")
                    }
                    #expect(error?.code == code, "\(path)")
                }
                await #expect(throws: CoreError.self) { try await inbox.deposit([]) }
                #expect(!FileManager.default.fileExists(atPath: "\(folder)/inbox"))
            }
        }

        @Test func `a film of one byte too many is refused before a byte is copied`() async throws {
            try await KeyTool.withFolder { folder in
                let film = "\(folder)/film.mov"
                try Data([0, 0, 0, 20] + Array("ftypqt  ".utf8) + [0, 0, 2, 0] + Array("qt  ".utf8)).write(
                    to: URL(fileURLWithPath: film)
                )
                // Sparse: it has the size without the bytes.
                #expect(truncate(film, 200 * 1_048_576 + 1) == 0)
                let inbox = SharedMediaInbox(directory: "\(folder)/inbox")
                let error = await #expect(throws: CoreError.self) { try await inbox.deposit(contentsOf: film) }
                #expect(error?.code == .mediaTooLarge)
                #expect(error?.message == "Video too large (201 MB > 200 MB)")
                #expect(!FileManager.default.fileExists(atPath: "\(folder)/inbox"))
                #expect(truncate(film, 1_048_576) == 0)
                #expect(try await inbox.deposit(contentsOf: film).sizeBytes == 1_048_576)
            }
        }

        @Test func `a cancelled deposit leaves nothing`() async throws {
            try await KeyTool.withFolder { folder in
                let source = "\(folder)/picture"
                try Data(Self.png).write(to: URL(fileURLWithPath: source))
                let inbox = SharedMediaInbox(directory: "\(folder)/inbox")
                let task = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return try await inbox.deposit(contentsOf: source)
                }
                await #expect(throws: CancellationError.self) { try await task.value }
                #expect(try names("\(folder)/inbox") == [])
            }
        }

        @Test(arguments: [0o755, 0o770, 0o703])
        func `a folder that others may use is refused`(mode: Int) async throws {
            try await KeyTool.withFolder { folder in
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: folder)
                let error = await #expect(throws: CoreError.self) {
                    try await SharedMediaInbox(directory: folder).deposit(Self.png)
                }
                #expect(error?.code == .permissionsTooOpen)
            }
        }

        @Test func `only names of the right form are seen, the oldest first`() async throws {
            try await KeyTool.withFolder { folder in
                let id = "5F3A2B1C-0000-4000-8000-0123456789AB"
                let right = ["9-\(id).mov", "10-\(id).png", "1779400000-\(id.lowercased()).jpeg"]
                let wrong = [
                    ".riff-123", "10-\(id).png.part", "10-\(id)", "10-\(id).exe", "x-\(id).png", "-1-\(id).png",
                    "10-\(id.dropLast()).png", "10_\(id).png", "1234567890123-\(id).png", "notes.txt",
                ]
                for name in right + wrong { try KeyTool.write("x", to: "\(folder)/\(name)") }
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/11-\(id).png",
                    withIntermediateDirectories: false
                )
                let inbox = SharedMediaInbox(directory: folder)
                #expect(try await inbox.items().map(\.name.text) == right)
            }
        }

        @Test func `of two that claim a file one gets it, and the other gets it once it was let go`() async throws {
            try await KeyTool.withFolder { folder in
                let (one, other) = (SharedMediaInbox(directory: folder), SharedMediaInbox(directory: folder))
                let name = try await one.deposit(Self.png).name
                let claim = try #require(try await one.claim(name))
                #expect(try await one.claim(name) == nil)
                #expect(try await other.claim(name) == nil)
                await claim.release()
                await claim.release()
                await #expect(throws: CoreError.self) { try await claim.read(at: 0, count: 1) }
                let second = try #require(try await other.claim(name))
                var bytes: [UInt8] = []
                for try await piece in second.bytes { bytes += piece }
                #expect(bytes == Self.png)
                try await second.complete()
                #expect(try names(folder) == [])
                #expect(try await one.claim(name) == nil)
            }
        }

        @Test func `a claim that nobody holds any more is over`() async throws {
            try await KeyTool.withFolder { folder in
                let inbox = SharedMediaInbox(directory: folder)
                let name = try await inbox.deposit(Self.png).name
                do { _ = try #require(try await inbox.claim(name)) }
                #expect(try await inbox.claim(name) != nil)
            }
        }

        @Test(arguments: [(86_340, true), (86_400, true), (86_460, false), (-500, true)])
        func `what waits for more than a day is removed`(seconds: Int, stays: Bool) async throws {
            try await KeyTool.withFolder { folder in
                let item = try await SharedMediaInbox(directory: folder, wallClock: { Self.now }).deposit(Self.png)
                let later = SharedMediaInbox(directory: folder, wallClock: { Self.now + Double(seconds) })
                #expect(try await later.purgeStale() == (stays ? [] : [item.name]))
                #expect(try await later.items() == (stays ? [item] : []))
            }
        }

        @Test func `the purge takes half-written files of yesterday, and nothing that is claimed or not the inbox's`()
            async throws
        {
            try await KeyTool.withFolder { folder in
                let early = SharedMediaInbox(directory: folder, wallClock: { Self.now })
                let (kept, gone) = (try await early.deposit(Self.png), try await early.deposit(Self.png))
                let claim = try #require(try await early.claim(kept.name))
                for (name, age) in [(".riff-1", 90_000.0), (".riff-2", 100), ("mine.png", 90_000)] {
                    try KeyTool.write("x", to: "\(folder)/\(name)")
                    let date = Date(timeIntervalSince1970: Self.now + 90_000 - age)
                    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: "\(folder)/\(name)")
                }
                let late = SharedMediaInbox(directory: folder, wallClock: { Self.now + 90_000 })
                #expect(try await late.purgeStale() == [gone.name])
                #expect(try names(folder) == [".riff-2", kept.name.text, "mine.png"].sorted())
                await claim.release()
                #expect(try await late.purgeStale() == [kept.name])
            }
        }

        @Test(.enabled(if: InboxPeer.python != nil, "python3 is not installed"))
        func `another process deposits, is never seen half-way, and its crash frees what it had claimed`() async throws
        {
            try await KeyTool.withFolder { folder in
                let inbox = SharedMediaInbox(directory: folder)
                try await InboxPeer.with(folder) { peer in
                    let temporary = try await peer.ask("half")
                    #expect(FileManager.default.fileExists(atPath: temporary))
                    #expect(try await inbox.items() == [])
                    let name = try #require(SharedMediaItem.Name(try await peer.ask("deposit 1")))
                    #expect(try await inbox.items().map(\.name) == [name])
                    let claim = try #require(try await inbox.claim(name))
                    #expect(try await peer.ask("claim \(name)") == "no")
                    await claim.release()
                    #expect(try await peer.ask("claim \(name)") == "yes")
                    #expect(try await inbox.claim(name) == nil)
                    try await peer.crash()
                    let freed = try #require(try await inbox.claim(name))
                    try await freed.complete()
                    #expect(try await inbox.items() == [])
                }
            }
        }

        @Test(.enabled(if: InboxPeer.python != nil, "python3 is not installed"))
        func `two processes deposit while two drains and a process take: every file is taken once`() async throws {
            try await KeyTool.withFolder { folder in
                var taken: [String] = []
                var deposited: [String] = []
                try await InboxPeer.with(folder) { depositor in
                    try await InboxPeer.with(folder) { taker in
                        for _ in 0..<5 {
                            async let theirs = depositor.ask("deposit 20")
                            async let drained = taker.ask("drain")
                            async let own = Self.deposit(20, in: folder)
                            async let first = Self.drain(folder)
                            async let second = Self.drain(folder)
                            taken += try await first + second
                            deposited += try await theirs.split(separator: " ").map(String.init) + own
                            let names = try await drained.split(separator: " ").map(String.init)
                            taken += names.filter { $0 != "nothing" }
                        }
                    }
                }
                // What came in after the last round.
                taken += try await Self.drain(folder)
                #expect(deposited.count == 200)
                // Apart, so that a failure does not print 400 names.
                let isEachTaken = Set(taken) == Set(deposited)
                #expect(taken.count == 200 && isEachTaken, "\(taken.count - Set(taken).count) were taken twice")
                #expect(try names(folder) == [])
            }
        }

        private static func deposit(_ count: Int, in folder: String) async throws -> [String] {
            let inbox = SharedMediaInbox(directory: folder)
            var names: [String] = []
            for _ in 0..<count { names.append(try await inbox.deposit(png).name.text) }
            return names
        }

        /// Takes what it can, and checks that each file is whole.
        private static func drain(_ folder: String) async throws -> [String] {
            var taken: [String] = []
            let inbox = SharedMediaInbox(directory: folder)
            for item in try await inbox.items() {
                guard let claim = try await inbox.claim(item.name) else { continue }
                var size = 0
                for try await piece in claim.bytes { size += piece.count }
                #expect(size == png.count || size == 100_008)
                taken.append(item.name.text)
                try await claim.complete()
            }
            return taken
        }
    }
}

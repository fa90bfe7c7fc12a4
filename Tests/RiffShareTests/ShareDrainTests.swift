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
    struct ShareDrainTests {
        /// Takes files as a host would, or fails as it is told.
        private actor Host: ShareCarrier, SharePathTyping {
            var failures: [any Error] = []
            var typingFailures: [any Error] = []
            var files: [String: [UInt8]] = [:]
            var carries = 0
            /// Whether it says how much was sent.
            private var reports = false
            var typed: [String] = []
            var folder = "/home/me/My Shares"
            /// Set while carries are to wait.
            private var isHeld = false
            private var held: [CheckedContinuation<Void, Never>] = []
            private var arrivals: [CheckedContinuation<Void, Never>] = []

            func carry(_ media: SharedMediaClaim) async throws -> String {
                carries += 1
                for arrival in arrivals { arrival.resume() }
                arrivals = []
                if isHeld {
                    await withTaskCancellationHandler {
                        await withCheckedContinuation { held.append($0) }
                    } onCancel: {
                        Task { await release() }
                    }
                    try Task.checkCancellation()
                }
                if !failures.isEmpty { throw failures.removeFirst() }
                var bytes: [UInt8] = []
                for try await piece in media.bytes {
                    bytes += piece
                    if reports { media.reportSent(Int64(bytes.count)) }
                }
                let path = "\(folder)/\(media.item.name)"
                files[path] = bytes
                return path
            }

            func typeSharedPath(_ text: String) throws {
                if !typingFailures.isEmpty { throw typingFailures.removeFirst() }
                typed.append(text)
            }

            func fail(carrying: [any Error] = [], typing: [any Error] = []) {
                (failures, typingFailures) = (carrying, typing)
            }
            func move(to folder: String) { self.folder = folder }
            func hold() { isHeld = true }
            func report() { reports = true }

            func release() {
                isHeld = false
                for carry in held { carry.resume() }
                held = []
            }

            /// Returns when the first file is being carried.
            func arrival() async {
                guard carries == 0 else { return }
                await withCheckedContinuation { arrivals.append($0) }
            }
        }

        private static let down = CoreError(.shareFailed, "The host is down.", recovery: .retry)
        private static let png = SharedMediaInboxTests.png

        private func with(_ body: (SharedMediaInbox, Host, ShareDrain) async throws -> Void) async throws {
            try await KeyTool.withFolder { folder in
                let inbox = SharedMediaInbox(directory: "\(folder)/inbox")
                let host = Host()
                let drain = ShareDrain(inbox, by: host, into: host)
                try await body(inbox, host, drain)
                await drain.background()
            }
        }

        private func drainAll(_ drain: ShareDrain, _ event: ShareDrain.Event = .foregrounded) async {
            for event in [.bootstrapped, .connected, event] as [ShareDrain.Event] { await drain.handle(event) }
            await drain.finished()
        }

        @Test func `what was shared before the launch is delivered once there is a session, and removed`() async throws
        {
            try await with { inbox, host, drain in
                let item = try await inbox.deposit(Self.png)
                await drain.handle(.foregrounded)
                await drain.handle(.connected)
                await drain.finished()
                #expect(await host.carries == 0)
                await drain.handle(.bootstrapped)
                await drain.finished()
                #expect(await host.files == ["/home/me/My Shares/\(item.name)": Self.png])
                #expect(await host.typed == ["'/home/me/My Shares/\(item.name)'"])
                #expect(try await inbox.items() == [])
                #expect(drain.current.delivered == 1 && drain.current.waiting == 0 && drain.current.problems.isEmpty)
            }
        }

        @Test func `how far a file is on its way is shown, and nothing once it is there`() async throws {
            try await with { inbox, host, drain in
                let film = [0, 0, 0, 20] + Array("ftypqt  ".utf8) + [0, 0, 2, 0] + Array("qt  ".utf8)
                let item = try await inbox.deposit(film + [UInt8](repeating: 1, count: 1_000_000))
                await host.report()
                await host.hold()
                let seen = Task {
                    var fractions: [Double] = []
                    for await state in drain.updates() {
                        if let progress = state.progress {
                            #expect(progress.item == item)
                            if fractions.last != progress.fraction { fractions.append(progress.fraction) }
                        }
                        if state.delivered == 1, state.progress == nil { break }
                    }
                    return fractions
                }
                for event in [.bootstrapped, .connected] as [ShareDrain.Event] { await drain.handle(event) }
                await host.arrival()
                await host.release()
                let fractions = await seen.value
                #expect(fractions.count >= 2)
                #expect(fractions == fractions.sorted())
                #expect(drain.current.progress == nil)
            }
        }

        @Test func `a file that is attached is there when the call returns, or it says why not`() async throws {
            try await with { inbox, host, drain in
                let early = try await inbox.deposit(Self.png)
                let waiting = await #expect(throws: CoreError.self) { try await drain.attach(early) }
                #expect(waiting?.code == .shareWaiting)
                for event in [.bootstrapped, .connected] as [ShareDrain.Event] { await drain.handle(event) }
                await drain.finished()
                let item = try await inbox.deposit(Self.png)
                try await drain.attach(item)
                #expect(await host.typed.last == "'/home/me/My Shares/\(item.name)'")
                #expect(try await inbox.items() == [])
                await host.fail(carrying: [Self.down])
                let failing = try await inbox.deposit(Self.png)
                let error = await #expect(throws: CoreError.self) { try await drain.attach(failing) }
                #expect(error?.message == Self.down.message)
                try await drain.attach(failing)
                #expect(await host.typed.count == 3)
            }
        }

        @Test func `a picture of an unknown kind is kept as the PNG that the platform makes, and no other is`()
            async throws
        {
            try await with { inbox, _, _ in
                let path = "\(inbox.directory).ppm"
                try Data("P6 1 1 255 abc".utf8).write(to: URL(filePath: path))
                let item = try await inbox.deposit(contentsOf: path) { Self.png }
                #expect(item.name.format == MediaFormat.png)
                let error = await #expect(throws: CoreError.self) {
                    try await inbox.deposit(contentsOf: path) { Array("JPEG".utf8) }
                }
                #expect(error?.code == .unknownMedia)
                try Data([0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 0, count: 300)).write(to: URL(filePath: path))
                let known = try await inbox.deposit(contentsOf: path) {
                    Issue.record("It was converted.")
                    return Self.png
                }
                #expect(known.name.format == MediaFormat.jpeg)
            }
        }

        @Test func `while the host is down a file stays, and is delivered when it is up`() async throws {
            try await with { inbox, host, drain in
                let item = try await inbox.deposit(Self.png)
                await host.fail(carrying: [Self.down, Self.down])
                await drainAll(drain)
                #expect(try await inbox.items() == [item])
                #expect(await host.typed == [])
                #expect(drain.current.problems.map(\.error.message).allSatisfy { $0 == Self.down.message })
                #expect(drain.current.problems.first?.item == item && drain.current.waiting == 1)
                await host.fail()
                await drainAll(drain)
                #expect(await host.typed.count == 1)
                #expect(try await inbox.items() == [])
                #expect(drain.current.problems.isEmpty)
            }
        }

        @Test func `a file whose path could not be typed is not brought over again`() async throws {
            try await with { inbox, host, drain in
                try await inbox.deposit(Self.png)
                try await inbox.deposit(Self.png)
                await host.fail(typing: [Self.down])
                await drain.handle(.bootstrapped)
                await drain.handle(.connected)
                await drain.finished()
                // A session that takes no path takes none for the second file either.
                #expect(await host.carries == 1)
                #expect(try await inbox.items().count == 2)
                #expect(drain.current.problems.map(\.item) == [try await inbox.items().first])
                await drainAll(drain)
                #expect(await host.carries == 2)
                #expect(await host.typed.count == 2)
                #expect(try await inbox.items() == [])
            }
        }

        @Test func `one file that fails does not keep the others back`() async throws {
            try await with { inbox, host, drain in
                for _ in 0..<3 { try await inbox.deposit(Self.png) }
                await host.fail(carrying: [Self.down])
                await drain.handle(.bootstrapped)
                await drain.handle(.connected)
                await drain.finished()
                #expect(await host.typed.count == 2)
                #expect(try await inbox.items().count == 1)
            }
        }

        @Test func `a file above the cap is refused before the carrier sees it`() async throws {
            try await with { inbox, host, drain in
                let name = "\(Int(Date().timeIntervalSince1970))-5F3A2B1C-0000-4000-8000-0123456789AB.mov"
                _ = try await inbox.deposit(Self.png)
                // Put there by an older version, which knew no cap.
                try KeyTool.write("x", to: "\(inbox.directory)/\(name)")
                #expect(truncate("\(inbox.directory)/\(name)", 200 * 1_048_576 + 1) == 0)
                await drainAll(drain)
                #expect(await host.carries == 1)
                #expect(try await inbox.items().map(\.name.text) == [name])
                #expect(drain.current.problems.map(\.error.message).contains("Video too large (201 MB > 200 MB)"))
            }
        }

        @Test func `two drains of one inbox deliver each file once`() async throws {
            try await with { inbox, host, drain in
                for _ in 0..<20 { try await inbox.deposit(Self.png) }
                let other = ShareDrain(SharedMediaInbox(directory: inbox.directory), by: host, into: host)
                async let one: Void = drainAll(drain)
                async let two: Void = drainAll(other, .noticeTapped)
                _ = await (one, two)
                #expect(await host.carries == 20)
                #expect(Set(await host.typed).count == 20)
                #expect(await host.typed.count == 20)
                #expect(drain.current.delivered + other.current.delivered == 20)
                #expect(try await inbox.items() == [])
            }
        }

        @Test func `events during a drain make one more, which finds what came meanwhile`() async throws {
            try await with { inbox, host, drain in
                try await inbox.deposit(Self.png)
                await host.hold()
                await drain.handle(.bootstrapped)
                await drain.handle(.connected)
                await host.arrival()
                try await inbox.deposit(Self.png)
                await drain.handle(.noticeTapped)
                await drain.handle(.foregrounded)
                await host.release()
                await drain.finished()
                #expect(await host.typed.count == 2)
                #expect(await host.carries == 2)
            }
        }

        @Test func `sleep lets go of the file, and waking delivers it`() async throws {
            try await with { inbox, host, drain in
                let item = try await inbox.deposit(Self.png)
                await host.hold()
                await drain.handle(.bootstrapped)
                await drain.handle(.connected)
                await host.arrival()
                #expect(try await inbox.claim(item.name) == nil)
                await drain.background()
                let freed = try #require(try await inbox.claim(item.name))
                await freed.release()
                #expect(drain.current.problems.isEmpty && !drain.current.isDraining)
                await drain.handle(.foregrounded)
                await drain.finished()
                #expect(await host.typed.count == 1)
                #expect(try await inbox.items() == [])
            }
        }

        @Test func `a path that cannot be typed as it is stays untyped`() async throws {
            try await with { inbox, host, drain in
                try await inbox.deposit(Self.png)
                await host.move(to: "/home/me/\u{1B}[201~\u{202E}x")
                await drainAll(drain)
                #expect(await host.typed == [])
                #expect((drain.current.problems.first?.error as? CoreError)?.code == .untypablePath)
                #expect(try await inbox.items().count == 1)
            }
        }

        @Test(arguments: [
            ("/a/b.png", "/a/b.png"), ("/a b/c.png", "'/a b/c.png'"), ("/it's/c.png", "'/it'\\''s/c.png'"),
            ("/$(x)/`y`.png", "'/$(x)/`y`.png'"), ("/Grüße/x.png", "'/Grüße/x.png'"),
        ])
        func `a path is one word for a shell`(path: String, word: String) async throws {
            #expect(try SharePath.text(for: path) == word)
            let shell = try #require(ShellProgram.shells.first)
            let echoed = try await KeyTool.withFolder { folder in
                try await shell.run(["-c", "printf %s \(word)"], in: URL(fileURLWithPath: folder))
            }
            #expect(String(decoding: echoed.output, as: UTF8.self) == path)
        }

        @Test(arguments: [
            "", "relative.png", "~/x.png", "/a\nb.png", "/a\u{7}.png", "/a\u{200E}b.png", "/trailing.png ",
        ])
        func `a path that would come out as another is refused`(path: String) {
            let error = #expect(throws: CoreError.self) { try SharePath.text(for: path) }
            #expect(error?.code == .untypablePath)
        }

        @Test func `what was shared goes to the session that was active last`() throws {
            let names = try ["riff", "riff-2", "riff-3"].map { try SessionName($0) }
            #expect(SharePath.target(lastActive: names[2], open: names) == names[2])
            #expect(SharePath.target(lastActive: nil, open: names) == .base)
            #expect(SharePath.target(lastActive: try SessionName("gone"), open: names) == .base)
            #expect(SharePath.target(lastActive: try SessionName("gone"), open: [names[1]]) == nil)
        }

        @Test(arguments: [ShareNotice.Permission.denied, .undetermined])
        func `without banners it is delivered all the same`(permission: ShareNotice.Permission) async throws {
            try await with { inbox, host, drain in
                try await inbox.deposit(Self.png)
                #expect(ShareNotice.action(waiting: try await inbox.items(), permission) == .nothing)
                await drainAll(drain)
                #expect(await host.typed.count == 1)
            }
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffShare
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension RealServers {
    /// Shared files to a real sshd, and their paths into sessions on it.
    @Suite struct SFTPShareCarrierTests {
        static let png: [UInt8] =
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 3, count: 100_000)

        /// An inbox and a folder of the host, which is this machine.
        private static func with(_ body: (SSHLab, SharedMediaInbox, String) async throws -> Void) async throws {
            let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path(percentEncoded: false)
                .split(separator: "/").joined(separator: "/")
            let place = "/\(folder)/riff-share-\(UUID().uuidString.prefix(8))"
            try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(atPath: place) }  // Nothing else to clean up with.
            try await SSHLab.with { lab in
                try await body(lab, SharedMediaInbox(directory: "\(place)/inbox"), place)
            }
        }

        private static func bytes(_ path: String) throws -> [UInt8] {
            [UInt8](try Data(contentsOf: URL(filePath: path)))
        }

        private static func carry(
            _ item: SharedMediaItem,
            of inbox: SharedMediaInbox,
            by carrier: SFTPShareCarrier
        ) async throws -> String {
            let claim = try #require(try await inbox.claim(item.name))
            return try await carrier.carry(claim)
        }

        @Test func `a file arrives whole and private, in a folder that is made private, also a second time`()
            async throws
        {
            try await Self.with { lab, inbox, place in
                let item = try await inbox.deposit(Self.png)
                let carrier = SFTPShareCarrier(host: try lab.host(), folder: "\(place)/new/My Shares")
                let path = try await Self.carry(item, of: inbox, by: carrier)
                #expect(path == "\(place)/new/My Shares/\(item.name)")
                #expect(try Self.bytes(path) == Self.png)
                #expect(try KeyTool.mode(path) == 0o600)
                #expect(try KeyTool.mode("\(place)/new") == 0o700)
                #expect(try KeyTool.mode("\(place)/new/My Shares") == 0o700)
                #expect(try await Self.carry(item, of: inbox, by: carrier) == path)
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: "\(place)/new/My Shares") == [item.name.text]
                )
            }
        }

        @Test func `a folder below the home directory is found, and its path is absolute`() async throws {
            try await Self.with { lab, inbox, place in
                let host = try lab.host()
                // Up from the home directory to the root, whatever it is, and down again.
                let home = try await host.absolutePath(of: ".")
                let up = Array(repeating: "..", count: home.split(separator: "/").count).joined(separator: "/")
                let folders = ["~/\(up)\(place)/a", "$HOME/\(up)\(place)/a", "\(up)\(place)/a"]
                let item = try await inbox.deposit(Self.png)
                for folder in folders {
                    let path = try await Self.carry(item, of: inbox, by: SFTPShareCarrier(host: host, folder: folder))
                    #expect(path == "\(place)/a/\(item.name)", "\(folder)")
                }
            }
        }

        @Test(arguments: [
            ("~", "."), ("$HOME", "."), ("~/", "."), ("~/.riff/shared", ".riff/shared"), ("${HOME}//a b", "a b"),
            ("/abs/x", "/abs/x"), ("rel", "rel"), ("", "."), ("~other/x", "~other/x"),
        ])
        func `a folder as a person writes it is one that SFTP takes`(folder: String, path: String) {
            #expect(SFTPShareCarrier.pathFromHome(folder) == path)
        }

        @Test func `a folder that cannot be made is an error that names it, and the file waits`() async throws {
            try await Self.with { lab, inbox, place in
                try Data("x".utf8).write(to: URL(filePath: "\(place)/file"))
                let item = try await inbox.deposit(Self.png)
                let carrier = SFTPShareCarrier(host: try lab.host(), folder: "\(place)/file/sub")
                let error = await transportError { _ = try await Self.carry(item, of: inbox, by: carrier) }
                #expect(error?.message.contains("\(place)/file") == true, "\(error?.message ?? "no error")")
                #expect(try await inbox.items() == [item])
            }
        }

        @Test(.enabled(if: ResidentMemory.isKnown, "the kernel tells no peak"))
        func `150 MB pass through a few`() async {
            // In a process of its own: what the tests beside this one hold would count.
            await #expect(processExitsWith: .success) {
                typealias Suite = RealServers.SFTPShareCarrierTests
                try await Suite.with { lab, inbox, place in
                    let film = "\(place)/film.mov"
                    try Data([0, 0, 0, 20] + Array("ftypqt  ".utf8) + [0, 0, 2, 0] + Array("qt  ".utf8)).write(
                        to: URL(filePath: film)
                    )
                    #expect(truncate(film, 150 * 1_048_576) == 0)
                    let carrier = SFTPShareCarrier(host: try lab.host(), folder: "\(place)/host")
                    // What a first transfer needs once and for all is not the film's.
                    _ = try await Suite.carry(try await inbox.deposit(Suite.png), of: inbox, by: carrier)
                    var path = ""
                    // The address sanitizer keeps what was freed.
                    let limit = 32 * 1_048_576 * Patience.factor
                    let growth = try await ResidentMemory.peakGrowth {
                        let item = try await inbox.deposit(contentsOf: film)
                        path = try await Suite.carry(item, of: inbox, by: carrier)
                    }
                    #expect(growth < limit, "\(growth / 1_048_576) MB more at the peak")
                    let compared = try await lab.host().text(of: "cmp \(film) \(path) && stat -c %s \(path)")
                    #expect(compared == "\(150 * 1_048_576)\n")
                }
            }
        }

        @Test func `with the server down the file waits, and comes over once it is up`() async throws {
            try await Self.with { lab, inbox, place in
                let host = try lab.host()
                let typed = Typed()
                let carrier = SFTPShareCarrier(host: host, folder: "\(place)/host")
                let drain = ShareDrain(inbox, by: carrier, into: typed)
                let item = try await inbox.deposit(Self.png)
                try await lab.server.halt()
                await drain.handle(.bootstrapped)
                await drain.handle(.connected)
                await drain.finished()
                #expect(try await inbox.items() == [item])
                #expect(drain.current.problems.count == 1, "\(drain.current.problems)")
                try await lab.server.restart()
                await drain.handle(.foregrounded)
                await drain.finished()
                #expect(try await inbox.items() == [])
                #expect(await typed.texts == ["\(place)/host/\(item.name)"])
                #expect(try Self.bytes("\(place)/host/\(item.name)") == Self.png)
            }
        }

        @Test(arguments: [20_000, 60_000])
        func `a connection lost half-way leaves nothing to be seen, and the file waits`(bytes: Int) async throws {
            try await Self.with { lab, inbox, place in
                let proxy = try await ChaosProxy.start(target: lab.server.port) {
                    $0 == 0 ? .fault(.reset, afterBytesToTarget: bytes) : ChaosRules()
                }
                let carrier = SFTPShareCarrier(host: try lab.host(port: proxy.port), folder: "\(place)/host")
                let item = try await inbox.deposit(Self.png)
                let error = await transportError { _ = try await Self.carry(item, of: inbox, by: carrier) }
                #expect(error?.code == .connectionLost, "\(String(describing: error))")
                let there = try FileManager.default.contentsOfDirectory(atPath: "\(place)/host")
                #expect(!there.contains(item.name.text))
                // Once the link is back, the same carrier brings it.
                let path = try await Self.carry(item, of: inbox, by: carrier)
                #expect(try Self.bytes(path) == Self.png)
                await proxy.stop()
            }
        }

        @Test(.enabled(if: SystemProgram.path("tmux") != nil, "tmux is not installed"))
        func `the path is typed into the session that was active last, as one word of its shell`() async throws {
            try await Self.with { lab, inbox, place in
                let host = try lab.host()
                let server = TmuxServer(.path("\(place)/tmux"))
                // Reads one line as a shell does, and keeps the first of its words.
                let reader =
                    "printf ready; read -r line; eval \"set -- $line\"; printf %s \"$1\" > \"$0\"; echo kept; exec cat"
                let names = try ["riff", "riff-2", "riff-3"].map { try SessionName($0) }
                var sessions: [SessionName: TerminalSession] = [:]
                for name in names {
                    let harness = Harness.custom(try ShellQuoting.join(["sh", "-c", reader, "\(place)/\(name).word"]))
                    sessions[name] = try await host.session(
                        name.rawValue,
                        size: .standard,
                        server: server,
                        spec: NewSessionSpec(harness: harness)
                    )
                }
                let active = try #require(SharePath.target(lastActive: names[1], open: names).flatMap { sessions[$0] })
                var output = TerminalText(active.output)
                try await output.read(through: "ready")
                for name in [names[0], names[2]] {
                    var other = TerminalText(try #require(sessions[name]).output)
                    try await other.read(through: "ready")
                }
                let carrier = SFTPShareCarrier(host: host, folder: "\(place)/it's My $(touch x) Shares")
                let drain = ShareDrain(inbox, by: carrier, into: active)
                let item = try await inbox.deposit(Self.png)
                await drain.handle(.bootstrapped)
                await drain.handle(.connected)
                await drain.finished()
                #expect(drain.current.problems.isEmpty, "\(drain.current.problems)")
                try await active.write([0x0D])
                try await output.read(through: "kept")
                let word = String(decoding: try Self.bytes("\(place)/riff-2.word"), as: UTF8.self)
                #expect(word == "\(place)/it's My $(touch x) Shares/\(item.name)")
                #expect(try Self.bytes(word) == Self.png)
                for name in [names[0], names[2]] {
                    let screen = try await host.text(of: "tmux -S \(place)/tmux capture-pane -p -t =\(name):")
                    #expect(screen.trimmingCharacters(in: .whitespacesAndNewlines) == "ready")
                }
                for session in sessions.values { await session.close() }
                _ = try await host.files.run("tmux -S \(place)/tmux kill-server")
            }
        }

        @Test(.enabled(if: SystemProgram.path("tmux") != nil, "tmux is not installed"))
        func `a drain that follows the pages brings over what waited as soon as the session takes keys`() async throws {
            try await Self.with { lab, inbox, place in
                let host = try lab.host()
                let reader = "printf ready; read -r line; eval \"set -- $line\"; printf %s \"$1\" > \"$0\"; exec cat"
                let harness = Harness.custom(try ShellQuoting.join(["sh", "-c", reader, "\(place)/base.word"]))
                let configuration = SessionsConfiguration(
                    server: TmuxServer(.path("\(place)/tmux")),
                    base: NewSessionSpec(harness: harness)
                )
                let manager = SessionManager(host, size: .standard, configuration: configuration)
                let carrier = SFTPShareCarrier(host: host, folder: "\(place)/host")
                let drain = ShareDrain(inbox, by: carrier, into: manager)
                let item = try await inbox.deposit(Self.png)
                let following = Task { await drain.follow(manager) }
                await manager.start()
                for await state in drain.updates() where state.delivered == 1 || !state.problems.isEmpty {
                    // A harness that is not ready yet refuses the words, and the file waits for the next event.
                    if state.delivered == 1 { break }
                    if !state.isDraining { await drain.handle(.noticeTapped) }
                }
                #expect(try await inbox.items() == [])
                try await manager.write([0x0D])
                try await waitUntil { FileManager.default.fileExists(atPath: "\(place)/base.word") }
                try await waitUntil { try !Self.bytes("\(place)/base.word").isEmpty }
                let word = String(decoding: try Self.bytes("\(place)/base.word"), as: UTF8.self)
                #expect(word == "\(place)/host/\(item.name)")
                following.cancel()
                await following.value
                await manager.shutdown()
                _ = try await host.files.run("tmux -S \(place)/tmux kill-server")
            }
        }
    }
}

/// Notes what is typed.
actor Typed: SharePathTyping {
    private(set) var texts: [String] = []
    func typeSharedPath(_ text: String) { texts.append(text) }
}

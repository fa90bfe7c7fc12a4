// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import RiffVoice
import Synchronization
import TestSupport
import Testing
import VoiceTestSupport

extension InTurn {
    /// Real files, as Claude Code writes them.
    @Suite(.timeLimit(.minutes(5)))
    struct TranscriptFollowerTests {
        struct Home: Sendable {
            let folder: String
            let clock = ManualClock()

            func follower(
                project: String? = nil,
                on host: any HostSession = LocalHostSession()
            ) -> TranscriptFollower {
                let transcripts = ClaudeTranscripts(on: host, project: project, folder: "\(folder)/projects")
                return TranscriptFollower(transcripts, looks: 2, clock: clock)
            }

            /// Appends to a session's file; the later one is the newer one, whatever the file system's clock is.
            func append(_ text: String, to session: String, of directory: String = "/home/me/proj", at time: Int) throws
            {
                let project = "\(folder)/projects/\(ClaudeTranscripts.folderName(of: directory))"
                try FileManager.default.createDirectory(atPath: project, withIntermediateDirectories: true)
                let path = "\(project)/\(session).jsonl"
                if !FileManager.default.fileExists(atPath: path) {
                    try Data().write(to: URL(filePath: path))
                }
                let file = try #require(FileHandle(forWritingAtPath: path))
                try file.seekToEnd()
                try file.write(contentsOf: Data(text.utf8))
                try file.close()
                let date = Date(timeIntervalSince1970: 1_000_000 + Double(time))
                try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
            }

            func line(_ text: String) -> String {
                TranscriptTailTests.line(content: #"[{"type":"text","text":"\#(text)"}]"#) + "\n"
            }

            /// What comes next; the clock goes on as often as the follower waits for it.
            func next(of follower: TranscriptFollower) async throws -> [String] {
                let looking = Task { try await follower.next() }
                let ticking = Task {
                    while !Task.isCancelled {
                        await clock.sleepers(1)
                        clock.advance(by: .milliseconds(400))
                    }
                }
                defer { ticking.cancel() }
                return try await looking.value.map(\.text)
            }
        }

        static func with(_ body: (Home) async throws -> Void) async throws {
            try await AudioFolder.with { try await body(Home(folder: $0)) }
        }

        @Test func `lines are told when they are whole, across sessions and files made anew`() async throws {
            try await Self.with { home in
                let follower = home.follower()
                try home.append(home.line("one"), to: "a", at: 1)
                #expect(try await home.next(of: follower) == ["one"])
                let cut = home.line("two")
                try home.append(String(cut.prefix(40)), to: "a", at: 2)
                async let second = home.next(of: follower)
                try home.append(String(cut.dropFirst(40)) + home.line("three"), to: "a", at: 3)
                #expect(try await second == ["two", "three"])
                // Another session, in a worktree of the project.
                try home.append(home.line("four"), to: "b", of: "/home/me/worktrees/proj", at: 4)
                #expect(try await home.next(of: follower) == ["four"])
                // The file is made anew, shorter than it was.
                let path = "\(home.folder)/projects/-home-me-worktrees-proj/b.jsonl"
                try Data().write(to: URL(fileURLWithPath: path))
                async let third = home.next(of: follower)
                try home.append(home.line("5"), to: "b", of: "/home/me/worktrees/proj", at: 5)
                #expect(try await third == ["5"])
            }
        }

        @Test func `only the sessions of a project are followed, where one is named`() async throws {
            try await Self.with { home in
                try home.append(home.line("other"), to: "a", of: "/home/me/other", at: 9)
                try home.append(home.line("mine"), to: "b", at: 1)
                #expect(try await home.next(of: home.follower(project: "/home/me/proj")) == ["mine"])
                #expect(try await home.next(of: home.follower()) == ["other"])
            }
        }

        @Test func `of a project's sessions the one written last is followed, and the next one when it is written`()
            async throws
        {
            try await Self.with { home in
                try home.append(home.line("newest"), to: "a", at: 9)
                try home.append(home.line("oldest"), to: "b", at: 1)
                try home.append(home.line("elsewhere"), to: "c", of: "/home/me/other", at: 99)
                let follower = home.follower(project: "/home/me/proj")
                #expect(try await home.next(of: follower) == ["newest"])
                try home.append(home.line("resumed"), to: "b", at: 100)
                #expect(try await home.next(of: follower).last == "resumed")
            }
        }

        @Test func `a session that goes into another folder goes on in its own file`() async throws {
            try await Self.with { home in
                let follower = home.follower(project: "/home/me/proj")
                try home.append(home.line("before"), to: "a", at: 1)
                #expect(try await home.next(of: follower) == ["before"])
                // Claude writes the new folder into each line; the file stays where the session began.
                let moved = home.line("after").replacing("{\"type\"", with: "{\"cwd\":\"/tmp/elsewhere\",\"type\"")
                try home.append(moved, to: "a", at: 2)
                #expect(try await home.next(of: follower) == ["after"])
            }
        }

        @Test func `of a long file only the end is read, from the beginning of a line on`() async throws {
            try await Self.with { home in
                let old = String(repeating: home.line("old"), count: 3_000)
                try home.append(old + home.line("new"), to: "a", at: 1)
                let texts = try await home.next(of: home.follower())
                #expect(texts.last == "new" && texts.count > 10 && texts.count < 3_000)
            }
        }

        @Test func `a host that fails within a long piece loses none of it`() async throws {
            try await Self.with { home in
                let host = FailingHost(read: 3)
                let follower = home.follower(on: host)
                try home.append(home.line("first"), to: "a", at: 1)
                #expect(try await home.next(of: follower) == ["first"])
                // Three reads of 256 KiB, of which the second one fails.
                let texts = (0..<3_000).map { "number \($0)" }
                try home.append(texts.map(home.line).joined(), to: "a", at: 2)
                await #expect(throws: TransportError.self) { try await home.next(of: follower) }
                #expect(try await home.next(of: follower) == texts)
                #expect(host.reads > 4)
            }
        }

        @Test func `before the first session it waits, and cancelling ends it`() async throws {
            try await Self.with { home in
                let follower = home.follower()
                let waiting = Task { try await follower.next() }
                await home.clock.sleepers(1)
                waiting.cancel()
                await #expect(throws: CancellationError.self) { try await waiting.value }
                try home.append(home.line("first"), to: "a", at: 1)
                #expect(try await home.next(of: follower) == ["first"])
            }
        }
    }
}

/// This machine, one of whose reads fails.
private final class FailingHost: ForwardingHostSession {
    let base: any HostSession = LocalHostSession()
    private let failing: Int
    private let count = Mutex(0)

    init(read failing: Int) { self.failing = failing }

    var reads: Int { count.withLock { $0 } }

    func read(_ path: String, from offset: UInt64, count limit: Int) async throws -> [UInt8] {
        let number = count.withLock { count in
            count += 1
            return count
        }
        if number == failing { throw TransportError(.connectionLost, "lost") }
        return try await base.read(path, from: offset, count: limit)
    }
}

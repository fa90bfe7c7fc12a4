// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTranscripts
import Synchronization
import TestSupport
import Testing

/// Several processes with one store. The others are this one, started again by Swift Testing; the folder comes to them
/// in the environment, so that these tests run one after the other.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct TranscriptProcessTests {
    private static let variable = "RIFF_TRANSCRIPT_FOLDER"

    private static func withFolder(_ body: (_ folder: String) async throws -> Void) async throws {
        try await TranscriptLab.withFolder { (folder) async throws in
            setenv(variable, folder, 1)
            defer { unsetenv(variable) }
            try await body(folder)
        }
    }

    private static var folder: String { ProcessInfo.processInfo.environment[variable] ?? "" }

    /// Adds a line to a file in one write: it survives the process.
    private static func note(_ line: String, in name: String) {
        let file = open("\(folder)/\(name)", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        let bytes = Array((line + "\n").utf8)
        precondition(file >= 0 && write(file, bytes, bytes.count) == bytes.count)
        close(file)
    }

    private static func lines(_ folder: String, _ name: String) -> [String] {
        let text = (try? String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map { String($0) }
    }

    /// A thousand bursts of five messages; after each, its number is noted. Which burst it dies behind is noted before.
    private static func writeUntilKilled() async throws {
        let done = lines(folder, "acknowledged").count
        let store = try await TranscriptLab.open(folder + "/transcripts.db")
        // Some thirty deaths come of it, however fast the machine is; the burst goes to the disk meanwhile.
        let last = done + Int.random(in: 0..<40)
        let delay = DispatchTimeInterval.microseconds(.random(in: 0...10_000))
        for burst in done..<1000 {
            let messages = (0..<5).map {
                TranscriptLab.message("\(burst)-\($0)", "burst \(burst) message \($0)", at: Double(burst))
            }
            try await store.save(TranscriptSession(id: "s"), messages)
            note("\(burst)", in: "acknowledged")
            // Killed by another thread, at any moment: also in the middle of a write. Behind a burst of its own, so
            // that each life brings the thousand nearer, however slow the machine is.
            if burst == last { DispatchQueue.global().asyncAfter(deadline: .now() + delay) { kill(getpid(), SIGKILL) } }
        }
        // The last life may have had fewer left.
        kill(getpid(), SIGKILL)
    }

    @Test func `kill -9 in a thousand bursts loses nothing that was acknowledged`() async throws {
        try await Self.withFolder { (folder) async throws in
            var kills = 0
            while Self.lines(folder, "acknowledged").count < 1000 {
                await #expect(processExitsWith: .signal(SIGKILL)) { try await Self.writeUntilKilled() }
                kills += 1
                // What is there behind each death is what was acknowledged, and at most one whole burst more.
                let acknowledged = Self.lines(folder, "acknowledged").count
                let store = try await TranscriptLab.open(folder + "/transcripts.db")
                let count = try await store.session("s")?.messageCount ?? 0
                #expect(count >= acknowledged * 5 && count <= acknowledged * 5 + 5 && count % 5 == 0)
                try await store.close()
                try #require(kills < 1000)
            }
            let store = try await TranscriptLab.open(folder + "/transcripts.db")
            var texts: [String] = []
            var page = try await store.messages(of: "s", .oldest, limit: 1000)
            texts += page.messages.map(\.text)
            while page.isBehindEnd, let later = page.later {
                page = try await store.messages(of: "s", .after(later), limit: 1000)
                texts += page.messages.map(\.text)
            }
            #expect(texts == (0..<1000).flatMap { burst in (0..<5).map { "burst \(burst) message \($0)" } })
            let found = try await store.search(TranscriptSearch("burst 999", order: .newest))
            #expect(found.hits.count == 5)
            print("kill -9: \(kills) kills in 1000 bursts")
        }
    }

    /// Reads pages and searches until the writer is done; all that it sees is whole, and never less than before.
    private static func readUntilAllIsWritten() async throws {
        let store = try await TranscriptLab.open(folder + "/transcripts.db", isReadOnly: true)
        var (seen, reads): (Int64, Int) = (0, 0)
        var isDone = false
        while !isDone {
            let session = try #require(try await store.session("s"))
            let newest = try await store.messages(of: "s", .newest, limit: 50).messages
            let found = try await store.search(TranscriptSearch("burst", order: .newest), limit: 10).hits
            precondition(session.messageCount >= seen && session.messageCount % 5 == 0)
            precondition(newest.count == min(50, Int(session.messageCount)) || newest.count % 5 == 0)
            precondition(newest.isEmpty || newest.last?.id.hasSuffix("-4") == true)
            precondition(found.allSatisfy { $0.snippet.text.hasPrefix("burst ") })
            isDone = session.title == "done"
            precondition(!isDone || found.count == 10)
            (seen, reads) = (session.messageCount, reads + 1)
            if reads == 1 { note("ready", in: "readers") }
        }
        note("\(reads)", in: "reads")
    }

    /// Writes until all four read, and two hundred bursts more.
    private static func writeForReaders() async throws {
        let store = try await TranscriptLab.open(folder + "/transcripts.db")
        var (bursts, late) = (0, 0)
        while late < 200, bursts < 20_000 {
            if lines(folder, "readers").count == 4 { late += 1 }
            let number = bursts
            let messages = (0..<5).map {
                TranscriptLab.message("\(number)-\($0)", "burst \(number)", at: Double(number))
            }
            try await store.append(messages, to: "s")
            bursts += 1
        }
        try await store.rename("s", to: "done")
        note("\(bursts)", in: "bursts")
    }

    @Test func `four processes read while one writes`() async throws {
        try await Self.withFolder { (folder) async throws in
            let store = try await TranscriptLab.open(folder + "/transcripts.db")
            try await store.save(TranscriptSession(id: "s"))
            await withTaskGroup(of: Void.self) { group in
                // The writer as well: while this process waits for others, Swift Testing keeps its threads.
                group.addTask {
                    await #expect(processExitsWith: .success) { try await Self.writeForReaders() }
                }
                for _ in 0..<4 {
                    group.addTask {
                        await #expect(processExitsWith: .success) { try await Self.readUntilAllIsWritten() }
                    }
                }
            }
            let bursts = try #require(Self.lines(folder, "bursts").first.flatMap { Int64($0) })
            #expect(try await store.session("s")?.messageCount == bursts * 5)
            let reads = Self.lines(folder, "reads").compactMap { Int($0) }
            #expect(reads.count == 4 && reads.allSatisfy { $0 > 1 })
            print("reads of four processes beside \(bursts) writes: \(reads)")
        }
    }

    @Test func `changes are noticed: another process's by the clock, this one's at once`() async throws {
        try await Self.withFolder { (folder) async throws in
            let store = try await TranscriptLab.open(folder + "/transcripts.db")
            let clock = ManualClock()
            let (snapshots, snapshot) = AsyncStream<TranscriptSnapshot>.makeStream()
            let reader = Task {
                for try await state in store.updates(every: .seconds(1), clock: clock) { snapshot.yield(state) }
            }
            var states = snapshots.makeAsyncIterator()
            let first = try #require(await states.next())
            #expect(first.sessionCount == 0 && first.sessions.elements.isEmpty)
            await clock.sleepers(1)
            await #expect(processExitsWith: .success) {
                let store = try await TranscriptLab.open(Self.folder + "/transcripts.db")
                try await store.save(TranscriptSession(id: "theirs"), [TranscriptLab.message("1", "text")])
                try await store.close()
            }
            clock.advance(by: .seconds(1))
            let second = try #require(await states.next())
            #expect(second.sessions.elements.map(\.id) == ["theirs"] && second.revision > first.revision)
            await clock.sleepers(1)
            try await store.save(TranscriptSession(id: "ours"))
            #expect(await states.next()?.sessionCount == 2)
            reader.cancel()
            await #expect(throws: CancellationError.self) { try await reader.value }
        }
    }

    @Test func `a reader of changes ends with its task`() async throws {
        try await TranscriptLab.withStore { (store) async throws in
            let task = Task {
                var count = 0
                for try await _ in store.updates(every: nil) { count += 1 }
                return count
            }
            task.cancel()
            await #expect(throws: CancellationError.self) { _ = try await task.value }
        }
    }
}

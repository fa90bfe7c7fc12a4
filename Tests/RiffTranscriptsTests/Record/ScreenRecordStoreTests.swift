// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffScreen
import RiffTesting
import RiffTranscripts
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ScreenRecordStoreTests {
    private static let consent = RecordConsent(agreedAt: 1)

    private static func with(
        limitBytes: Int = 64 << 20,
        _ body: (ScreenRecordStore, String) async throws -> Void
    ) async throws {
        let folder = "/tmp/riff-record-\(UInt32.random(in: .min ... .max))"
        let store = try await ScreenRecordStore.open(at: "\(folder)/records.db", limitBytes: limitBytes)
        let result: Result<Void, any Error>
        do { result = .success(try await body(store, folder)) } catch { result = .failure(error) }
        try await store.close()
        try? FileManager.default.removeItem(atPath: folder)  // Cleanup.
        try result.get()
    }

    /// A recorder's entries of lines that scroll by.
    private static func record(
        _ lines: some Sequence<String>,
        from time: Double = 100,
        into recorder: inout ScreenRecorder
    ) -> [RecordEntry] {
        var screen = Screen(size: TerminalSize(columns: 60, rows: 4))
        var (time, entries) = (time, [RecordEntry]())
        for line in lines {
            screen.feed(line + "\r\n")
            entries += recorder.record(screen, at: time)
            time += 1
        }
        return entries + recorder.finish(at: time)
    }

    /// All that is in the files of a store.
    private static func files(_ folder: String) throws -> [UInt8] {
        try FileManager.default.contentsOfDirectory(atPath: folder).flatMap { name in
            [UInt8](try Data(contentsOf: URL(filePath: "\(folder)/\(name)")))
        }
    }

    @Test func `a record is kept, searched by session, time and state, replayed and summed up`() async throws {
        try await Self.with { store, _ in
            var recorder = ScreenRecorder()
            var entries = [recorder.record(RecordMark(time: 99, kind: .state, text: "working"))]
            entries += Self.record((0..<20).map { "alpha line \($0)" }, into: &recorder)
            entries.append(recorder.record(RecordMark(time: 130, kind: .question, text: "Bash rm")))
            entries.append(recorder.record(RecordMark(time: 131, kind: .state, text: "waiting")))
            entries += Self.record(["beta line"], from: 132, into: &recorder)
            try await store.append(entries, to: "one", consent: Self.consent)
            var other = ScreenRecorder()
            try await store.append(Self.record(["alpha Ünder"], into: &other), to: "two", consent: Self.consent)

            #expect(try await store.search(RecordSearch(FTSQuery("alpha"))).count == 21)
            #expect(
                try await store.search(RecordSearch(FTSQuery("alpha"), session: "two")).map(\.text) == ["alpha Ünder"]
            )
            #expect(try await store.search(RecordSearch(FTSQuery("under"))).map(\.session) == ["two"])
            #expect(
                try await store.search(RecordSearch(FTSQuery("line"), state: "waiting")).map(\.text) == ["beta line"]
            )
            #expect(try await store.search(RecordSearch(FTSQuery("alpha"), period: 100...105)).count == 4)
            #expect(try await store.search(RecordSearch(FTSQuery("alpha"), limit: 3)).first?.session == "two")
            #expect(try await store.search(RecordSearch(FTSQuery("alpha"), session: "none")).isEmpty)
            #expect(try await store.search(RecordSearch(FTSQuery("\" OR * NEAR("))).isEmpty)

            var replay = CastReplay(try await store.cast(of: "one"))
            replay.seek(to: .seconds(11))
            #expect(replay.screen.visibleText.contains("alpha line 10"))
            #expect(replay.marks.map(\.text) == ["state: working", "question: Bash rm", "state: waiting"])
            let digest = try await store.digest(of: "one", during: 105...1000)
            #expect(digest.openQuestions.map(\.text) == ["Bash rm"] && digest.state == "waiting")
            #expect(digest.lineCount == 19)
            #expect(try await store.sessions() == ["one", "two"])
        }
    }

    @Test func `the last screen is there at once in another life, with its place`() async throws {
        try await Self.with { store, folder in
            var screen = Screen(size: .standard)
            var recorder = ScreenRecorder(redactor: ScreenRedactor(secrets: [Secret("open sesame")]))
            screen.feed("\u{1B}[31mred\u{1B}[0m open sesame")
            _ = recorder.record(screen, at: 5)
            try await store.saveScreen(of: recorder, session: "a", at: 5, place: "tap 12")
            let other = try await ScreenRecordStore.open(at: "\(folder)/records.db")
            let last = try #require(try await other.lastScreen(of: "a"))
            #expect(
                last.time == 5 && last.place == "tap 12" && last.ansi.contains("red") && !last.ansi.contains("sesame")
            )
            #expect(try await other.lastScreen(of: "b") == nil)
            try await other.close()
        }
    }

    @Test(arguments: [nil, "a"])
    func `what is erased is in no file`(session: String?) async throws {
        try await Self.with { store, folder in
            var recorder = ScreenRecorder()
            let entries = Self.record((0..<2000).map { "plumbus \($0)" }, into: &recorder)
            try await store.append(entries, to: "a", consent: Self.consent)
            var other = ScreenRecorder()
            try await store.append(Self.record(["grumbo stays"], into: &other), to: "b", consent: Self.consent)
            #expect(try Self.files(folder).contains(Array("plumbus".utf8)))
            try await store.erase(session)
            let files = try Self.files(folder)
            #expect(!files.contains(Array("plumbus".utf8)))
            #expect(files.contains(Array("grumbo".utf8)) == (session != nil))
            #expect(try await store.search(RecordSearch(FTSQuery("plumbus"))).isEmpty)
            #expect(try await store.search(RecordSearch(FTSQuery("grumbo"))).count == (session == nil ? 0 : 1))
            #expect(try await store.cast(of: "a").events.isEmpty)
        }
    }

    @Test func `the oldest goes beyond the limit, and what is left is shown whole`() async throws {
        try await Self.with(limitBytes: 2 << 20) { store, folder in
            var recorder = ScreenRecorder()
            var generator = SeededGenerator(seed: 3)
            for part in 0..<60 {
                let lines = (0..<400).map {
                    "part \(part) line \($0) \(UInt64.random(in: .min ... .max, using: &generator))"
                }
                let entries = Self.record(lines, from: Double(part * 1000), into: &recorder)
                try await store.append(entries, to: "a", consent: Self.consent)
            }
            let size = try Self.files(folder).count
            #expect(size < 8 << 20)
            #expect(try await store.search(RecordSearch(FTSQuery("\"part 59\"", syntax: .operators))).count == 100)
            #expect(try await store.search(RecordSearch(FTSQuery("\"part 0\"", syntax: .operators))).isEmpty)
            var replay = CastReplay(try await store.cast(of: "a"))
            replay.seek(to: replay.duration)
            #expect(replay.screen.visibleText.contains("part 59 line 399"))
            print("record: \(size) bytes of files for a limit of \(2 << 20)")
        }
    }

    @Test func `a full disk keeps nothing of what failed, and the rest is whole`() async throws {
        let mount = "/tmp/riff-record-full-\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: mount, withIntermediateDirectories: true)
        let (status, output) = try await SystemProgram.run("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", mount])
        guard status == 0 else {
            print("record: no file system can be mounted here (\(output)); a full disk is not tried")
            return
        }
        let store = try await ScreenRecordStore.open(at: "\(mount)/records.db")
        var recorder = ScreenRecorder()
        let first = Self.record(["kept line"], into: &recorder)
        try await store.append(first, to: "a", consent: Self.consent)
        let flood = Self.record((0..<20_000).map { "flood \($0) \(UInt64.random(in: .min ... .max))" }, into: &recorder)
        let error = await #expect(throws: DataError.self) {
            try await store.append(flood, to: "a", consent: Self.consent)
        }
        #expect(error?.code == .diskFull)
        #expect(try await store.search(RecordSearch(FTSQuery("kept"))).count == 1)
        #expect(try await store.search(RecordSearch(FTSQuery("flood"))).isEmpty)
        try await store.close()
        _ = try await SystemProgram.run("umount", [mount])
        try? FileManager.default.removeItem(atPath: mount)  // Cleanup.
    }

    @Test(.enabled(if: SQLiteProgram.isInstalled, "needs sqlite3"))
    func `another program's file, a newer one and a changed one are refused`() async throws {
        let folder = "/tmp/riff-record-\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func refusal(_ sql: String, fresh: Bool) async throws -> DataErrorCode? {
            let path = "\(folder)/\(UInt32.random(in: .min ... .max)).db"
            if !fresh { try await ScreenRecordStore.open(at: path).close() }
            try await SQLiteProgram.tamper(path, sql)
            let error = await #expect(throws: DataError.self) { _ = try await ScreenRecordStore.open(at: path) }
            return error?.code
        }
        #expect(try await refusal("CREATE TABLE theirs (a)", fresh: true) == .databaseForeign)
        #expect(try await refusal("PRAGMA user_version = 2", fresh: false) == .databaseTooNew)
        #expect(
            try await refusal("CREATE TRIGGER t AFTER INSERT ON mark BEGIN DELETE FROM line; END", fresh: false)
                == .databaseUnsafe
        )
    }

    @Test func `two hundred thousand lines are searched in under 50 ms`() async throws {
        try await Self.with { store, _ in
            let words = ["error", "warning", "build", "test", "passed", "module", "line", "swift", "screen", "agent"]
            var generator = SeededGenerator(seed: 9)
            let states = ["working", "waiting", "done"]
            for part in 0..<100 {
                var recorder = ScreenRecorder()
                let state = states[part % 3]
                var entries = [recorder.record(RecordMark(time: Double(part * 100), kind: .state, text: state))]
                var screen = Screen(size: TerminalSize(columns: 80, rows: 24))
                let lines = (0..<2000).map { number in
                    let text = (0..<8).map { _ in words[Int.random(in: 0..<words.count, using: &generator)] }
                    return text.joined(separator: " ") + " n\(part * 2000 + number)"
                }
                screen.feed(lines.joined(separator: "\r\n") + String(repeating: "\r\n", count: 24))
                var start = Screen(size: TerminalSize(columns: 80, rows: 24))
                start.feed("\r\n")
                entries += recorder.record(start, at: Double(part * 100))
                entries += recorder.record(screen, at: Double(part * 100 + 1))
                try await store.append(entries, to: "session \(part % 10)", consent: Self.consent)
            }
            let searches = [
                RecordSearch(FTSQuery("n123456")), RecordSearch(FTSQuery("error")),
                RecordSearch(FTSQuery("error warning agent")), RecordSearch(FTSQuery("error"), session: "session 3"),
                RecordSearch(FTSQuery("build"), state: "waiting"), RecordSearch(FTSQuery("test"), period: 9000...9500),
                RecordSearch(FTSQuery("test"), period: 100...500), RecordSearch(FTSQuery("nothing of it")),
                RecordSearch(FTSQuery("screen"), session: "session 1", period: 0...200, state: "waiting"),
            ]
            for search in searches {
                let clock = ContinuousClock()
                var best = Duration.seconds(100)
                var count = 0
                for _ in 0..<5 {
                    let start = clock.now
                    count = try await store.search(search).count
                    best = min(best, start.duration(to: clock.now))
                }
                print(
                    "search: \(count) hits in \(best) for \(search.query.groups.count) words, period \(search.period as Any)"
                )
                #expect(best < .milliseconds(50).patient, "\(search)")
            }
            #expect(try await store.search(searches[0]).count == 1)
            #expect(try await store.search(searches[1]).count == 100)
        }
    }
}

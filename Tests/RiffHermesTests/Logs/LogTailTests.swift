// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHermes
import RiffTesting
import RiffTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct LogTailTests {
    private static func line(_ number: Int, _ level: String = "INFO") -> [UInt8] {
        Array("2026-11-21 03:19:07,420 \(level) agent.x: line \(number)\n".utf8)
    }

    @Test func `the newest entries are read once, from the first whole line on`() async throws {
        let host = ScriptedHostSession(files: [
            "/a.log": (0..<100).flatMap { Self.line($0, $0 == 99 ? "ERROR" : "INFO") }
        ])
        let log = LogFile("/a.log", on: host)
        #expect(try await log.entries()?.count == 100)
        #expect(try await log.entries(inLast: 100)?.map(\.message) == ["line 98", "line 99"])
        #expect(try await log.entries(matching: LogFilter(minimumLevel: .error))?.map(\.message) == ["line 99"])
        #expect(try await log.entries(inLast: 0)?.isEmpty == true)
        #expect(try await log.entries(inLast: -1)?.isEmpty == true)
        #expect(try await LogFile("/none.log", on: host).entries() == nil)
        await #expect(throws: DataError.self) {
            try await HermesHome("/h", on: host).log(.init(rawValue: "../x")).entries()
        }
    }

    @Test func `a tail begins with whole lines, goes on as the log grows, and joins a traceback`() async throws {
        let host = ScriptedHostSession(files: ["/a.log": (0..<100).flatMap { Self.line($0) }])
        let clock = ManualClock()
        let tail = LogFile("/a.log", on: host).tail(from: .last(bytes: 100), clock: clock)
        let (found, feed) = AsyncStream<[String]>.makeStream()
        let reading = Task {
            for try await batch in tail { feed.yield(batch.entries.map(\.message)) }
        }
        var batches = found.makeAsyncIterator()
        #expect(await batches.next() == ["line 98"])
        // The last entry waits for more lines.
        await clock.sleepers(1)
        try host.append(Self.line(100, "ERROR") + Array("Traceback\n  oops\n".utf8), to: "/a.log")
        clock.advance(by: .milliseconds(200))
        #expect(await batches.next() == ["line 99"])
        await clock.sleepers(1)
        clock.advance(by: .milliseconds(200))
        #expect(await batches.next() == ["line 100\nTraceback\n  oops"])
        reading.cancel()
        await #expect(throws: CancellationError.self) { try await reading.value }
    }

    @Test func `a tail that begins in a line that never ends goes on with the next file's first line`() async throws {
        let host = ScriptedHostSession(files: ["/a.log": Self.line(0) + Array("a line that is cut".utf8)])
        let rotating = ActingHost(
            host,
            beforeWatch: {
                try await host.rename("/a.log", to: "/a.log.1")
                try await host.write(Self.line(1) + Self.line(2), to: "/a.log", permissions: nil)
            }
        )
        let tail = LogFile("/a.log", on: rotating).tail(from: .last(bytes: 5), patience: .zero)
        var batches = tail.makeAsyncIterator()
        #expect(try await batches.next()?.entries.map(\.message) == ["line 1"])
    }

    @Test func `a log that is truncated while a tail begins is read from its first line`() async throws {
        let host = ScriptedHostSession(files: ["/a.log": (0..<50).flatMap { Self.line($0) } + Array("cut".utf8)])
        let truncating = ActingHost(
            host,
            beforeRead: {
                try await host.write(Self.line(1) + Self.line(2), to: "/a.log", permissions: nil)
            }
        )
        let tail = LogFile("/a.log", on: truncating).tail(from: .last(bytes: 1), patience: .zero)
        var batches = tail.makeAsyncIterator()
        #expect(try await batches.next()?.entries.map(\.message) == ["line 1"])
    }

    @Test func `only what passes the filter comes`() async throws {
        let host = ScriptedHostSession(files: ["/a.log": Self.line(0) + Self.line(1, "ERROR") + Self.line(2)])
        let tail = LogFile("/a.log", on: host).tail(matching: LogFilter(minimumLevel: .error))
        var batches = tail.makeAsyncIterator()
        #expect(try await batches.next()?.entries.map(\.message) == ["line 1"])
    }

    @Test func `a lost connection is an error, after which the same reading goes on`() async throws {
        let inner = ScriptedHostSession(files: ["/a.log": Self.line(0) + Self.line(1)])
        let host = FailingReads(inner)
        var batches = LogFile("/a.log", on: host).tail(from: .beginning, patience: .zero).makeAsyncIterator()
        #expect(try await batches.next()?.entries.map(\.message) == ["line 0"])
        #expect(try await batches.next()?.entries.map(\.message) == ["line 1"])
        try inner.append(Self.line(2) + Self.line(3), to: "/a.log")
        await host.fail(at: 1)
        let error = await #expect(throws: TransportError.self) { _ = try await batches.next() }
        #expect(error?.code == .connectionLost)
        var messages: [String] = []
        while messages.count < 2 { messages += try await batches.next()?.entries.map(\.message) ?? [] }
        #expect(messages == ["line 2", "line 3"])
    }

    @Test func `an empty batch tells that a quiet log can be read again`() async throws {
        let inner = ScriptedHostSession(files: ["/a.log": Self.line(0) + Self.line(1)])
        let host = FailingReads(inner)
        var batches = LogFile("/a.log", on: host).tail(from: .beginning, patience: .zero).makeAsyncIterator()
        #expect(try await batches.next()?.entries.map(\.message) == ["line 0"])
        #expect(try await batches.next()?.entries.map(\.message) == ["line 1"])
        await host.fail(at: 1)
        await #expect(throws: TransportError.self) { _ = try await batches.next() }
        #expect(try await batches.next() == LogTail.Batch(entries: []))
        try inner.append(Self.line(2) + Self.line(3), to: "/a.log")
        #expect(try await batches.next()?.entries.map(\.message) == ["line 2"])
    }

    @Test func `the problem of a quiet log goes once the log can be read`() async {
        let host = FailingReads(ScriptedHostSession(files: ["/a.log": []]))
        let log = LogFile("/a.log", on: host)
        let live = log.live()
        let clock = ManualClock()
        await host.fail(at: 1)
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await #expect(throws: CancellationError.self) {
                    try await live.follow(log.tail(from: .beginning, clock: clock))
                }
            }
            var updates = live.updates().makeAsyncIterator()
            while let answer = await updates.next(), answer.problem == nil {}
            #expect(live.current.problem?.code == "transport.connectionLost")
            await clock.sleepers(1)
            clock.advance(by: .seconds(2))
            while let answer = await updates.next(), answer.problem != nil {}
            #expect(live.current.problem == nil)
            group.cancelAll()
        }
    }

    @Test(arguments: 0...10)
    func `a gap lies in front of what follows it, and is not lost with a connection`(failing: Int) async throws {
        let inner = ScriptedHostSession(files: ["/a.log": Self.line(0) + Self.line(1)])
        let host = FailingReads(inner)
        let tail = LogFile("/a.log", on: host).tail(from: .beginning, clock: ManualClock())
        var batches = tail.makeAsyncIterator()
        #expect(try await batches.next()?.entries.map(\.message) == ["line 0"])
        // Line 1 waits for more lines of its own; the log is truncated meanwhile.
        try await inner.write(Self.line(7) + Self.line(8), to: "/a.log", permissions: nil)
        await host.fail(at: failing)
        var found: [LogTail.Batch] = []
        var isLost = false
        while found.count < 2 {
            do {
                guard let batch = try await batches.next() else { break }
                if !batch.entries.isEmpty {
                    found.append(batch)
                } else {
                    // Only after an error, once, and the gap is told with what follows it.
                    #expect(isLost && !batch.followsGap)
                }
                isLost = false
            } catch is TransportError { isLost = true }
        }
        #expect(found.map { $0.entries.map(\.message) } == [["line 1"], ["line 7"]])
        #expect(found.map(\.followsGap) == [false, true])
    }

    @Test func `a log that is not there yet is read once it is, and a cancelled reading ends`() async throws {
        let host = ScriptedHostSession()
        let tail = LogFile("/logs/a.log", on: host).tail(from: .beginning, patience: .zero)
        let task = Task {
            var batches = tail.makeAsyncIterator()
            return (try await batches.next(), try await batches.next())
        }
        try await host.makeDirectory("/logs", permissions: 0o700)
        try host.append(Self.line(0) + Self.line(1), to: "/logs/a.log")
        // The second batch is `line 1`, the third would never come.
        #expect(try await task.value.0?.entries.map(\.message) == ["line 0"])
        #expect(try await task.value.1?.entries.map(\.message) == ["line 1"])
        let endless = Task {
            var batches = tail.makeAsyncIterator()
            return try await batches.next()
        }
        endless.cancel()
        await #expect(throws: CancellationError.self) { _ = try await endless.value }
    }

    /// Does something before the first read, or before the first watch.
    private actor ActingHost: ForwardingHostSession {
        let base: any HostSession
        private var beforeRead: (@Sendable () async throws -> Void)?
        private var beforeWatch: (@Sendable () async throws -> Void)?

        init(
            _ base: any HostSession,
            beforeRead: (@Sendable () async throws -> Void)? = nil,
            beforeWatch: (@Sendable () async throws -> Void)? = nil
        ) {
            (self.base, self.beforeRead, self.beforeWatch) = (base, beforeRead, beforeWatch)
        }

        func read(_ path: String, from offset: UInt64, count: Int) async throws -> [UInt8] {
            let act = beforeRead
            beforeRead = nil
            try await act?()
            return try await base.read(path, from: offset, count: count)
        }
        func watch(_ paths: [String], every interval: Duration, clock: any Clock<Duration>) async throws -> FileWatch {
            let act = beforeWatch
            beforeWatch = nil
            try await act?()
            return try await base.watch(paths, every: interval, clock: clock)
        }
    }

    private actor FailingReads: ForwardingHostSession {
        let base: any HostSession
        /// How many reads still pass; `nil` for all.
        private var left: Int?

        init(_ base: any HostSession) { self.base = base }

        /// Has one of the next reads fail, counted from 1.
        func fail(at number: Int) { left = number > 0 ? number - 1 : nil }

        func read(_ path: String, from offset: UInt64, count: Int) async throws -> [UInt8] {
            if left == 0 {
                left = nil
                throw TransportError(.connectionLost, "lost")
            }
            left = left.map { $0 - 1 }
            return try await base.read(path, from: offset, count: count)
        }
        func fingerprints(of paths: [String]) async throws -> [String: FileFingerprint] {
            try await base.fingerprints(of: paths)
        }
        func watch(_ paths: [String], every interval: Duration, clock: any Clock<Duration>) async throws -> FileWatch {
            try await base.watch(paths, every: interval, clock: clock)
        }
    }
}

extension HomesInTurn {
    /// A program that logs as fast as it can, and a reader beside it.
    @Suite struct LogBurstTests {
        enum Rotation: String, CaseIterable, Sendable { case rename, copytruncate, none }

        private static let cases = HomeLab.Way.available.flatMap { way in
            Rotation.allCases.filter { way == .local || $0 != .none }.map { (way, $0) }
        }
        /// 20 MB, for which the log is rotated four times, unless `RIFF_LOG_BURST` says otherwise. 8,200 lines are 1
        /// MB.
        private static let count =
            8_200 * (ProcessInfo.processInfo.environment["RIFF_LOG_BURST"].flatMap { Int($0) } ?? 20)

        /// Each line has its number and 70 bytes beyond ASCII; every 1,000th entry has three lines. The log is rotated
        /// beyond 5 MiB, as the agent's is.
        private static let writer = """
            import sys, os, shutil
            path, count, how = sys.argv[1], int(sys.argv[2]), sys.argv[3]
            text, number = "\u{5C}u6f22\u{5C}u5b57\u{5C}U0001f3a7" * 7, 0
            out = open(path, "ab", buffering=0)
            while number < count:
                block = []
                for number in range(number, number + 2000):
                    more = "\\n  at one\\n  at two" if number % 1000 == 0 else ""
                    block.append(f"2026-11-21 03:19:07,420 INFO agent.burst: {number} {text}{more}\\n")
                number += 1
                data = "".join(block).encode()
                # Writes that end within lines and characters.
                for at in range(0, len(data), 70001): out.write(data[at:at + 70001])
                if how == "none" or os.path.getsize(path) < 5 << 20: continue
                for i in range(98, 0, -1):
                    if os.path.exists(f"{path}.{i}"): os.rename(f"{path}.{i}", f"{path}.{i+1}")
                if how == "rename":
                    os.rename(path, path + ".1")
                    out.close()
                    out = open(path, "ab", buffering=0)
                else:
                    shutil.copyfile(path, path + ".1")
                    os.truncate(path, 0)
            """

        @Test(arguments: cases)
        func `a burst comes whole, each line once`(way: HomeLab.Way, rotation: Rotation) async throws {
            try await HomeLab.with(way, copying: false) { lab, session in
                try FileManager.default.createDirectory(atPath: lab.path + "/logs", withIntermediateDirectories: true)
                let path = lab.path + "/logs/agent.log"
                let command = try ShellQuoting.join([
                    "python3", "-c", Self.writer, path, String(Self.count), rotation.rawValue,
                ])
                let tail = lab.home(on: session).log(.agent).tail(
                    // On a busy machine it may be rotated before the first look.
                    from: .oldest,
                    every: .milliseconds(100),
                    patience: .milliseconds(100)
                )
                let writing = Task { try await lab.local.run(command, timeout: .seconds(200).patient) }
                var counter = EntryCounter()
                var batches = tail.makeAsyncIterator()
                while counter.next < Self.count, counter.wrong == nil, let batch = try await batches.next() {
                    #expect(!batch.followsGap)
                    // What is held at a time: a piece of the log, and the entry that waited for its end.
                    let bytes = batch.entries.reduce(0) { $0 + $1.message.utf8.count }
                    #expect(bytes <= 256 * 1024 + LogAssembler.entryBytes)
                    counter.take(batch.entries)
                }
                let result = try await writing.value
                #expect(result.exit == .exited(0), "\(result.diagnosticText)")
                #expect(counter.wrong == nil)
                #expect(counter.next == Self.count)
                #expect(counter.lines == Self.count + 2 * Self.count / 1000)
            }
        }

        @Test(arguments: HomeLab.Way.available)
        func `a truncation is told, and nothing behind it is lost`(way: HomeLab.Way) async throws {
            try await HomeLab.with(way, copying: false) { lab, session in
                let line = { (number: Int) in "2026-11-21 03:19:07,420 INFO agent.x: \(number) \u{6F22}\n" }
                try lab.write((0..<50).map(line).joined(), to: "logs/agent.log")
                let tail = lab.home(on: session).log(.agent).tail(
                    from: .beginning,
                    every: .milliseconds(50),
                    patience: .milliseconds(10)
                )
                var counter = EntryCounter()
                var batches = tail.makeAsyncIterator()
                while counter.next < 50, let batch = try await batches.next() { counter.take(batch.entries) }
                let shell = "cd \(lab.path)/logs && sh -c ': > agent.log' && cat >> agent.log"
                let rest = (50..<150).map(line).joined()
                _ = try await lab.local.run(shell, input: Array(rest.utf8), outputLimit: 100, timeout: .seconds(30))
                var gaps = 0
                while counter.next < 150, counter.wrong == nil, let batch = try await batches.next() {
                    if batch.followsGap { gaps += 1 }
                    counter.take(batch.entries)
                }
                #expect(counter.wrong == nil && counter.next == 150 && gaps == 1)
            }
        }
    }

    /// Counts entries that must come in order.
    private struct EntryCounter {
        var next = 0
        var lines = 0
        var wrong: String?

        mutating func take(_ entries: [LogEntry]) {
            for entry in entries {
                var utf8 = entry.message.utf8[...]
                lines += 1
                if utf8.last == UInt8(ascii: "o") { lines += utf8.filter { $0 == 0x0A }.count }
                guard !entry.continuesPrevious else { continue }
                var number = 0
                while let byte = utf8.popFirst(), byte != 0x20 { number = number * 10 + Int(byte) - 0x30 }
                guard number == next, utf8.starts(with: [0xE6, 0xBC, 0xA2]) else {
                    wrong = "\(entry.message.prefix(80)) came for \(next)"
                    return
                }
                next += 1
            }
        }
    }
}

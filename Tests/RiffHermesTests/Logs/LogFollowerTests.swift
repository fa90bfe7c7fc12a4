// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffHermes
import RiffTesting
import RiffTransport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct LogFollowerTests {
    private static func make() async throws -> (LogWriter, LogReader) {
        let writer = LogWriter()
        try await writer.host.makeDirectory("/logs", permissions: 0o700)
        return (writer, LogReader(writer.host))
    }

    enum Rotation: CaseIterable, Sendable {
        case rename, copy, compressed, compressedLater

        func callAsFunction(_ writer: LogWriter) async throws {
            switch self {
            case .rename: try await writer.rotate()
            case .copy: try await writer.copyAndTruncate()
            case .compressed, .compressedLater:
                try await writer.rotate()
                try await writer.compress(self == .compressed ? 1 : 2)
            }
        }
    }

    @Test(arguments: Rotation.allCases, [0, 1, 3])
    func `lines before and after rotations come once`(rotation: Rotation, lines: Int) async throws {
        var (writer, reader) = try await Self.make()
        for _ in 0..<4 {
            try writer.write(lines)
            try await reader.readAll()
            try writer.write(2)
            try await rotation(writer)
            try writer.write(3)
        }
        try await reader.readAll()
        #expect(reader.numbers == Array(0..<writer.count))
        #expect(reader.gaps == 0)
    }

    @Test(arguments: [0, 40, 300], [1, 3, 100, 10_000])
    func `what was read between a copy and the truncation does not have the copy read again`(
        before: Int,
        between: Int
    ) async throws {
        var (writer, reader) = try await Self.make()
        for _ in 0..<3 {
            try writer.write(before)
            try await reader.readAll()
            try writer.write(before)
            try await writer.copyAndTruncate {
                try writer.write(between)
                try await reader.readAll()
            }
            try writer.write(2)
            try await reader.readAll()
        }
        #expect(reader.numbers == Array(0..<writer.count))
        #expect(reader.gaps == 3)
    }

    @Test func `a reading that began in the middle does not have a copy read again either`() async throws {
        let (writer, _) = try await Self.make()
        try writer.write(100)
        let bytes = try await writer.host.read("/logs/a.log", from: 0, count: 1 << 20)
        var reader = LogReader(writer.host, at: LogPosition(offset: UInt64(bytes.count), context: bytes.suffix(1024)))
        try await reader.readAll()
        try await writer.copyAndTruncate {
            try writer.write(1000)
            try await reader.readAll()
        }
        try writer.write(2)
        try await reader.readAll()
        #expect(reader.numbers == Array(100..<writer.count))
        #expect(reader.gaps == 1)
    }

    @Test(arguments: Rotation.allCases)
    func `many rotations between two looks lose nothing`(rotation: Rotation) async throws {
        var (writer, reader) = try await Self.make()
        try writer.write(1)
        try await reader.readAll()
        for _ in 0..<9 {
            try writer.write(7)
            try await rotation(writer)
        }
        try await reader.readAll()
        #expect(reader.numbers == Array(0..<writer.count))
        try writer.write(2)
        try await reader.readAll()
        #expect(reader.numbers == Array(0..<writer.count))
        #expect(reader.gaps == 0)
    }

    @Test func `rotated files from before are not read`() async throws {
        let (writer, _) = try await Self.make()
        for _ in 0..<3 {
            try writer.write(5)
            try await writer.rotate()
        }
        var reader = LogReader(writer.host)
        try await reader.readAll()
        #expect(reader.numbers == [])
        try writer.write(1)
        try await writer.rotate()
        try writer.write(1)
        try await reader.readAll()
        #expect(reader.numbers == [15, 16])
    }

    @Test func `a truncation after everything was read loses nothing, and says that it may`() async throws {
        var (writer, reader) = try await Self.make()
        try writer.write(100)
        try await reader.readAll()
        try writer.host.truncate("/logs/a.log", to: 0)
        try writer.write(200)
        try await reader.readAll()
        #expect(reader.numbers == Array(0..<300))
        #expect(reader.gaps == 1)
    }

    @Test func `a log that is removed and made anew is read from its beginning`() async throws {
        var (writer, reader) = try await Self.make()
        try writer.write(10)
        try await writer.rotate()
        try writer.write(10)
        try await reader.readAll()
        try await writer.host.remove("/logs/a.log")
        try await reader.readAll()
        try writer.write(5)
        try await reader.readAll()
        #expect(reader.numbers == Array(10..<25))
        #expect(reader.gaps == 1)
    }

    @Test func `where the file that was read is gone the oldest that is left comes next, after a gap`() async throws {
        var (writer, reader) = try await Self.make()
        try writer.write(10)
        try await reader.readAll()
        for _ in 0..<5 {
            try writer.write(10)
            try await writer.rotate()
        }
        // The two oldest go: one of them was read in part.
        try await writer.host.remove("/logs/a.log.5")
        try await writer.host.remove("/logs/a.log.4")
        try writer.write(10)
        try await reader.readAll()
        #expect(reader.numbers == Array(0..<10) + Array(30..<70))
        #expect(reader.gaps == 1)
    }

    @Test func `an old file that still grows is read to its end before the next`() async throws {
        var (writer, reader) = try await Self.make()
        try writer.write(3)
        try await reader.readAll()
        try await writer.rotate()
        try writer.write(2, to: "/logs/a.log.1")
        try await reader.readAll()
        try writer.write(2, to: "/logs/a.log.1")
        try writer.write(2)
        try await reader.readAll()
        #expect(reader.numbers == Array(0..<9))
    }

    @Test(arguments: Rotation.allCases)
    func `a reading of the oldest file on reads everything that there is`(rotation: Rotation) async throws {
        let (writer, _) = try await Self.make()
        for _ in 0..<4 {
            try writer.write(20_000)
            try await rotation(writer)
        }
        try writer.write(5)
        var reader = LogReader(writer.host, at: nil)
        try await reader.readAll()
        try writer.write(5)
        try await reader.readAll()
        #expect(reader.numbers == Array(0..<writer.count))
        #expect(reader.gaps == 0)
        var empty = LogReader(ScriptedHostSession(), at: nil)
        #expect(try await empty.follower.next() == nil)
    }

    @Test(arguments: [10, 4000])
    func `a damaged compressed file gives what comes out of it, and then a gap`(missing: Int) async throws {
        let (writer, _) = try await Self.make()
        try writer.write(5000)
        try await writer.rotate()
        try await writer.compress(1)
        let bytes = try await writer.host.read("/logs/a.log.1.gz", from: 0, count: 1 << 30)
        try await writer.host.write(bytes.dropLast(missing), to: "/logs/a.log.1.gz", permissions: nil)
        try writer.write(5)
        var reader = LogReader(writer.host, at: nil)
        try await reader.readAll()
        #expect(reader.gaps == 1)
        let numbers = reader.numbers.filter { $0 < 5000 }
        #expect(numbers.count > 2000 && numbers.dropLast() == Array(0..<numbers.count - 1)[...])
        #expect(Array(reader.numbers.suffix(5)) == Array(5000..<5005))
    }

    @Test(arguments: 0..<200)
    func `lines come once whatever happens between any two looks`(seed: UInt64) async throws {
        let (writer, _) = try await Self.make()
        let host = MeddledHost(writer.host, seed: seed) { generator in
            switch Int.random(in: 0..<12, using: &generator) {
            case 0: try await writer.rotate()
            case 1: try await writer.copyAndTruncate()
            case 2: try await writer.pack(Int.random(in: 1...3, using: &generator))
            case 3: try await writer.dropPacked()
            case 4...8: try writer.write(Int.random(in: 1...30, using: &generator))
            default: break
            }
        }
        var reader = LogReader(host)
        // What was rotated before the reading begins is not read.
        try await reader.readAll()
        await host.begin()
        for _ in 0..<60 { if let piece = try await reader.follower.next() { reader.take(piece) } }
        await host.stop()
        try await reader.readAll()
        #expect(reader.numbers == Array(0..<writer.count))
        #expect(reader.gaps == 0)
        #expect(writer.count > 20)
    }
}

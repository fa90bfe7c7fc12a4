// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffTransport
import Synchronization
import Testing

import RiffData

@Suite(.timeLimit(.minutes(2)))
struct LogFollowerTests {
    /// A log that a program writes numbered lines to, and rotates.
    private final class Writer: Sendable {
        let host = ScriptedHostSession()
        private let next = Mutex(0)

        /// How many lines were written.
        var count: Int { next.withLock { $0 } }

        func write(_ count: Int, to path: String = "/logs/a.log") throws {
            let first = next.withLock { next in
                defer { next += count }
                return next
            }
            let lines = (first..<first + count).map { "line \($0) of this log, which is long enough\n" }.joined()
            try host.append(Array(lines.utf8), to: path)
        }

        /// As Python's RotatingFileHandler does.
        func rotate(keeping count: Int = 50) async throws {
            for number in stride(from: count - 1, through: 1, by: -1) {
                guard try await host.status(of: "/logs/a.log.\(number)") != nil else { continue }
                try await host.rename("/logs/a.log.\(number)", to: "/logs/a.log.\(number + 1)")
            }
            guard try await host.status(of: "/logs/a.log") != nil else { return }
            try await host.rename("/logs/a.log", to: "/logs/a.log.1")
        }

        /// As logrotate's `copytruncate` does.
        func copyAndTruncate() async throws {
            for number in stride(from: 49, through: 1, by: -1) {
                guard try await host.status(of: "/logs/a.log.\(number)") != nil else { continue }
                try await host.rename("/logs/a.log.\(number)", to: "/logs/a.log.\(number + 1)")
            }
            guard try await host.status(of: "/logs/a.log") != nil else { return }
            let bytes = try await host.read("/logs/a.log", from: 0, count: 1 << 30)
            try await host.write(bytes, to: "/logs/a.log.1", permissions: nil)
            try host.truncate("/logs/a.log", to: 0)
        }
    }

    /// What was read: lines, and how often something was missing.
    private struct Reader {
        var follower: LogFollower
        var text = ""
        var gaps = 0

        init(_ host: any HostSession) { follower = LogFollower("/logs/a.log", on: host, at: .beginning) }

        mutating func readAll() async throws {
            while let piece = try await follower.next() { take(piece) }
        }

        mutating func take(_ piece: LogFollower.Piece) {
            switch piece {
            case .bytes(let bytes): text += String(decoding: bytes, as: UTF8.self)
            case .boundary: break
            case .gap: gaps += 1
            }
        }

        var numbers: [Int] {
            text.split(separator: "\n").map { line in
                line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? -1
            }
        }
    }

    private static func make() async throws -> (Writer, Reader) {
        let writer = Writer()
        try await writer.host.makeDirectory("/logs", permissions: 0o700)
        return (writer, Reader(writer.host))
    }

    enum Rotation: CaseIterable, Sendable { case rename, copy }

    @Test(arguments: Rotation.allCases, [0, 1, 3])
    func `lines before and after rotations come once`(rotation: Rotation, lines: Int) async throws {
        var (writer, reader) = try await Self.make()
        for _ in 0..<4 {
            try writer.write(lines)
            try await reader.readAll()
            try writer.write(2)
            switch rotation {
            case .rename: try await writer.rotate()
            case .copy: try await writer.copyAndTruncate()
            }
            try writer.write(3)
        }
        try await reader.readAll()
        #expect(reader.numbers == Array(0..<writer.count))
        #expect(reader.gaps == 0)
    }

    @Test(arguments: Rotation.allCases)
    func `many rotations between two looks lose nothing`(rotation: Rotation) async throws {
        var (writer, reader) = try await Self.make()
        try writer.write(1)
        try await reader.readAll()
        for _ in 0..<9 {
            try writer.write(7)
            switch rotation {
            case .rename: try await writer.rotate()
            case .copy: try await writer.copyAndTruncate()
            }
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
        var reader = Reader(writer.host)
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
            try await writer.rotate(keeping: 50)
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

    @Test(arguments: 0..<40)
    func `lines come once whatever happens between any two looks`(seed: UInt64) async throws {
        let (writer, _) = try await Self.make()
        let host = Meddled(writer.host, seed: seed) { generator in
            switch Int.random(in: 0..<10, using: &generator) {
            case 0: try await writer.rotate()
            case 1: try await writer.copyAndTruncate()
            case 2...6: try writer.write(Int.random(in: 1...30, using: &generator))
            default: break
            }
        }
        var reader = Reader(host)
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

    /// A host on which something may happen before every call.
    private actor Meddled: HostSession {
        private let host: ScriptedHostSession
        private var generator: SeededGenerator
        private var isOver = true
        /// Rotations that a name of two digits still has room for.
        private var left = 40
        private let act: @Sendable (inout SeededGenerator) async throws -> Void

        init(
            _ host: ScriptedHostSession,
            seed: UInt64,
            act: @escaping @Sendable (inout SeededGenerator) async throws -> Void
        ) {
            self.host = host
            self.act = act
            generator = SeededGenerator(seed: seed)
        }

        func begin() { isOver = false }
        func stop() { isOver = true }

        func meddle() async throws {
            guard !isOver, left > 0 else { return }
            left -= 1
            var generator = generator
            try await act(&generator)
            self.generator = generator
        }

        func read(_ path: String, from offset: UInt64, count: Int) async throws -> [UInt8] {
            try await meddle()
            return try await host.read(path, from: offset, count: count)
        }
        func list(_ path: String) async throws -> [DirectoryEntry] {
            try await meddle()
            return try await host.list(path)
        }
        func status(of path: String) async throws -> FileStatus? { try await host.status(of: path) }
        func run(_ command: String, input: [UInt8], outputLimit: Int, timeout: Duration) async throws -> CommandResult {
            try await host.run(command, input: input, outputLimit: outputLimit, timeout: timeout)
        }
        func openChannel(_ command: String) async throws -> any ByteChannel { try await host.openChannel(command) }
        func write(_ bytes: [UInt8], to path: String, permissions: UInt16?) async throws {
            try await host.write(bytes, to: path, permissions: permissions)
        }
        func rename(_ path: String, to newPath: String) async throws { try await host.rename(path, to: newPath) }
        func remove(_ path: String) async throws { try await host.remove(path) }
        func makeDirectory(_ path: String, permissions: UInt16) async throws {
            try await host.makeDirectory(path, permissions: permissions)
        }
    }
}

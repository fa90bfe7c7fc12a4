// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffDeflate
import RiffHermes
import RiffTesting
import RiffTransport
import Synchronization

/// A log that a program writes numbered lines to, and rotates.
final class LogWriter: Sendable {
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
    func rotate() async throws {
        try await shift()
        guard try await isThere("/logs/a.log") else { return }
        try await host.rename("/logs/a.log", to: "/logs/a.log.1")
    }

    /// As logrotate's `copytruncate` does.
    /// What others do after the copy comes in between: what they write then is in no file once it is truncated.
    func copyAndTruncate(_ between: () async throws -> Void = {}) async throws {
        try await shift()
        guard try await isThere("/logs/a.log") else { return }
        let bytes = try await host.read("/logs/a.log", from: 0, count: 1 << 30)
        try await host.write(bytes, to: "/logs/a.log.1", permissions: nil)
        try await between()
        try host.truncate("/logs/a.log", to: 0)
    }

    /// As logrotate's `compress` does: there is a moment with both files.
    func compress(_ number: Int) async throws {
        try await pack(number)
        try await dropPacked()
    }

    /// The first half of it.
    func pack(_ number: Int) async throws {
        let path = "/logs/a.log.\(number)"
        guard try await isThere(path) else { return }
        let bytes = try await host.read(path, from: 0, count: 1 << 30)
        try await host.write(try Deflate.compress(bytes, as: .gzip), to: path + ".gz", permissions: nil)
    }

    /// The second one.
    func dropPacked() async throws {
        for number in 1...49 where try await isThere("/logs/a.log.\(number).gz") {
            if try await isThere("/logs/a.log.\(number)") { try await host.remove("/logs/a.log.\(number)") }
        }
    }

    private func shift() async throws {
        for number in stride(from: 49, through: 1, by: -1) {
            for ending in ["", ".gz"] where try await isThere("/logs/a.log.\(number)\(ending)") {
                let new = "/logs/a.log.\(number + 1)\(ending)"
                try await host.rename("/logs/a.log.\(number)\(ending)", to: new)
            }
        }
    }

    private func isThere(_ path: String) async throws -> Bool { try await host.status(of: path) != nil }
}

/// What was read: lines, and how often something was missing.
struct LogReader {
    var follower: LogFollower
    var text = ""
    var gaps = 0

    init(_ host: any HostSession, at position: LogPosition? = .beginning) {
        follower = LogFollower("/logs/a.log", on: host, at: position)
    }

    mutating func readAll() async throws {
        while let piece = try await follower.next() { take(piece) }
    }

    mutating func take(_ piece: LogFollower.Piece) {
        switch piece {
        case .bytes(let bytes): text += String(decoding: bytes, as: UTF8.self)
        case .boundary: break
        case .gap:
            text += "\n"
            gaps += 1
        }
    }

    var numbers: [Int] {
        text.split(separator: "\n").map { line in
            line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? -1
        }
    }
}

/// A host on which something may happen before every call.
actor MeddledHost: ForwardingHostSession {
    let base: any HostSession
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
        base = host
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
        return try await base.read(path, from: offset, count: count)
    }
    func list(_ path: String) async throws -> [DirectoryEntry] {
        try await meddle()
        return try await base.list(path)
    }
    func status(of path: String) async throws -> FileStatus? {
        try await meddle()
        return try await base.status(of: path)
    }
}

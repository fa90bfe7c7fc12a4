// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport
import Testing

extension RealServers {
    /// Channels of one connection beside each other: a flood, one that nobody reads, one that takes nothing.
    @Suite struct SSHFloodTests {
        enum Flood: CaseIterable {
            case terminal, command, files
        }

        @Test(arguments: Flood.allCases)
        func `while one channel floods, the keys of another are echoed`(flood: Flood) async throws {
            try await SSHLab.with { lab in
                let host = try lab.host()
                let terminal = SSHTerminal("stty raw -echo; echo READY; exec cat", on: host.link)
                try await terminal.connect(size: .standard)
                var text = TerminalText(terminal.output)
                try await text.read(through: "READY")
                let meter = FloodMeter()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await Self.run(flood, on: host, meter) }
                    // More than every buffer on the way: the flood is at its full height.
                    try await meter.wait(for: 4 << 20)
                    for number in 0..<50 {
                        let before = meter.bytes
                        try await terminal.write(Array("<\(number)>".utf8))
                        try await text.read(through: "<\(number)>")
                        // It has no end of its own: it goes on after the echo, by much more than what was on its way.
                        if number.isMultiple(of: 10) { try await meter.wait(for: before + 4 << 20) }
                    }
                    #expect(host.link.current.connectionCount == 1)
                    group.cancelAll()
                    // It ended because it was cancelled, and not before.
                    do {
                        try await group.waitForAll()
                        Issue.record("the flood ended by itself")
                    } catch is CancellationError {}
                }
                await terminal.disconnect()
            }
        }

        @Test func `terminals that nobody reads hold their own programs and nobody else`() async throws {
            try await SSHLab.with { lab in
                let host = try lab.host()
                let folder = "/tmp/riff-flood-\(UInt32.random(in: .min ... .max))"
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
                defer { try? FileManager.default.removeItem(atPath: folder) }  // Cleanup.
                // Each writes 16 MiB in blocks of 4 KiB, and after each the number of blocks into a file.
                let terminals = try (0..<6).map { number in
                    let script =
                        "i=0; while [ $i -lt 4096 ]; do printf %4096s x; i=$((i+1)); echo $i >\(folder)/\(number); done"
                    return SSHTerminal(try Self.shell("stty raw -echo; \(script)"), on: host.link)
                }
                for terminal in terminals { try await terminal.connect(size: .standard) }
                let echo = SSHTerminal("stty raw -echo; echo READY; exec cat", on: host.link)
                try await echo.connect(size: .standard)
                var text = TerminalText(echo.output)
                try await text.read(through: "READY")
                // On the same connection: waits until all the numbers are there and have stood still for a second.
                let look = "cat \(folder)/* 2>/dev/null"
                let settle =
                    "a=; while b=$(\(look)); set -- $b; [ \"$a\" != \"$b\" ] || [ $# -lt \(terminals.count) ]; "
                    + "do a=$b; sleep 1; done; \(look)"
                let blocks = try await host.text(of: try Self.shell(settle), within: .seconds(100)).split(
                    separator: "\n"
                ).compactMap { Int($0) }
                #expect(blocks.count == terminals.count)
                for count in blocks {
                    // A window, what waits for the reader, the server's buffers and the terminal's: far below 16 MiB.
                    #expect((1...256).contains(count), "an unread program has written \(count * 4) KiB")
                }
                for number in 0..<20 {
                    try await echo.write(Array("<\(number)>".utf8))
                    try await text.read(through: "<\(number)>")
                }
                #expect(host.link.current.connectionCount == 1)
                // Once it is read, one goes on where it stood and loses nothing; the others still stand.
                var iterator = terminals[0].output.makeAsyncIterator()
                var count = 0
                while let bytes = await iterator.next() { count += bytes.count }
                #expect(count == 4096 * 4096)
                #expect(await terminals[0].closure().exit == .exited(0))
                let later = try await host.text(of: try Self.shell(look)).split(separator: "\n").compactMap { Int($0) }
                #expect(later.first == 4096 && later.dropFirst().allSatisfy { $0 <= 256 }, "\(later)")
                for terminal in terminals + [echo] { await terminal.disconnect() }
            }
        }

        @Test func `a program that takes nothing holds its writer, whose bytes arrive whole once it does`() async throws
        {
            try await SSHLab.with { lab in
                let host = try lab.host()
                let fifo = "/tmp/riff-fifo-\(UInt32.random(in: .min ... .max))"
                _ = try await SystemProgram.run("mkfifo", [fifo])
                defer { unlink(fifo) }
                let bytes = (0..<(4 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
                let deaf = SSHTerminal(
                    "stty raw -echo; echo READY; cat \(fifo) >/dev/null; exec head -c \(bytes.count) | cksum",
                    on: host.link
                )
                let echo = SSHTerminal("stty raw -echo; echo READY; exec cat", on: host.link)
                for terminal in [deaf, echo] { try await terminal.connect(size: .standard) }
                var (text, answer) = (TerminalText(echo.output), TerminalText(deaf.output))
                try await text.read(through: "READY")
                try await answer.read(through: "READY")
                let meter = FloodMeter()
                let writing = Task {
                    for start in stride(from: 0, to: bytes.count, by: 16 * 1024) {
                        try await deaf.write(Array(bytes[start..<start + 16 * 1024]))
                        meter.count(16 * 1024)
                    }
                }
                try await meter.wait(for: 256 * 1024)
                for number in 0..<50 {
                    try await echo.write(Array("<\(number)>".utf8))
                    try await text.read(through: "<\(number)>")
                    // The server's window for this channel, what waits here for it, and one write: whenever one looks.
                    #expect(meter.bytes <= 3 << 20)
                }
                _ = try await SystemProgram.run("sh", ["-c", "echo go >\(fifo)"])
                try await writing.value
                let local = try await LocalHostSession().run(
                    "cksum",
                    input: bytes,
                    outputLimit: 100,
                    timeout: .seconds(60)
                )
                #expect(await answer.rest().contains(local.text.trimmingCharacters(in: .newlines)))
                await echo.disconnect()
            }
        }

        // MARK: Tools

        /// A POSIX script as a line for any login shell.
        private static func shell(_ script: String) throws -> String {
            "exec \(try ShellQuoting.join(["sh", "-c", script]))"
        }

        private static func run(_ flood: Flood, on host: SSHHost, _ meter: FloodMeter) async throws {
            let command = "exec cat /dev/zero"
            switch flood {
            case .terminal:
                let terminal = SSHTerminal("stty raw -echo; \(command)", on: host.link)
                try await terminal.connect(size: .standard)
                for await bytes in terminal.output { meter.count(bytes.count) }
                await terminal.disconnect()
            case .command:
                let channel = try await host.files.openChannel(command)
                do {
                    for try await bytes in channel.output { meter.count(bytes.count) }
                } catch {
                    await channel.close()
                    throw error
                }
            case .files:
                while true { meter.count(try await host.files.read("/dev/zero", from: 0, count: 4 << 20).count) }
            }
            try Task.checkCancellation()
        }
    }
}

/// Counts bytes, and tells when they are enough.
private final class FloodMeter: Sendable {
    private let state = Mutex((bytes: 0, waiting: [(limit: Int, reached: EventualValue<Void>)]()))

    var bytes: Int { state.withLock { $0.bytes } }

    func count(_ more: Int) {
        let reached = state.withLock { state in
            state.bytes += more
            let bytes = state.bytes
            defer { state.waiting.removeAll { $0.limit <= bytes } }
            return state.waiting.filter { $0.limit <= bytes }.map(\.reached)
        }
        for waiter in reached { waiter.resolve(()) }
    }

    func wait(for limit: Int) async throws {
        let reached = EventualValue<Void>()
        let isThere = state.withLock { state in
            state.waiting.append((limit, reached))
            return state.bytes >= limit
        }
        if isThere { count(0) }
        try await reached.cancellableValue()
    }
}

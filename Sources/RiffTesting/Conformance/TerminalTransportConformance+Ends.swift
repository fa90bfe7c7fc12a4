// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport

extension TerminalTransportConformance {
    /// The size given to `connect` and each usable one after it reach the program; others are ignored.
    public func resizes() async throws {
        try await check(.sizes, size: TerminalSize(columns: 91, rows: 33)) { terminal, reader in
            _ = try await reader.read(through: "READY\n")
            func size() async throws -> String {
                try await terminal.write(Array("\n".utf8))
                return String(decoding: try await reader.read(through: "\n").dropLast(), as: UTF8.self)
            }
            let first = try await size()
            try expect(first == "33 91", "connected at 33 rows and 91 columns, the program sees \(first)")
            try await terminal.resize(to: TerminalSize(columns: 132, rows: 43))
            let second = try await size()
            try expect(second == "43 132", "resized to 43 rows and 132 columns, the program sees \(second)")
            for (columns, rows) in [(0, 0), (1, 1), (-5, 24), (80, 65_536)] {
                try await terminal.resize(to: TerminalSize(columns: columns, rows: rows))
            }
            let third = try await size()
            try expect(third == "43 132", "sizes that are not usable must be ignored, the program sees \(third)")
        }
    }

    /// A program that ends by itself gives its status, and ends the output.
    public func tellsTheExitStatus() async throws {
        try await check(.exit) { terminal, reader in
            _ = await reader.rest()
            try expect(await terminal.closure(), .exited, .exited(7))
        }
    }

    /// A program that is killed gives the signal's name.
    public func tellsTheSignal() async throws {
        try await check(.signal) { terminal, reader in
            _ = await reader.rest()
            try expect(await terminal.closure(), .exited, .signaled("TERM"))
        }
    }

    /// `disconnect()` ends it with its own reason, as often as it is called.
    public func disconnectsOnce() async throws {
        try await check(.deaf) { terminal, reader in
            _ = try await reader.read(through: "READY\n")
            async let other: Void = terminal.disconnect()
            await terminal.disconnect()
            await other
            await terminal.disconnect()
            let closure = await terminal.closure()
            try expect(closure.reason == .disconnected, "the end is \(closure.reason.rawValue), not disconnected")
            _ = await reader.rest()
        }
    }

    /// A terminal disconnected before it was connected is ended and is not connected any more.
    public func disconnectsBeforeConnecting() async throws {
        try await bounded(#function, by: deadline) {
            let terminal = try await make(.echo)
            await terminal.disconnect()
            let closure = await terminal.closure()
            try expect(closure.reason == .disconnected, "the end is \(closure.reason.rawValue), not disconnected")
            try await expect(.closed, "connecting after disconnect") { try await terminal.connect(size: .standard) }
            var reader = TerminalReader(terminal.output)
            let output = await reader.rest()
            try expect(output.isEmpty, "a terminal that was never connected gave \(output.count) bytes")
        }
    }

    /// A second `connect` throws and leaves the terminal as it is.
    public func refusesASecondConnect() async throws {
        try await check(.echo) { terminal, reader in
            _ = try await reader.read(through: "READY\n")
            try await expect(.closed, "a second connect") { try await terminal.connect(size: .standard) }
            try await terminal.write([65])
            let echo = try await reader.read(count: 1)
            try expect(echo == [65], "after a refused second connect the terminal must still work")
        }
    }

    /// After the end, by either side, writing and resizing throw `closed`.
    public func refusesWritesAfterTheEnd() async throws {
        for program in [ConformanceProgram.exit, .deaf] {
            try await check(program) { terminal, reader in
                if program == .deaf { await terminal.disconnect() }
                _ = await reader.rest()
                _ = await terminal.closure()
                try await expect(.closed, "a write after the end") { try await terminal.write([13]) }
                try await expect(.closed, "a resize after the end") { try await terminal.resize(to: .standard) }
            }
        }
    }

    /// A write that waits for a program which then ends throws `closed` and does not wait on.
    public func endsASuspendedWriteWithItsPeer() async throws {
        try await check(.deafThenGone) { terminal, reader in
            _ = try await reader.read(through: "READY\n")
            let block = [UInt8](repeating: 65, count: 64 * 1024)
            try await expect(.closed, "writing 64 MiB to a program that reads nothing and ends") {
                for _ in 0..<1024 { try await terminal.write(block) }
            }
            try expect(await terminal.closure(), .exited, .exited(3))
        }
    }

    /// Cancelling a task that waits in `write` throws `CancellationError`.
    public func cancelsASuspendedWrite() async throws {
        try await check(.deaf) { terminal, reader in
            _ = try await reader.read(through: "READY\n")
            let writing = Task {
                let block = [UInt8](repeating: 65, count: 64 * 1024)
                for _ in 0..<1024 { try await terminal.write(block) }
            }
            try await settle()
            writing.cancel()
            let result = await writing.result
            try expect(
                result.isCancellation,
                "a cancelled write must throw CancellationError; the task ended with \(result)"
            )
        }
    }

    /// Cancelling a task that waits for output ends its iteration; the next one gets what comes then.
    public func cancelsAnIterationWithoutLoss() async throws {
        try await check(.echo) { terminal, reader in
            _ = try await reader.read(through: "READY\n")
            let reading = Task {
                var count = 0
                for await bytes in terminal.output { count += bytes.count }
                return count
            }
            try await settle()
            reading.cancel()
            let count = await reading.value
            try expect(count == 0, "nothing was written, and \(count) bytes came")
            try await terminal.write(Array("after".utf8))
            let echo = try await reader.read(count: 5)
            try expect(echo == Array("after".utf8), "what came after a cancelled iteration was lost")
        }
    }

    /// Many who wait for the end are all told the same.
    public func tellsEverybodyTheSameEnd() async throws {
        try await check(.deafThenGone) { terminal, reader in
            try await withThrowingTaskGroup(of: TerminalClosure.self) { group in
                for _ in 0..<20 { group.addTask { await terminal.closure() } }
                _ = await reader.rest()
                for try await closure in group { try expect(closure, .exited, .exited(3)) }
            }
            try expect(await terminal.closure(), .exited, .exited(3))
        }
    }

    /// `disconnect()` after the program's own end does not change the reason.
    public func keepsItsFirstEnd() async throws {
        try await check(.exit) { terminal, reader in
            _ = await reader.rest()
            _ = await terminal.closure()
            await terminal.disconnect()
            try expect(await terminal.closure(), .exited, .exited(7))
        }
    }
}

private func expect(_ closure: TerminalClosure, _ reason: TerminalClosure.Reason, _ exit: ExitStatus) throws {
    try expect(
        closure.reason == reason && closure.exit == exit,
        "the end must be \(reason.rawValue) with \(exit); it is \(closure.reason.rawValue) with "
            + (closure.exit.map { "\($0)" } ?? "no status")
    )
}

extension Result {
    /// Whether it failed with `CancellationError`.
    var isCancellation: Bool {
        if case .failure(let error) = self { return error is CancellationError }
        return false
    }
}

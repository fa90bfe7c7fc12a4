// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffTransport

/// The rules of `ByteChannel`, as checks that any implementation which runs commands can run.
public struct ByteChannelConformance: Sendable {
    /// Opens a channel to a command line for a login shell (`exec sh -c '...'`).
    public typealias Factory = @Sendable (String) async throws -> any ByteChannel

    private let open: Factory
    private let deadline: Duration

    /// Creates a suite.
    ///
    /// - Parameters:
    ///   - deadline: What one check may take; a longer one is a failure.
    ///   - open: Opens a channel to a command line.
    public init(deadline: Duration = .seconds(60), open: @escaping Factory) {
        self.open = open
        self.deadline = deadline
    }

    /// Every check, by name.
    public static let checks: [ConformanceCheck<ByteChannelConformance>] = [
        .init("passesEveryByte") { try await $0.passesEveryByte() },
        .init("carriesALongLine") { try await $0.carriesALongLine() },
        .init("losesNoOutput") { try await $0.losesNoOutput() },
        .init("keepsDiagnosticsApart") { try await $0.keepsDiagnosticsApart() },
        .init("unreadDiagnosticsDoNotStall") { try await $0.unreadDiagnosticsDoNotStall() },
        .init("closesInputAlone") { try await $0.closesInputAlone() },
        .init("tellsHowItEnded") { try await $0.tellsHowItEnded() },
        .init("endsASuspendedWriteWithItsPeer") { try await $0.endsASuspendedWriteWithItsPeer() },
        .init("cancelsASuspendedWrite") { try await $0.cancelsASuspendedWrite() },
        .init("cancelsAReadWithoutLoss") { try await $0.cancelsAReadWithoutLoss() },
        .init("closesOnce") { try await $0.closesOnce() },
    ]

    /// Runs every check, one after the other.
    ///
    /// - Throws: The first ``ConformanceFailure``.
    public func runAll() async throws {
        for check in Self.checks { try await check.run(self) }
    }

    /// Opens a channel for the length of a check, and closes it on every way out.
    private func check(
        _ script: String,
        named name: String = #function,
        _ body: @escaping @Sendable (any ByteChannel) async throws -> Void
    ) async throws {
        try await bounded(name, by: deadline) {
            let channel = try await open(ConformanceProgram(name: name, script: script).commandLine)
            do {
                try await body(channel)
            } catch {
                await channel.close()
                throw error
            }
            await channel.close()
        }
    }

    /// Each of the 256 byte values passes both ways, four thousand times over.
    public func passesEveryByte() async throws {
        try await check("exec cat") { channel in
            let bytes = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0) }
            try await expectEcho(of: bytes, through: channel)
        }
    }

    /// One line of 5 MB passes both ways.
    public func carriesALongLine() async throws {
        try await check("exec cat") { channel in
            try await expectEcho(of: [UInt8](repeating: 120, count: 5_000_000) + [10], through: channel)
        }
    }

    /// 10 MiB come whole and in order.
    public func losesNoOutput() async throws {
        try await check(FloodRecords.command) { channel in
            try FloodRecords.check(try await channel.output.collect(upTo: 11 << 20))
        }
    }

    /// Standard error comes by itself.
    public func keepsDiagnosticsApart() async throws {
        try await check("echo out; echo err >&2") { channel in
            async let diagnostics = channel.diagnostics.collect(upTo: 1024)
            let output = try await channel.output.collect(upTo: 1024)
            try expect(output == Array("out\n".utf8), "standard output has \(output.count) bytes, not out")
            let other = try await diagnostics
            try expect(other == Array("err\n".utf8), "standard error has \(other.count) bytes, not err")
        }
    }

    /// A command that floods standard error, which is not read, continues; the last of it is kept.
    public func unreadDiagnosticsDoNotStall() async throws {
        try await check("head -c 4194304 /dev/zero >&2; echo last >&2; echo done") { channel in
            let output = try await channel.output.collect(upTo: 1024)
            try expect(output == Array("done\n".utf8), "the command was stalled by its standard error")
            let diagnostics = try await channel.diagnostics.collect(upTo: 5 << 20)
            try expect(diagnostics.suffix(5) == Array("last\n".utf8)[...], "the newest of standard error was dropped")
            try expect(diagnostics.count < 4 << 20, "all of standard error was kept: it is not bounded")
        }
    }

    /// After `finishWriting` the command sees the end of its input, and still answers; writing then throws `closed`.
    public func closesInputAlone() async throws {
        try await check("cat >/dev/null; echo answer") { channel in
            try await channel.write(Array("question".utf8))
            try await channel.finishWriting()
            try await expect(.closed, "a write after finishWriting") { try await channel.write([65]) }
            let output = try await channel.output.collect(upTo: 1024)
            try expect(output == Array("answer\n".utf8), "no answer came after the end of input")
        }
    }

    /// A status and a signal are told, also to many and late.
    public func tellsHowItEnded() async throws {
        let endings: [(String, ExitStatus)] = [
            ("exit 0", .exited(0)), ("exit 255", .exited(255)), ("kill -KILL $$", .signaled("KILL")),
        ]
        for (script, expected) in endings {
            try await check(script) { channel in
                async let early = channel.exitStatus()
                _ = try await channel.output.collect(upTo: 1024)
                let told = [try await early, try await channel.exitStatus()]
                try expect(told == [expected, expected], "\(script) ended as \(told)")
            }
        }
    }

    /// A write that waits for a command which then ends throws `closed`.
    public func endsASuspendedWriteWithItsPeer() async throws {
        try await check("sleep 1") { channel in
            let block = [UInt8](repeating: 65, count: 64 * 1024)
            try await expect(.closed, "writing 64 MiB to a command that reads nothing and ends") {
                for _ in 0..<1024 { try await channel.write(block) }
            }
        }
    }

    /// Cancelling a task that waits in `write` throws `CancellationError`.
    public func cancelsASuspendedWrite() async throws {
        try await check("exec sleep 60") { channel in
            let writing = Task {
                let block = [UInt8](repeating: 65, count: 64 * 1024)
                for _ in 0..<1024 { try await channel.write(block) }
            }
            try await settle()
            writing.cancel()
            let result = await writing.result
            try expect(result.isCancellation, "a cancelled write must throw CancellationError, and gave \(result)")
        }
    }

    /// Cancelling a task that waits for output throws `CancellationError`; the next iteration gets what comes then.
    public func cancelsAReadWithoutLoss() async throws {
        try await check("exec cat") { channel in
            let reading = Task { for try await _ in channel.output {} }
            try await settle()
            reading.cancel()
            let result = await reading.result
            try expect(result.isCancellation, "a cancelled read must throw CancellationError, and gave \(result)")
            try await channel.write(Array("after".utf8))
            try await channel.finishWriting()
            let output = try await channel.output.collect(upTo: 1024)
            try expect(output == Array("after".utf8), "what came after a cancelled read was lost")
        }
    }

    /// `close` ends the command and both streams, as often as it is called; writing then throws `closed`.
    public func closesOnce() async throws {
        try await check("exec sleep 60") { channel in
            async let reading: Void = {
                // The end or `closed` are both right: it was closed on purpose.
                do { for try await _ in channel.output {} } catch let error as TransportError
                    where error.code == .closed
                {}
            }()
            async let other: Void = channel.close()
            await channel.close()
            await other
            await channel.close()
            try await reading
            try await expect(.closed, "a write after close") { try await channel.write([65]) }
        }
    }

    private func expectEcho(of bytes: [UInt8], through channel: any ByteChannel) async throws {
        async let sent: Void = {
            for start in stride(from: 0, to: bytes.count, by: 100_000) {
                try await channel.write(Array(bytes[start..<min(start + 100_000, bytes.count)]))
            }
            try await channel.finishWriting()
        }()
        let echo = try await channel.output.collect(upTo: bytes.count + 1)
        try await sent
        guard echo != bytes else { return }
        let difference = zip(bytes, echo).enumerated().first { $0.element.0 != $0.element.1 }?.offset
        throw Violation(
            message: "of \(bytes.count) bytes \(echo.count) came back, the first difference at "
                + "\(difference ?? echo.count)"
        )
    }
}

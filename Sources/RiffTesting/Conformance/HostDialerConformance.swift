// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffTransport

/// The rules of `HostDialer`, as checks that any implementation which reaches ports of 127.0.0.1 can run.
///
/// A dialer that cannot know whether its peer was reached (a command, a proxy that says so too early) keeps the rules
/// for failures where it returns a channel that ends without a byte.
public struct HostDialerConformance: Sendable {
    private let dialer: any HostDialer
    private let deadline: Duration

    /// Creates a suite.
    ///
    /// - Parameters:
    ///   - dialer: The implementation.
    ///   - deadline: What one check may take; a longer one is a failure.
    public init(_ dialer: any HostDialer, deadline: Duration = .seconds(60)) {
        self.dialer = dialer
        self.deadline = deadline
    }

    /// Every check, by name.
    public static let checks: [ConformanceCheck<HostDialerConformance>] = [
        .init("passesEveryByte") { try await $0.passesEveryByte() },
        .init("endsWithItsPeer") { try await $0.endsWithItsPeer() },
        .init("closesOneWay") { try await $0.closesOneWay() },
        .init("holdsAWriterBack") { try await $0.holdsAWriterBack() },
        .init("cancelsAReadWithoutLoss") { try await $0.cancelsAReadWithoutLoss() },
        .init("closesOnce") { try await $0.closesOnce() },
        .init("abortsAtOnce") { try await $0.abortsAtOnce() },
        .init("dialsManyAtOnce") { try await $0.dialsManyAtOnce() },
        .init("tellsARefusal") { try await $0.tellsARefusal() },
        .init("keepsItsLimit") { try await $0.keepsItsLimit() },
        .init("isCancelled") { try await $0.isCancelled() },
    ]

    /// Runs every check, one after the other.
    ///
    /// - Throws: The first ``ConformanceFailure``.
    public func runAll() async throws {
        for check in Self.checks { try await check.run(self) }
    }

    /// Connects to a server for the length of a check, and closes on every way out.
    private func check(
        _ behavior: DialedServer.Behavior,
        named name: String = #function,
        _ body: @escaping @Sendable (any ByteChannel) async throws -> Void
    ) async throws {
        try await bounded(name, by: deadline) { [dialer] in
            try await DialedServer.with(behavior) { address in
                let channel = try await dialer.dial(address, within: .seconds(10).patient)
                do {
                    try await body(channel)
                } catch {
                    await channel.abort()
                    throw error
                }
                await channel.close()
            }
        }
    }

    /// Each of the 256 byte values passes both ways, four thousand times over.
    public func passesEveryByte() async throws {
        try await check(.echoes) { channel in
            let bytes = (0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0) }
            async let sent: Void = {
                for start in stride(from: 0, to: bytes.count, by: 100_000) {
                    try await channel.write(Array(bytes[start..<min(start + 100_000, bytes.count)]))
                }
            }()
            let echo = try await Self.read(bytes.count, from: channel)
            try await sent
            try expect(echo == bytes, "of \(bytes.count) bytes \(echo.count) came back, or others")
        }
    }

    /// Bytes that the peer sent before it closed arrive, and then the end.
    public func endsWithItsPeer() async throws {
        try await check(.greets) { channel in
            let words = try await channel.output.collect(upTo: 64)
            try expect(words == Array("bye".utf8), "of the peer's last word \(words.count) bytes came")
            try await channel.finishWriting()
            let status = try await channel.exitStatus()
            try expect(status?.isSuccess != false, "an end in order is told as \(String(describing: status))")
        }
    }

    /// After `finishWriting` the peer sees the end, and its answer still comes; writing then throws `closed`.
    public func closesOneWay() async throws {
        try await check(.counts) { channel in
            for _ in 0..<4 { try await channel.write([UInt8](repeating: 65, count: 100_000)) }
            try await channel.finishWriting()
            try await expect(.closed, "a write after finishWriting") { try await channel.write([65]) }
            let answer = try await channel.output.collect(upTo: 64)
            try expect(answer == Array("400000".utf8), "the peer counted \(String(decoding: answer, as: UTF8.self))")
        }
    }

    /// A writer whose peer reads nothing is suspended, and can be cancelled there.
    public func holdsAWriterBack() async throws {
        try await check(.holdsBack) { channel in
            let writing = Task {
                let block = [UInt8](repeating: 65, count: 64 * 1024)
                for _ in 0..<4096 { try await channel.write(block) }
            }
            try await settle()
            writing.cancel()
            let result = await writing.result
            try expect(result.isCancellation, "a cancelled write must throw CancellationError, and gave \(result)")
            await channel.abort()
        }
    }

    /// Cancelling a task that waits for bytes throws `CancellationError`; the next iteration gets what comes then.
    public func cancelsAReadWithoutLoss() async throws {
        try await check(.echoes) { channel in
            let reading = Task { for try await _ in channel.output {} }
            try await settle()
            reading.cancel()
            let result = await reading.result
            try expect(result.isCancellation, "a cancelled read must throw CancellationError, and gave \(result)")
            try await channel.write(Array("after".utf8))
            let output = try await Self.read(5, from: channel)
            try expect(output == Array("after".utf8), "what came after a cancelled read was lost")
        }
    }

    /// `close` ends both ways, as often as it is called; writing then throws `closed`.
    public func closesOnce() async throws {
        try await check(.echoes) { channel in
            async let reading: Void = Self.readToTheEnd(of: channel)
            async let other: Void = channel.close()
            await channel.close()
            await other
            await channel.close()
            try await reading
            try await expect(.closed, "a write after close") { try await channel.write([65]) }
        }
    }

    /// `abort` ends both ways while the peer takes nothing.
    public func abortsAtOnce() async throws {
        try await check(.holdsBack) { channel in
            let writing = Task {
                let block = [UInt8](repeating: 65, count: 64 * 1024)
                for _ in 0..<4096 { try await channel.write(block) }
            }
            try await settle()
            async let reading: Void = Self.readToTheEnd(of: channel)
            await channel.abort()
            try await reading
            try await expect(.closed, "a write that waited while its channel was aborted") { try await writing.value }
        }
    }

    /// Sixteen connections at once do not mix.
    public func dialsManyAtOnce() async throws {
        try await bounded(#function, by: deadline) { [dialer] in
            try await DialedServer.with(.echoes) { address in
                try await withThrowingTaskGroup { group in
                    for number in 0..<16 {
                        group.addTask {
                            let channel = try await dialer.dial(address, within: .seconds(30).patient)
                            let words = Array("connection \(number)".utf8)
                            try await channel.write(words)
                            let echo = try await Self.read(words.count, from: channel)
                            await channel.close()
                            try expect(echo == words, "connection \(number) got another's bytes")
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }

    /// A port that refuses is an error, or a channel that ends without a byte.
    public func tellsARefusal() async throws {
        try await bounded(#function, by: deadline) { [dialer] in
            try await LoopbackPort.withRefusing { port in
                try await Self.fails(on: dialer, port: port, within: .seconds(10).patient)
            }
        }
    }

    /// A port that never answers is an error after the limit, and soon after it.
    public func keepsItsLimit() async throws {
        try await bounded(#function, by: deadline) { [dialer] in
            try await LoopbackPort.withFullBacklog { port in
                let limit = Duration.milliseconds(300)
                let took = try await ContinuousClock().measure {
                    try await Self.fails(on: dialer, port: port, within: limit)
                }
                try expect(took < (limit + .seconds(5)).patient, "a limit of \(limit) was kept after \(took)")
            }
        }
    }

    /// A dial that is cancelled throws `CancellationError` soon.
    public func isCancelled() async throws {
        try await bounded(#function, by: deadline) { [dialer] in
            try await LoopbackPort.withFullBacklog { port in
                let address = try HostAddress("127.0.0.1", port: port)
                let dialing = Task {
                    // A channel that is there at once, such as a command's, was not cancelled.
                    await (try dialer.dial(address, within: .seconds(600))).abort()
                    try Task.checkCancellation()
                }
                try await settle()
                dialing.cancel()
                switch await dialing.result {
                case .success: break
                case .failure(is CancellationError): break
                case .failure(let error): throw Violation(message: "a cancelled dial threw \(error)")
                }
            }
        }
    }

    /// So many bytes, or those up to the end.
    private static func read(_ count: Int, from channel: any ByteChannel) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        var iterator = channel.output.makeAsyncIterator()
        while bytes.count < count, let next = try await iterator.next() { bytes += next }
        return bytes
    }

    private static func fails(on dialer: any HostDialer, port: Int, within limit: Duration) async throws {
        let address = try HostAddress("127.0.0.1", port: port)
        let channel: any ByteChannel
        do {
            channel = try await dialer.dial(address, within: limit)
        } catch is any RiffError {
            return
        } catch {
            throw Violation(message: "a failed dial must throw a TransportError, and threw \(error)")
        }
        // Said too early: then there is nothing on the way.
        let reading = Task { try await channel.output.collect(upTo: 64) }
        _ = try? await withDeadline(limit, clock: ContinuousClock(), abandoning: { try await reading.value })
        await channel.abort()
        let bytes = (try? await reading.value) ?? []
        try expect(bytes.isEmpty, "bytes came from where nobody is")
    }

    private static func readToTheEnd(of channel: any ByteChannel) async throws {
        // The end or `closed` are both right: it was closed on purpose.
        do { for try await _ in channel.output {} } catch let error as TransportError where error.code == .closed {}
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffACP
internal import RiffCore
internal import RiffTransport

/// The rules of `ACPChannel`, as checks that any implementation which reaches a program can run.
public struct ACPChannelConformance: Sendable {
    /// Opens a channel to a program, which takes lines of this many bytes at most.
    public typealias Factory =
        @Sendable (_ program: ConformanceProgram, _ lineLimit: Int) async throws -> any ACPChannel

    private let open: Factory
    private let deadline: Duration

    /// Creates a suite.
    ///
    /// - Parameters:
    ///   - deadline: What one check may take; a longer one is a failure.
    ///   - open: Opens a channel to a program; called once or more by each check.
    public init(deadline: Duration = .seconds(60), open: @escaping Factory) {
        self.open = open
        self.deadline = deadline
    }

    /// Every check, by name.
    public static let checks: [ConformanceCheck<ACPChannelConformance>] = [
        .init("carriesLinesBothWays") { try await $0.carriesLinesBothWays() },
        .init("carriesALongLine") { try await $0.carriesALongLine() },
        .init("joinsPieces") { try await $0.joinsPieces() },
        .init("skipsAnOverlongLine") { try await $0.skipsAnOverlongLine() },
        .init("tellsWhatIsUnfinished") { try await $0.tellsWhatIsUnfinished() },
        .init("cancelsAReceiveWithoutLoss") { try await $0.cancelsAReceiveWithoutLoss() },
        .init("endsAReceiveWithItsClose") { try await $0.endsAReceiveWithItsClose() },
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
        _ program: ConformanceProgram,
        lineLimit: Int = 64 * 1024 * 1024,
        named name: String = #function,
        _ body: @escaping @Sendable (any ACPChannel) async throws -> Void
    ) async throws {
        try await bounded(name, by: deadline) {
            let channel = try await open(program, lineLimit)
            do {
                try await body(channel)
            } catch {
                await channel.close()
                throw error
            }
            await channel.close()
        }
    }

    /// A thousand messages pass both ways, whole and in their order, with every character that JSON may hold as it is.
    public func carriesLinesBothWays() async throws {
        try await check(.lineEcho) { channel in
            let characters = String(String.UnicodeScalarView((0x20...0x2FF).compactMap(Unicode.Scalar.init)))
            let text = characters.filter { $0 != "\"" && $0 != "\\" } + "日本語 👩🏽‍🚀"
            let lines = (0..<1000).map { Self.message(#""n":\#($0),"text":"\#(text)""#) }
            async let sent: Void = {
                for start in stride(from: 0, to: lines.count, by: 7) {
                    try await channel.send(Array(lines[start..<min(start + 7, lines.count)].joined()))
                }
            }()
            let back = try await Self.lines(channel, lines.count)
            try await sent
            for (number, (line, other)) in zip(lines, back).enumerated() where line != other + [0x0A] {
                throw Violation(
                    message: "line \(number) came back as \(String(decoding: other.prefix(80), as: UTF8.self))"
                )
            }
        }
    }

    /// One line of 5 MB passes both ways.
    public func carriesALongLine() async throws {
        try await check(.lineEcho) { channel in
            let line = Self.message(#""text":"\#(String(repeating: "x", count: 5_000_000))""#)
            async let sent: Void = channel.send(line)
            let back = try await Self.lines(channel, 1)
            try await sent
            try expect(back.first.map { $0 + [0x0A] } == line, "of \(line.count) bytes came \(back.first?.count ?? 0)")
        }
    }

    /// A line that is written in two pieces comes as one; line ends of two bytes and empty lines do not show.
    public func joinsPieces() async throws {
        try await check(.brokenLines) { channel in
            let lines = try await Self.lines(channel, 3).map { String(decoding: $0, as: UTF8.self) }
            try expect(lines == ["{}", "[]", #"{"a":1}"#], "the lines came as \(lines)")
        }
    }

    /// A line that is too long is reported, and the next one comes.
    public func skipsAnOverlongLine() async throws {
        try await check(.overlongLine, lineLimit: 64 * 1024) { channel in
            let frames = try await Self.frames(channel, 2)
            try expect(
                frames == [.overlong(bytes: 100_000), .line(Array("{}".utf8)[...])],
                "not a line of 100,000 bytes that was dropped and {} came, but \(frames.map { "\($0)".prefix(60) })"
            )
        }
    }

    /// Half a line at the end is reported as such; then the channel is at its end, as often as it is asked.
    public func tellsWhatIsUnfinished() async throws {
        try await check(.halfALine) { channel in
            let frames = try await Self.frames(channel, 2)
            try expect(
                frames == [.line(Array("{}".utf8)[...]), .unfinished(Array(#"{"ha"#.utf8)[...])],
                "not {} and half a line came, but \(frames)"
            )
            for _ in 0..<2 { try expect(try await channel.receive() == nil, "there is something behind the end") }
            let status = try await channel.exitStatus()
            try expect(status == nil || status == .exited(7), "the program ended with 7, not \(status as Any)")
        }
    }

    /// Cancelling a task that waits for lines throws `CancellationError`; the next call gets what comes then.
    public func cancelsAReceiveWithoutLoss() async throws {
        try await check(.lineEcho) { channel in
            let reading = Task { _ = try await channel.receive() }
            try await settle()
            reading.cancel()
            let result = await reading.result
            try expect(result.isCancellation, "a cancelled receive must throw CancellationError, and gave \(result)")
            let line = Self.message(#""after":true"#)
            try await channel.send(line)
            try expect(try await Self.lines(channel, 1) == [Array(line.dropLast())], "what came after it was lost")
        }
    }

    /// Closing ends a call that waits for lines: with the end, `closed` or `CancellationError`.
    public func endsAReceiveWithItsClose() async throws {
        try await check(.lineEcho) { channel in
            let reading = Task { try await channel.receive() }
            try await settle()
            await channel.close()
            switch await reading.result {
            case .success(let frames):
                try expect(frames == nil, "\(frames ?? []) came out of a channel that was closed")
            case .failure(let error as TransportError) where error.code == .closed: break
            case .failure(is CancellationError): break
            case .failure(let error): throw Violation(message: "a receive that was ended by close threw \(error)")
            }
        }
    }

    /// `close` may be called as often as one likes; sending then throws `closed`.
    public func closesOnce() async throws {
        try await check(.lineEcho) { channel in
            async let first: Void = channel.close()
            await channel.close()
            await first
            await channel.close()
            try await expect(.closed, "sending after close") { try await channel.send(Self.message("")) }
        }
    }

    // MARK: Lines

    private static func message(_ parameters: String) -> [UInt8] {
        Array(#"{"jsonrpc":"2.0","method":"_riff/check","params":{\#(parameters)}}"#.utf8) + [0x0A]
    }

    private static func frames(_ channel: any ACPChannel, _ count: Int) async throws -> [ACPFrame] {
        var frames: [ACPFrame] = []
        while frames.count < count {
            guard let more = try await channel.receive() else {
                throw Violation(message: "the end came after \(frames.count) of \(count) lines")
            }
            try expect(!more.isEmpty, "receive gave no line, and not the end")
            frames += more
        }
        return frames
    }

    private static func lines(_ channel: any ACPChannel, _ count: Int) async throws -> [[UInt8]] {
        try await frames(channel, count).map { frame in
            guard case .line(let line) = frame else { throw Violation(message: "\(frame) came instead of a line") }
            return Array(line)
        }
    }
}

extension ConformanceProgram {
    /// Writes back every line that it reads.
    static let lineEcho = ConformanceProgram(name: "lineEcho", script: "exec cat")
    /// Writes `{}`, `[]` and `{"a":1}`, with empty lines, ends of two bytes, and a line in two pieces.
    static let brokenLines = ConformanceProgram(
        name: "brokenLines",
        script: "printf \"{}\\r\\n\\n[]\\n\"; printf \"{\\\"a\\\":\"; sleep 0.2; echo \"1}\"; exec cat"
    )
    /// Writes a line of 100,000 bytes, and `{}`.
    static let overlongLine = ConformanceProgram(
        name: "overlongLine",
        script: "head -c 100000 /dev/zero | tr \"\\000\" x; echo; echo {}; exec cat"
    )
    /// Writes `{}` and half a line, and ends with status 7.
    static let halfALine = ConformanceProgram(name: "halfALine", script: "echo {}; printf \"{\\\"ha\"; exit 7")
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffVoice

/// The rules of `AudioSink`, as checks that any sink can run.
public struct AudioSinkConformance: Sendable {
    /// A new sink, and what tells the samples that arrived where it plays to, once it has finished.
    public typealias Factory =
        @Sendable () async throws -> (
            sink: any AudioSink, arrived: @Sendable () async throws -> [UInt8]
        )

    private let format: AudioFormat
    private let deadline: Duration
    private let make: Factory

    /// Creates a suite.
    ///
    /// - Parameters:
    ///   - format: A format that the sinks play.
    ///   - deadline: What one check may take; a longer one is a failure.
    ///   - make: Makes a sink.
    public init(format: AudioFormat = .speech, deadline: Duration = .seconds(60), make: @escaping Factory) {
        self.format = format
        self.deadline = deadline
        self.make = make
    }

    /// Every check, by name.
    public static let checks: [ConformanceCheck<AudioSinkConformance>] = [
        .init("playsEveryFrame") { try await $0.playsEveryFrame() },
        .init("playsNothing") { try await $0.playsNothing() },
        .init("playsOnce") { try await $0.playsOnce() },
        .init("refusesWhatIsNoAudio") { try await $0.refusesWhatIsNoAudio() },
        .init("refusesBeforeItsStart") { try await $0.refusesBeforeItsStart() },
        .init("cancelsAtOnce") { try await $0.cancelsAtOnce() },
        .init("cancelsAtAnyTime") { try await $0.cancelsAtAnyTime() },
    ]

    /// Runs every check, one after the other.
    ///
    /// - Throws: The first ``ConformanceFailure``.
    public func runAll() async throws {
        for check in Self.checks { try await check.run(self) }
    }

    /// What is written arrives, in order and whole, in pieces of any length.
    public func playsEveryFrame() async throws {
        try await bounded(#function, by: deadline) {
            let (sink, arrived) = try await make()
            try await sink.start(format)
            let samples = frames(30_000)
            var start = 0
            for count in [0, 1, 1, 4_095, 4_096, 0, 20_000] {
                let end = start + count * format.bytesPerFrame
                try await sink.write(Array(samples[start..<end]))
                start = end
            }
            try await sink.write(Array(samples[start...]))
            try await sink.finish()
            let played = try await arrived()
            try expect(played == samples, "\(samples.count) bytes arrive as they are, and not \(played.count) others")
            try await refuses("a write after the end") { try await sink.write(frames(1)) }
        }
    }

    /// An end without a frame is no error.
    public func playsNothing() async throws {
        try await bounded(#function, by: deadline) {
            let (sink, arrived) = try await make()
            try await sink.start(format)
            try await sink.finish()
            try expect(try await arrived().isEmpty, "nothing arrives where nothing was written")
        }
    }

    /// A second start is an error, during the first playback and after it.
    public func playsOnce() async throws {
        try await bounded(#function, by: deadline) {
            let (sink, _) = try await make()
            try await sink.start(format)
            try await refuses("a second start") { try await sink.start(format) }
            try await sink.write(frames(10))
            try await sink.finish()
            try await refuses("a start after the end") { try await sink.start(format) }
        }
    }

    /// A format without frames and a cut frame are errors, and the sink then still plays.
    public func refusesWhatIsNoAudio() async throws {
        try await bounded(#function, by: deadline) {
            let (sink, arrived) = try await make()
            try await refuses("0 Hz") { try await sink.start(AudioFormat(sampleRate: 0)) }
            try await refuses("0 channels") { try await sink.start(AudioFormat(sampleRate: 16_000, channels: 0)) }
            try await sink.start(format)
            try await refuses("a cut frame") { try await sink.write(frames(2) + [1]) }
            try await sink.write(frames(7))
            try await sink.finish()
            try expect(try await arrived() == frames(7), "what is right still arrives, and alone")
        }
    }

    /// Frames and an end before the start are errors.
    public func refusesBeforeItsStart() async throws {
        try await bounded(#function, by: deadline) {
            let (sink, _) = try await make()
            try await refuses("a write before the start") { try await sink.write(frames(1)) }
            try await refuses("an end before the start") { try await sink.finish() }
            await sink.cancel()
        }
    }

    /// Cancelling ends a write that may be suspended, and everything after it.
    public func cancelsAtOnce() async throws {
        try await bounded(#function, by: deadline) {
            let (sink, _) = try await make()
            try await sink.start(format)
            try await sink.write(frames(1_000))
            let writing = Task {
                // More than any queue holds, unless it plays as fast as it is given.
                for _ in 0..<16 { try await sink.write(frames(100_000)) }
                try await sink.finish()
            }
            try await settle()
            await sink.cancel()
            await sink.cancel()
            do {
                try await writing.value
            } catch is CancellationError {
                // It was cut short.
            }
            try await cancelled("a write after cancelling") { try await sink.write(frames(1)) }
            try await cancelled("an end after cancelling") { try await sink.finish() }
        }
    }

    /// Cancelling before the start and after the end does no harm; there is no start after it.
    public func cancelsAtAnyTime() async throws {
        try await bounded(#function, by: deadline) {
            let (unused, _) = try await make()
            await unused.cancel()
            try await refuses("a start after cancelling") { try await unused.start(format) }
            let (sink, _) = try await make()
            try await sink.start(format)
            try await sink.finish()
            await sink.cancel()
        }
    }

    private func frames(_ count: Int) -> [UInt8] {
        let values = (0..<(count * format.channels)).map { ($0 &* 7_919) % 20_000 - 10_000 }
        switch format.sample {
        case .int16: return values.flatMap { bytes(of: Int16($0)) }
        case .float32: return values.flatMap { bytes(of: Float($0 / 64 * 64) / 32_768) }
        }
    }

    private func bytes<Value>(of value: Value) -> [UInt8] { withUnsafeBytes(of: value) { Array($0) } }

    private func cancelled(_ what: String, _ body: () async throws -> Void) async throws {
        do {
            try await body()
        } catch is CancellationError {
            return
        }
        throw Violation(message: "\(what) must throw CancellationError, and threw nothing")
    }
}

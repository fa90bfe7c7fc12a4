// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffVoice

/// The rules of `AudioSource`, as checks that any source can run.
public struct AudioSourceConformance: Sendable {
    /// Makes a source that was not started.
    public typealias Factory = @Sendable () async throws -> any AudioSource

    private let format: AudioFormat
    private let samples: [UInt8]
    private let deadline: Duration
    private let make: Factory
    private let makeEndless: Factory?

    /// Creates a suite.
    ///
    /// - Parameters:
    ///   - samples: What each source of `make` gives before it ends by itself.
    ///   - format: Its format.
    ///   - deadline: What one check may take; a longer one is a failure.
    ///   - endless: Makes a source that gives nothing and does not end, as a muted microphone; `nil` where there is
    ///     none.
    ///   - make: Makes a source of the samples.
    public init(
        giving samples: [UInt8],
        format: AudioFormat = .speech,
        deadline: Duration = .seconds(60),
        endless: Factory? = nil,
        make: @escaping Factory
    ) {
        self.samples = samples
        self.format = format
        self.deadline = deadline
        self.make = make
        makeEndless = endless
    }

    /// Every check, by name.
    public static let checks: [ConformanceCheck<AudioSourceConformance>] = [
        .init("givesEveryFrame") { try await $0.givesEveryFrame() },
        .init("tellsTheSameAsEvents") { try await $0.tellsTheSameAsEvents() },
        .init("startsOnce") { try await $0.startsOnce() },
        .init("stopsWhileItGives") { try await $0.stopsWhileItGives() },
        .init("stopsAtAnyTime") { try await $0.stopsAtAnyTime() },
        .init("stopsWhileItIsSilent") { try await $0.stopsWhileItIsSilent() },
    ]

    /// Runs every check, one after the other.
    ///
    /// - Throws: The first ``ConformanceFailure``.
    public func runAll() async throws {
        for check in Self.checks { try await check.run(self) }
    }

    /// Its frames are whole, never none, in order, all of them, and then end.
    public func givesEveryFrame() async throws {
        try await bounded(#function, by: deadline) {
            let source = try await make()
            let told = try await source.start()
            try expect(told == format, "the format is \(format), and not \(told)")
            var given: [UInt8] = []
            for try await frames in source.frames {
                try expect(!frames.isEmpty, "there are frames in what is given")
                try expect(frames.count % format.bytesPerFrame == 0, "\(frames.count) bytes are whole frames")
                given += frames
            }
            try expect(given == samples, "\(samples.count) bytes are given as they are, and not \(given.count) others")
            await source.stop()
        }
    }

    /// The events are the frames, where the format stays the same.
    public func tellsTheSameAsEvents() async throws {
        try await bounded(#function, by: deadline) {
            let source = try await make()
            _ = try await source.start()
            var given: [UInt8] = []
            for try await event in source.events {
                if case .frames(let frames) = event {
                    given += frames
                } else {
                    try expect(event == .formatChanged(format), "the format stays the same")
                }
            }
            try expect(given == samples, "the events hold every frame")
            await source.stop()
        }
    }

    /// A second start is an error.
    public func startsOnce() async throws {
        try await bounded(#function, by: deadline) {
            let source = try await make()
            _ = try await source.start()
            do {
                _ = try await source.start()
            } catch {
                await source.stop()
                return
            }
            throw Violation(message: "a second start must throw, and did not")
        }
    }

    /// After a stop the frames end without an error, with what was captured before.
    public func stopsWhileItGives() async throws {
        try await bounded(#function, by: deadline) {
            let source = try await make()
            _ = try await source.start()
            var given: [UInt8] = []
            for try await frames in source.frames {
                if given.isEmpty { await source.stop() }
                given += frames
            }
            try expect(
                !given.isEmpty && samples.starts(with: given),
                "what is given after a stop is what came before it"
            )
            await source.stop()
        }
    }

    /// A stop before the start and one after the end do no harm.
    public func stopsAtAnyTime() async throws {
        try await bounded(#function, by: deadline) {
            let source = try await make()
            await source.stop()
            do {
                _ = try await source.start()
                for try await _ in source.frames {}
            } catch {
                // To start after a stop may be an error, but must not hang.
            }
            await source.stop()
        }
    }

    /// A stop ends the frames of a source that gives none.
    public func stopsWhileItIsSilent() async throws {
        guard let makeEndless else { return }
        try await bounded(#function, by: deadline) {
            let source = try await makeEndless()
            _ = try await source.start()
            let reading = Task {
                var count = 0
                for try await frames in source.frames { count += frames.count }
                return count
            }
            try await settle()
            await source.stop()
            try expect(try await reading.value == 0, "a silent source gives nothing")
        }
    }
}

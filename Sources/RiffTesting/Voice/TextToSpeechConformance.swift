// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffVoice
internal import Synchronization

// sample:
/// The rules of `TextToSpeech`, as checks that any engine can run.
///
/// ```swift
/// try await TextToSpeechConformance { try EspeakTextToSpeech() }.runAll()
/// ```
public struct TextToSpeechConformance: Sendable {
    private let limit: Duration
    private let make: @Sendable () async throws -> any TextToSpeech

    /// Checks of the engines that the closure makes.
    ///
    /// - Parameters:
    ///   - limit: How long one check may take.
    ///   - make: Makes an engine.
    public init(limit: Duration = .seconds(60), make: @escaping @Sendable () async throws -> any TextToSpeech) {
        (self.limit, self.make) = (limit, make)
    }

    /// Every check.
    public static let checks: [ConformanceCheck<TextToSpeechConformance>] = [
        .init("speaks") { try await $0.speaks() }, .init("saysNothing") { try await $0.saysNothing() },
        .init("obeysNothing") { try await $0.obeysNothing() }, .init("throwsOn") { try await $0.throwsOn() },
        .init("isCancelled") { try await $0.isCancelled() }, .init("overlaps") { try await $0.overlaps() },
    ]

    /// Runs every check.
    ///
    /// - Throws: ``ConformanceFailure`` at the first rule that is not kept; what the closure throws.
    public func runAll() async throws { for check in Self.checks { try await check.run(self) } }

    private static let short = "One."
    private static let long = "This is a sentence that takes a few seconds to say, however quickly it is said."

    /// A text is whole frames of one format, with something to hear in them; a longer text lasts longer.
    public func speaks() async throws {
        try await bounded(#function, by: limit) { [self] in
            let engine = try await make()
            let (short, long) = (try await Heard.of(Self.short, engine), try await Heard.of(Self.long, engine))
            for heard in [short, long] {
                try expect(heard.formats.count == 1, "a text has one format, not \(heard.formats)")
                let format = heard.formats.first ?? .speech
                try expect((1...384_000).contains(format.sampleRate), "the rate is one, not \(format.sampleRate)")
                try expect(format.channels > 0, "there are channels")
                try expect(heard.areWholeFrames, "frames are whole")
                try expect(AudioLevel(of: heard.bytes, format: format).peak > -40, "there is something to hear")
            }
            try expect(short.seconds > 0.05 && long.seconds > 1, "speech lasts as long as it takes to say")
            try expect(long.seconds > 2 * short.seconds, "a longer text lasts longer")
        }
    }

    /// White space delivers nothing, and is no error.
    public func saysNothing() async throws {
        try await bounded(#function, by: limit) { [self] in
            let engine = try await make()
            for text in ["", " ", "\n\t \r\n"] {
                let heard = try await Heard.of(text, engine)
                try expect(heard.bytes.isEmpty && heard.formats.isEmpty, "white space delivers nothing")
            }
        }
    }

    /// Options, markup, quotes, control characters and commands of a shell are text.
    public func obeysNothing() async throws {
        try await bounded(#function, by: limit) { [self] in
            let engine = try await make()
            let texts = [
                "--help", "-w /dev/full hello", "$(exit 3) `exit 4`; exit 5 | hello", "\"it's\" \\ hello",
                "<speak><break time=\"600s\"/>hello</speak>", "[[h@l'oU]] hello", "hello\u{1}100V\u{0}\u{1B}[31m again",
                "hello\n\n--version\n", "grüße, 你好 🎉 hello",
            ]
            for text in texts {
                let heard = try await Heard.of(text, engine)
                try expect(heard.seconds > 0.1, "\(text.debugDescription) is spoken")
                try expect(heard.seconds < 60, "\(text.debugDescription) is not obeyed")
            }
        }
    }

    /// An error that the listener throws comes out as it is; the engine speaks afterwards.
    public func throwsOn() async throws {
        try await bounded(#function, by: limit) { [self] in
            struct Enough: Error {}
            let engine = try await make()
            let calls = Mutex(0)
            do {
                try await engine.synthesize(Self.long) { _, _ in
                    calls.withLock { $0 += 1 }
                    throw Enough()
                }
                throw Violation(message: "what the listener throws must be thrown")
            } catch is Enough {}
            try expect(calls.withLock { $0 } == 1, "a listener that threw hears nothing more")
            try expect(try await Heard.of(Self.short, engine).seconds > 0.05, "the engine speaks afterwards")
        }
    }

    /// Cancelled before and within the audio is `CancellationError`; the engine speaks afterwards.
    public func isCancelled() async throws {
        try await bounded(#function, by: limit) { [self] in
            let engine = try await make()
            for isBefore in [true, false] {
                let calls = Mutex(0)
                let task = Task {
                    if isBefore { withUnsafeCurrentTask { $0?.cancel() } }
                    try await engine.synthesize(Self.long) { _, _ in
                        calls.withLock { $0 += 1 }
                        withUnsafeCurrentTask { $0?.cancel() }
                        try Task.checkCancellation()
                    }
                }
                do {
                    try await task.value
                    throw Violation(message: "a cancelled call must throw")
                } catch is CancellationError {}
                try expect(calls.withLock { $0 } == (isBefore ? 0 : 1), "a cancelled listener hears nothing more")
            }
            try expect(try await Heard.of(Self.short, engine).seconds > 0.05, "the engine speaks afterwards")
        }
    }

    /// Two texts at once do not mix.
    public func overlaps() async throws {
        try await bounded(#function, by: limit) { [self] in
            let engine = try await make()
            let (alone, longAlone) = (try await Heard.of(Self.short, engine), try await Heard.of(Self.long, engine))
            async let first = Heard.of(Self.short, engine)
            async let second = Heard.of(Self.long, engine)
            let (short, long) = (try await first, try await second)
            try expect(long.seconds > short.seconds, "each call gets its own text")
            // Some engines never say a text twice in the same way.
            try expect(short.seconds < 2 * alone.seconds + 0.5, "a short text is no longer beside another one")
            try expect(long.seconds > longAlone.seconds / 2, "a long text is whole beside another one")
        }
    }

    /// The audio that was delivered of one text.
    private struct Heard: Sendable {
        var bytes: [UInt8] = []
        var formats: Set<AudioFormat> = []
        var areWholeFrames = true

        var seconds: Double {
            guard let format = formats.first, format.bytesPerFrame > 0, format.sampleRate > 0 else { return 0 }
            return Double(bytes.count / format.bytesPerFrame) / Double(format.sampleRate)
        }

        static func of(_ text: String, _ engine: any TextToSpeech) async throws -> Heard {
            let heard = Mutex(Heard())
            try await engine.synthesize(text) { frames, format in
                heard.withLock { heard in
                    heard.bytes += frames
                    heard.formats.insert(format)
                    if frames.isEmpty || format.bytesPerFrame <= 0 || frames.count % format.bytesPerFrame != 0 {
                        heard.areWholeFrames = false
                    }
                }
            }
            return heard.withLock { $0 }
        }
    }
}

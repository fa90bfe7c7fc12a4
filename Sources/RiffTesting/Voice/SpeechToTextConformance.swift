// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffVoice
internal import Synchronization

// sample: speech: [UInt8], engine: any SpeechToText
/// The rules of `SpeechToText`, as checks that any engine can run.
///
/// ```swift
/// try await SpeechToTextConformance(hearing: speech, isRight: { $0.contains("young man") }) { engine }.runAll()
/// ```
public struct SpeechToTextConformance: Sendable {
    private let speech: [UInt8]
    private let isRight: @Sendable (String) -> Bool
    private let limit: Duration
    private let make: @Sendable () async throws -> any SpeechToText

    /// Checks of the engines that the closure makes.
    ///
    /// - Parameters:
    ///   - speech: A sentence of a few seconds, samples of `AudioFormat.speech`.
    ///   - limit: How long one check may take.
    ///   - isRight: Whether a text is what is said there.
    ///   - make: Makes an engine, or gives the same one again.
    public init(
        hearing speech: [UInt8],
        limit: Duration = .seconds(60),
        isRight: @escaping @Sendable (String) -> Bool,
        make: @escaping @Sendable () async throws -> any SpeechToText
    ) {
        (self.speech, self.isRight, self.limit, self.make) = (speech, isRight, limit, make)
    }

    /// Every check.
    public static let checks: [ConformanceCheck<SpeechToTextConformance>] = [
        .init("hears") { try await $0.hears() }, .init("inventsNothing") { try await $0.inventsNothing() },
        .init("refuses") { try await $0.refuses() }, .init("isCancelled") { try await $0.isCancelled() },
        .init("overlaps") { try await $0.overlaps() }, .init("prepares") { try await $0.prepares() },
    ]

    /// Runs every check.
    ///
    /// - Throws: ``ConformanceFailure`` at the first rule that is not kept; what the closure throws.
    public func runAll() async throws { for check in Self.checks { try await check.run(self) } }

    private var clip: AudioClip { AudioClip(speech, encoding: .pcm(.speech)) }

    /// Speech is heard, as raw samples of any format and as a file, with and without words to expect.
    public func hears() async throws {
        try await bounded(#function, by: limit) { [self] in
            let engine = try await make()
            let wide = AudioFormat(sampleRate: 48_000, channels: 2, sample: .float32)
            let clips = [clip, try clip.asFile(), AudioClip(try clip.samples(as: wide), encoding: .pcm(wide))]
            for clip in clips { try await hears(clip, engine) }
            let text = try await engine.transcribe(clip, expecting: ["Riff", "a young man", ""]).text
            try expect(isRight(text), "with words to expect it hears the same, not \(text)")
        }
    }

    /// Silence is an empty transcript; no audio at all is that or a typed error.
    public func inventsNothing() async throws {
        try await bounded(#function, by: limit) { [self] in
            let engine = try await make()
            let silent = [UInt8](repeating: 0, count: 2 * AudioFormat.speech.sampleRate * 2)
            let heard = try await engine.transcribe(AudioClip(silent, encoding: .pcm(.speech)))
            try expect(heard.isEmpty, "two seconds of silence say nothing, not \(heard.text)")
            do {
                let heard = try await engine.transcribe(AudioClip([], encoding: .pcm(.speech)))
                try expect(heard.isEmpty, "no audio says nothing")
            } catch is any RiffError {
                // Some would rather say so.
            }
            try await hears(clip, engine)
        }
    }

    /// What is no audio is a typed error, and harms nothing.
    public func refuses() async throws {
        try await bounded(#function, by: limit) { [self] in
            let engine = try await make()
            do {
                let heard = try await engine.transcribe(AudioClip(Array("not a WAV file".utf8), encoding: .wav))
                throw Violation(message: "what is no WAV file must throw, and is not \(heard.text)")
            } catch is any RiffError {}
            try await hears(clip, engine)
        }
    }

    /// Cancelled before and within a clip is `CancellationError`; the engine hears afterwards.
    public func isCancelled() async throws {
        try await bounded(#function, by: limit) { [self] in
            let engine = try await make()
            let before = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await engine.transcribe(clip)
            }
            do {
                let heard = try await before.value
                throw Violation(message: "a cancelled call must throw, and heard \(heard.text)")
            } catch is CancellationError {}
            let within = Task { try await engine.transcribe(clip) }
            await Task.yield()
            within.cancel()
            do {
                let text = try await within.value.text
                try expect(isRight(text), "a clip that was faster than the cancellation is whole, not \(text)")
            } catch is CancellationError {}
            try await hears(clip, engine)
        }
    }

    /// Clips at once do not mix.
    public func overlaps() async throws {
        try await bounded(#function, by: limit) { [self] in
            let engine = try await make()
            let silence = AudioClip([UInt8](repeating: 0, count: 32_000), encoding: .pcm(.speech))
            async let first = engine.transcribe(clip).text
            async let nothing = engine.transcribe(silence).text
            async let second = engine.transcribe(clip).text
            let texts = (try await first, try await nothing, try await second)
            try expect(isRight(texts.0) && isRight(texts.2), "each clip has its own text, not \(texts)")
            try expect(texts.1.allSatisfy(\.isWhitespace), "silence beside speech says nothing, not \(texts.1)")
        }
    }

    /// Preparing goes forward to its end, and may be done again.
    public func prepares() async throws {
        try await bounded(#function, by: limit) { [self] in
            let engine = try await make()
            for _ in 0..<2 {
                let steps = Mutex<[EnginePreparation]>([])
                try await engine.prepare { step in steps.withLock { $0.append(step) } }
                let told = steps.withLock { $0 }
                try expect(told.last == .ready, "the last step is to be ready")
                let fractions = told.map(\.fraction)
                try expect(fractions == fractions.sorted(), "it goes forward")
                try expect(fractions.allSatisfy { (0...1).contains($0) }, "fractions lie between 0 and 1")
            }
            try await hears(clip, engine)
        }
    }

    private func hears(_ clip: AudioClip, _ engine: any SpeechToText) async throws {
        let text = try await engine.transcribe(clip).text
        try expect(isRight(text), "speech is heard, not \(text)")
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Speaks an agent's answers: prose by a voice, what a server spoke as it is.
public struct AnswerVoice: Sendable {
    private let voice: SentenceTextToSpeech
    private let decoder: (any AudioClipDecoder)?
    private let makeSink: @Sendable () async throws -> any AudioSink
    private var audio: SharedAudioSession?

    /// Creates a voice for answers.
    ///
    /// - Parameters:
    ///   - voice: What speaks prose; sentence by sentence, so that the first sound comes early.
    ///   - language: The language of the answers, as a BCP 47 tag: it decides where sentences end.
    ///   - decoder: What unpacks MP3 and other files that are not read here; only a feed of clips needs one.
    ///   - makeSink: Makes what plays one answer.
    public init(
        _ voice: any TextToSpeech,
        language: String = "en",
        decoder: (any AudioClipDecoder)? = nil,
        makeSink: @escaping @Sendable () async throws -> any AudioSink
    ) {
        self.voice = SentenceTextToSpeech(voice, sentences: SentenceTextToSpeech.Sentences(language: language))
        (self.decoder, self.makeSink) = (decoder, makeSink)
    }

    /// The same voice, which holds an audio session while it plays.
    package func holding(_ audio: SharedAudioSession?) -> AnswerVoice {
        var voice = self
        voice.audio = audio ?? self.audio
        return voice
    }

    /// Speaks, and returns when the last sound was played.
    ///
    /// - Parameters:
    ///   - content: What to say.
    ///   - onFirstSound: Told when the first frames are handed to the sink.
    /// - Throws: What the voice, the decoder and the sink throw; `CoreError` with `audioUnsupported` for a clip that
    ///   nobody unpacks; `CancellationError`, with what is queued in the sink dropped.
    public func speak(
        _ content: AgentAnswer.Content,
        onFirstSound: @escaping @Sendable () async -> Void = {}
    ) async throws {
        try await speak(content, AnswerProgress(Stopwatch(ContinuousClock())), onFirstSound)
    }

    /// As ``speak(_:onFirstSound:)``, from a place on, and tells how far it is.
    package func speak(
        _ content: AgentAnswer.Content,
        from place: AnswerPlace = AnswerPlace(),
        _ progress: AnswerProgress,
        _ onFirstSound: @escaping @Sendable () async -> Void
    ) async throws {
        let held = HeldAudioSink.make(try await makeSink(), audio)
        let sink = FollowedSink(held, progress, onFirstSound)
        switch content {
        case .prose(let text):
            let voice = FollowedVoice(voice: voice, skipping: place.sentences, progress: progress)
            try await voice.speak(text, on: sink)
        case .speech(let clip):
            try await ClipVoice(clip: try await unpacked(clip), skipping: place.sound).speak("", on: sink)
        }
    }

    private func unpacked(_ clip: AudioClip) async throws -> AudioClip {
        guard let decoder else { return clip }
        return try await decoder.decode(clip)
    }
}

/// Says nothing but one clip.
private struct ClipVoice: TextToSpeech {
    let clip: AudioClip
    let skipping: Duration

    func synthesize(_: String, _ deliver: @Sendable ([UInt8], AudioFormat) async throws -> Void) async throws {
        let format = AudioFormat(sampleRate: 24_000)
        let samples = try clip.samples(as: format)
        // A tenth of a second at a time, so that it can be broken off.
        let size = format.bytesPerFrame * format.sampleRate / 10
        let skipped = min(samples.count / size, Int(skipping / .milliseconds(100))) * size
        for start in stride(from: skipped, to: samples.count, by: size) {
            try await deliver(Array(samples[start..<min(start + size, samples.count)]), format)
        }
    }
}

/// Tells which words come next.
private struct FollowedVoice: TextToSpeech {
    let voice: SentenceTextToSpeech
    let skipping: Int
    let progress: AnswerProgress

    func synthesize(_ text: String, _ deliver: @Sendable ([UInt8], AudioFormat) async throws -> Void) async throws {
        try await voice.synthesize(text, skipping: skipping, onPiece: { progress.begin($0) }, deliver)
    }
}

/// Tells what is handed to the loudspeaker.
private actor FollowedSink: AudioSink {
    private let sink: any AudioSink
    private let progress: AnswerProgress
    private let onFirstSound: @Sendable () async -> Void
    private var format = AudioFormat.speech

    init(_ sink: any AudioSink, _ progress: AnswerProgress, _ onFirstSound: @escaping @Sendable () async -> Void) {
        (self.sink, self.progress, self.onFirstSound) = (sink, progress, onFirstSound)
    }

    func start(_ format: AudioFormat) async throws {
        self.format = format
        try await sink.start(format)
    }

    func write(_ frames: [UInt8]) async throws {
        let isFirst = progress.hand(frames, of: format)
        try await sink.write(frames)
        if isFirst { await onFirstSound() }
    }

    func finish() async throws { try await sink.finish() }

    func cancel() async { await sink.cancel() }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

// sample: engine: some SpeechToText, microphone: some AudioSource
/// Live recognition by any engine that recognizes clips: a voice detector cuts the audio into lines, and the open line
/// is recognized again while it grows, under the same id.
///
/// ```swift
/// let recognizer = try SegmentingRecognizer(engine)
/// var transcript = TranscriptAccumulator()
/// try await recognizer.recognize(microphone) { event in
///     if case .line(let line) = event { print(line.text, line.isComplete ? "." : "...") }
/// }
/// ```
///
/// The engine gets nothing but stretches in which the detector hears a voice, so that it has no silence to invent words
/// for; at most ``SegmentingRecognizer/Options/longestClip`` in a call, and one call at a time. Where it is slow,
/// versions of the open line are left out; where it fails, a complete line is tried again or told with its audio. What
/// is kept is the open line, three seconds before it, and ``SegmentingRecognizer/Options/mostWaiting``.
///
/// A line longer than ``SegmentingRecognizer/Options/longestClip`` is cut: its last version then holds what is before
/// the cut, and the words after it come back as the first version of the next line.
public final class SegmentingRecognizer: SpeechRecognizer {
    /// The recognizer's parameters.
    package let options: SegmentingRecognizer.Options

    private let engine: any SpeechToText
    private let detector: any VoiceDetecting
    private let clock: any Clock<Duration>
    private let turns = Mutex<UInt32>(0)

    /// Creates a recognizer.
    ///
    /// - Parameters:
    ///   - engine: What recognizes a clip.
    ///   - detector: What tells speech; each turn begins with a copy of it that has heard nothing. `nil` takes
    ///     ``NeuralVoiceDetector``.
    ///   - options: Its parameters.
    ///   - clock: Measures the engine, and the time before it is tried again.
    /// - Throws: ``VoiceError`` with `invalidSegmentation`, or `voiceWeightsUnusable` where the network has no weights.
    public init(
        _ engine: any SpeechToText,
        detector: (any VoiceDetecting)? = nil,
        options: SegmentingRecognizer.Options = SegmentingRecognizer.Options(),
        clock: any Clock<Duration> = ContinuousClock()
    ) throws(VoiceError) {
        self.engine = engine
        self.options = options
        self.clock = clock
        var fresh: any VoiceDetecting
        if let detector { fresh = detector } else { fresh = try NeuralVoiceDetector() }
        fresh.reset()
        self.detector = fresh
        // Tells at once what is wrong with the options.
        _ = try SegmentingMachine(options, frameSamples: fresh.frameSamples, turn: 0)
    }

    /// Prepares the engine.
    public func prepare(_ report: @Sendable (EnginePreparation) -> Void) async throws {
        try await engine.prepare(report)
    }

    /// Begins a turn, in which nothing of the last one is left.
    ///
    /// Its `hear` throws ``VoiceError`` with `turnIsOver` after the end, and `recognitionUnread` where a thousand
    /// events wait for a reader; its events throw nothing but `CancellationError`. Cancelling takes effect as soon as
    /// the engine lets go.
    public func beginTurn() async throws -> any SpeechTurn {
        let turn = turns.withLock { turns in
            turns &+= 1
            return turns
        }
        let machine = try SegmentingMachine(options, frameSamples: detector.frameSamples, turn: turn)
        return SegmentingTurn(machine, engine: engine, detector: detector, keyTerms: options.keyTerms, clock: clock)
    }
}

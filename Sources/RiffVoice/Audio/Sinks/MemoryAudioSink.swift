// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A sink that keeps what it is given, for a recognizer, a file or a test.
///
/// It takes one playback: start it, finish or cancel it, make a new one.
public actor MemoryAudioSink: AudioSink {
    private enum Stage {
        case idle
        case playing
        case finished
        case cancelled
    }

    private let limit: Int
    private var stage = Stage.idle
    private var format: AudioFormat?
    private var samples: [UInt8] = []

    /// Creates a sink.
    ///
    /// - Parameter limit: The most bytes kept; a write beyond them throws.
    public init(limit: Int = 26_214_400) { self.limit = limit }

    /// The clip that was written; `nil` before the sink was started.
    public var clip: AudioClip? { format.map { AudioClip(samples, encoding: .pcm($0)) } }

    /// Starts the sink. Throws ``VoiceError`` with `audioSinkFailed` when started twice, `audioSinkHasNoFormat`.
    public func start(_ format: AudioFormat) async throws {
        guard case .idle = stage else {
            throw VoiceError(.audioSinkFailed, "This sink was started before; make a new one for what comes next.")
        }
        try format.checkPlayable()
        (self.format, stage) = (format, .playing)
    }

    /// Keeps frames. Throws ``VoiceError`` with `audioSinkFailed` outside of a playback or beyond the limit,
    /// `CoreError` with `audioMalformed` for a cut frame, `CancellationError` after ``cancel()``.
    public func write(_ frames: [UInt8]) async throws {
        try check()
        try format?.checkWhole(frames)
        guard samples.count + frames.count <= limit else {
            throw VoiceError(.audioSinkFailed, "This sink keeps \(limit) bytes; more came.")
        }
        samples += frames
    }

    /// Ends the playback.
    public func finish() async throws {
        try check()
        stage = .finished
    }

    /// Forgets what was written.
    public func cancel() async {
        stage = .cancelled
        samples = []
    }

    private func check() throws {
        switch stage {
        case .playing: return
        case .cancelled: throw CancellationError()
        case .idle, .finished:
            throw VoiceError(.audioSinkFailed, "This sink takes no audio before it is started, and none after its end.")
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// Records one source into one clip, with its level beside it, until it is stopped: there is no timer in it. A device
/// that changes its format meanwhile changes nothing in the clip.
///
/// One recorder makes one recording. Call ``stop()`` or ``cancel()`` before dropping it: both release the source.
public actor ClipRecorder {
    /// The limits of a recorder, and the levels that it takes for sound.
    public struct Limits: Sendable, Hashable {
        /// The most sample bytes kept; the source is stopped there.
        public var bytes: Int
        /// RMS in dBFS that a stretch must exceed to count as something said.
        public var speechThreshold: Double
        /// The duration of audio that one level is measured over.
        public var levelWindow: Duration

        /// 25 MB with room for a file's header (13.6 minutes at 16 kHz), -50 dBFS over 50 ms unless said otherwise:
        /// quiet rooms lie near -60, quiet speech near -42.
        public init(
            bytes: Int = 26_214_400 - 128,
            speechThreshold: Double = -50,
            levelWindow: Duration = .milliseconds(50)
        ) {
            self.bytes = bytes
            self.speechThreshold = speechThreshold
            self.levelWindow = levelWindow
        }
    }

    /// The progress of the recording; the newest eight are kept for a slow reader, and it ends with the recording.
    /// Single-consumer.
    public nonisolated let progress: AsyncStream<ClipRecorder.Progress>

    private let source: any AudioSource
    private let format: AudioFormat
    private let limits: Limits
    private let report: AsyncStream<ClipRecorder.Progress>.Continuation
    private var converter: CaptureConverter?
    private let onPart: (@Sendable (Recording.Part) async -> Bool)?
    private var detector: (any VoiceDetecting)?
    private var samples: [UInt8] = []
    /// The bytes of the parts that were handed on.
    private var handedOn = 0
    private var partHasSpeech = false
    /// The time at which sound that counts as speech was heard last.
    private var lastSpeech: Duration?
    private var meter: LevelMeter
    private var hasSpeech = false
    private var end: Recording.End?
    private var isStarted = false
    private var isStopping = false
    private var isCancelled = false
    private var pump: Task<Void, Never>?

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - source: What to record; the recorder starts and stops it.
    ///   - format: The format of the clip.
    ///   - limits: What is kept and what counts as sound.
    public init(_ source: any AudioSource, format: AudioFormat = .speech, limits: Limits = Limits()) {
        self.init(source, format: format, limits: limits, detector: nil, onPart: nil)
    }

    /// Creates a recorder that hands on parts of a long recording.
    ///
    /// - Parameters:
    ///   - source: What to record; the recorder starts and stops it.
    ///   - format: The format of the clip; `AudioFormat.speech` for a detector.
    ///   - limits: What is kept of one part, and what counts as sound.
    ///   - detector: Tells speech better than the threshold; it decides about silence.
    ///   - onPart: Takes a part that is nearly as long as the limit, cut in a silence where there is one; the recording
    ///     ends at the limit where it returns `false`.
    package init(
        _ source: any AudioSource,
        format: AudioFormat = .speech,
        limits: Limits,
        detector: (any VoiceDetecting)?,
        onPart: (@Sendable (Recording.Part) async -> Bool)?
    ) {
        self.source = source
        self.format = format
        self.limits = limits
        self.detector = detector
        self.onPart = onPart
        self.detector?.reset()
        meter = LevelMeter(format: format, ballistics: LevelMeter.Ballistics(window: limits.levelWindow))
        (progress, report) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(8))
    }

    /// Starts the source, and returns once it captures.
    ///
    /// - Throws: What the source throws (``VoiceError`` with `permissionRequired`); ``VoiceError`` with
    ///   `audioSourceHasNoFormat` for a source that says 0 Hz or 0 channels; `CoreError` where its format cannot be
    ///   converted; `CancellationError` when it was cancelled meanwhile. The source is then released.
    public func start() async throws {
        guard !isStarted else {
            throw VoiceError(.audioSourceFailed, "This recorder has recorded before; make a new one.")
        }
        isStarted = true
        do {
            let captured = try await source.start()
            try captured.checkCaptured()
            converter = try CaptureConverter(from: captured, to: format)
            // The actor was free while the source started.
            if isCancelled { throw CancellationError() }
            try Task.checkCancellation()
        } catch {
            await source.stop()
            report.finish()
            throw error
        }
        pump = Task { await self.record() }
        if isStopping { await source.stop() }
    }

    /// Ends the recording and returns it; also after it ended by itself.
    public func stop() async -> Recording {
        isStopping = true
        await source.stop()
        await pump?.value
        report.finish()
        return Recording(
            clip: AudioClip(samples, encoding: .pcm(format)),
            duration: duration,
            hasSpeech: hasSpeech,
            end: end ?? .stopped,
            lastPartHasSpeech: partHasSpeech
        )
    }

    /// Ends the recording and forgets it.
    public func cancel() async {
        isCancelled = true
        await source.stop()
        await pump?.value
        samples = []
        report.finish()
    }

    private var duration: Duration {
        .seconds(1) * ((handedOn + samples.count) / max(1, format.bytesPerFrame)) / max(1, format.sampleRate)
    }

    /// The most bytes of whole frames.
    private var limit: Int { limits.bytes - limits.bytes % max(1, format.bytesPerFrame) }

    private func record() async {
        do {
            for try await event in source.events {
                if isCancelled { break }
                if case .formatChanged(let captured) = event { try captured.checkCaptured() }
                try await keepAll(try converter?.convert(event) ?? [])
                if end != nil { break }
            }
            if end == nil {
                keep(converter?.finish() ?? [])
                end = isStopping ? .stopped : .sourceEnded
            }
        } catch {
            keep(converter?.finish() ?? [])
            end = .failed(error)
        }
        await source.stop()
        if let level = meter.finish() { tell(level) }
        report.finish()
    }

    /// Keeps the captured bytes, and hands parts on if there is a receiver for them.
    private func keepAll(_ bytes: [UInt8]) async throws {
        var rest = bytes[...]
        while !rest.isEmpty, end == nil {
            // A level's window at a time, so that speech and silence have their places in a burst as well.
            rest = rest.dropFirst(keep(Array(rest.prefix(step))))
            // A pause in the last eighth is a better place than the middle of a word at the end.
            let isPause = samples.count >= limit - limit / 8 && silence >= .milliseconds(300)
            guard samples.count >= limit || (onPart != nil && isPause) else { continue }
            guard let onPart else {
                end = .limitReached
                return
            }
            let part = Recording.Part(clip: AudioClip(samples, encoding: .pcm(format)), hasSpeech: partHasSpeech)
            guard await onPart(part) else {
                guard samples.count >= limit else { continue }
                end = .limitReached
                return
            }
            handedOn += samples.count
            (samples, partHasSpeech) = ([], false)
        }
    }

    private var step: Int {
        let frames = Int(limits.levelWindow / .milliseconds(1)) * format.sampleRate / 1_000
        return max(1, frames) * max(1, format.bytesPerFrame)
    }

    /// - Returns: How many bytes fit.
    @discardableResult
    private func keep(_ bytes: [UInt8]) -> Int {
        let kept = Array(bytes.prefix(max(0, limit - samples.count)))
        samples += kept
        for probability in detector?.process(speech: kept) ?? [] where probability >= 0.5 { hearSpeech() }
        for level in meter.process(kept) { tell(level) }
        return kept.count
    }

    private func hearSpeech() {
        (hasSpeech, partHasSpeech, lastSpeech) = (true, true, duration)
    }

    private var silence: Duration { duration - (lastSpeech ?? .zero) }

    private func tell(_ level: AudioLevel) {
        if level.rms > limits.speechThreshold {
            hasSpeech = true
            partHasSpeech = true
            // Where a detector listens a noise ends no silence.
            if detector == nil { lastSpeech = duration }
        }
        report.yield(
            ClipRecorder.Progress(
                level: level,
                duration: duration,
                hasSpeech: hasSpeech,
                silence: silence,
                captured: converter?.input ?? format
            )
        )
    }
}

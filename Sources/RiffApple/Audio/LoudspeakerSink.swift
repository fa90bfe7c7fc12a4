// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(AVFAudio)
internal import AVFAudio
internal import Foundation
internal import RiffCore
public import RiffVoice

/// The loudspeaker, by AVAudioEngine. It plays once: make one for each text. It leaves the audio session alone.
public actor LoudspeakerSink: AudioSink {
    /// As far ahead as it is given sound: little is thrown away on an interruption.
    private static let mostQueued = 8

    private let engine = AVAudioEngine()
    private let player = AVAudioPlayerNode()
    private var format: AudioFormat?
    private var node: AVAudioFormat?
    private var queued = 0
    private var isOver = false
    /// Told with the next change.
    private var changed = EventualValue<Void>()

    /// Creates a sink that is not open yet.
    public init() {}

    /// Opens the device.
    ///
    /// - Throws: `VoiceError` with `audioSinkFailed`.
    public func start(_ format: AudioFormat) async throws {
        guard self.format == nil, !isOver else {
            throw VoiceError(.audioSinkFailed, "This sink has played; make a new one.")
        }
        let channels = AVAudioChannelCount(clamping: format.channels)
        guard format.sampleRate > 0, channels > 0,
            let node = AVAudioFormat(standardFormatWithSampleRate: Double(format.sampleRate), channels: channels)
        else { throw VoiceError(.audioSinkFailed, "\(format.sampleRate) Hz cannot be played.") }
        engine.attach(player)
        // The mixer converts the rate; the player itself takes floats only.
        engine.connect(player, to: engine.mainMixerNode, format: node)
        do { try engine.start() } catch {
            throw VoiceError(.audioSinkFailed, "The loudspeaker cannot be opened.", recovery: .retry, cause: error)
        }
        self.format = format
        self.node = node
        player.play()
    }

    /// Queues frames; suspends while some buffers are ahead.
    ///
    /// - Throws: `VoiceError` with `audioSinkFailed`; `CoreError` for a cut frame; `CancellationError` after
    ///   ``cancel()``.
    public func write(_ frames: [UInt8]) async throws {
        if isOver { throw CancellationError() }
        guard let format, let node else { throw VoiceError(.audioSinkFailed, "The sink is not started.") }
        let float = AudioFormat(sampleRate: format.sampleRate, channels: format.channels, sample: .float32)
        let bytes = try AudioClip(frames, encoding: .pcm(format)).samples(as: float)
        let count = bytes.count / (4 * format.channels)
        guard count > 0, let buffer = AVAudioPCMBuffer(pcmFormat: node, frameCapacity: AVAudioFrameCount(count)),
            let channels = buffer.floatChannelData
        else { return }
        buffer.frameLength = AVAudioFrameCount(count)
        bytes.withUnsafeBytes { raw in
            let samples = raw.bindMemory(to: Float.self)
            for index in samples.indices { channels[index % format.channels][index / format.channels] = samples[index] }
        }
        queued += 1
        // Played back, not consumed: at `.dataConsumed` the last word is still to come out.
        player.scheduleBuffer(buffer, completionCallbackType: .dataPlayedBack) { [weak self] _ in
            Task { await self?.played() }
        }
        while queued > Self.mostQueued, !isOver { await change() }
        if isOver { throw CancellationError() }
    }

    /// Returns when everything written was played.
    ///
    /// - Throws: `CancellationError` after ``cancel()``.
    public func finish() async throws {
        while queued > 0, !isOver { await change() }
        if isOver { throw CancellationError() }
        release()
    }

    /// Drops what is queued and closes the device.
    public func cancel() async { if !isOver { release() } }

    private func release() {
        isOver = true
        // Also completes what it drops.
        player.stop()
        engine.stop()
        wake()
    }

    private func played() {
        queued -= 1
        wake()
    }

    private func change() async { await changed.value() }

    private func wake() {
        changed.resolve(())
        changed = EventualValue()
    }
}
#endif

// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(AVFAudio)
internal import AVFAudio
internal import Foundation
internal import RiffCore
public import RiffVoice

/// The microphone, by AVAudioEngine: floats at the device's own rate, first channel. It leaves the audio session alone.
///
/// It records once: make a new one for each recording. A device that changes (a headset, another route) is followed,
/// and told among its `events`.
public actor MicrophoneSource: AudioSource {
    private let engine = AVAudioEngine()
    private nonisolated let stream: AsyncThrowingStream<CaptureEvent, any Error>
    private nonisolated let writer: AsyncThrowingStream<CaptureEvent, any Error>.Continuation
    private var observer: NotificationObserver?
    private var isStarted = false
    private var isStopped = false

    /// Creates a source that is not open yet.
    public init() {
        // Twenty seconds of buffers; a consumer that is further behind is told so.
        (stream, writer) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingOldest(200))
    }

    /// Asks for permission where the person was not asked before, and opens the microphone.
    ///
    /// - Returns: The format of the frames.
    /// - Throws: `VoiceError` with `permissionRequired`, `audioSourceHasNoFormat` or `audioSourceFailed`;
    ///   `CancellationError` if it was stopped meanwhile.
    public func start() async throws -> AudioFormat {
        guard !isStarted else {
            throw VoiceError(.audioSourceFailed, "This microphone has recorded before; make a new one.")
        }
        isStarted = true
        guard await AVAudioApplication.requestRecordPermission() else {
            throw VoiceError.permissionRequired(missing: .microphone)
        }
        if isStopped { throw CancellationError() }
        do {
            let format = try tap()
            // AirPods, a cable, a call: the engine has stopped, and its old tap gives nothing, or another rate than
            // it says.
            let name = Notification.Name.AVAudioEngineConfigurationChange
            observer = NotificationObserver(
                NotificationCenter.default.addObserver(forName: name, object: engine, queue: nil) { [weak self] _ in
                    // The stop that may come before it is seen there.
                    Task { await self?.followChange() }
                }
            )
            return format
        } catch let error as VoiceError {
            throw error
        } catch {
            close()
            throw VoiceError(.audioSourceFailed, "The microphone cannot be opened.", recovery: .retry, cause: error)
        }
    }

    /// The frames; a change of the device ends them with an error.
    public nonisolated var frames: any AsyncSequence<[UInt8], any Error> & Sendable { Self.framesOfOneFormat(stream) }

    /// The frames, and each change of the device in its place.
    public nonisolated var events: any AsyncSequence<CaptureEvent, any Error> & Sendable { stream }

    /// Closes the microphone.
    public func stop() async { close() }

    private func close() {
        isStopped = true
        observer?.remove()
        observer = nil
        engine.inputNode.removeTap(onBus: 0)
        engine.stop()
        writer.finish()
    }

    /// Taps the device as it is now, and lets the engine run.
    private func tap(_ tell: (AudioFormat) -> Void = { _ in }) throws -> AudioFormat {
        // A tap that is still there makes the next one raise an Objective-C exception, which Swift cannot catch.
        engine.inputNode.removeTap(onBus: 0)
        // Asked now: while the route changes the device says 0 Hz, on which installTap raises, too.
        let format = engine.inputNode.outputFormat(forBus: 0)
        guard format.sampleRate > 0, format.channelCount > 0 else {
            throw VoiceError(.audioSourceHasNoFormat, "The microphone is not ready; record again.", recovery: .retry)
        }
        let told = AudioFormat(sampleRate: Int(format.sampleRate), channels: 1, sample: .float32)
        // Before the tap, so that no frame comes before its format.
        tell(told)
        engine.inputNode.installTap(onBus: 0, bufferSize: 4_096, format: format, block: Self.block(writer))
        engine.prepare()
        try engine.start()
        return told
    }

    /// Made outside of the actor: the system calls it on a thread of its own.
    private static nonisolated func block(
        _ writer: AsyncThrowingStream<CaptureEvent, any Error>.Continuation
    ) -> AVAudioNodeTapBlock {
        { buffer, _ in
            guard let channel = buffer.floatChannelData?[0] else { return }
            let bytes = UnsafeRawBufferPointer(
                UnsafeBufferPointer(start: channel, count: Int(buffer.frameLength))
            )
            if case .dropped = writer.yield(.frames(Array(bytes))) {
                writer.finish(throwing: VoiceError(.audioSourceFailed, "The recording was not read for 20 s."))
            }
        }
    }

    private func followChange() {
        guard !isStopped else { return }
        do {
            _ = try tap { writer.yield(.formatChanged($0)) }
        } catch {
            let message = "The microphone has gone; record again."
            writer.finish(throwing: VoiceError(.audioSourceFailed, message, recovery: .retry, cause: error))
        }
    }
}
#endif

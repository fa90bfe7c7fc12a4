// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A seam: speaks a text, as audio.
///
/// To the implementer: the text is data, whatever it looks like: options, markup, quotes and line breaks are spoken or
/// left out, never obeyed. Audio is delivered as it is made, in whole frames of one format, and no more of it is made
/// than the closure takes. A text with nothing in it but white space delivers nothing and is no error. What the closure
/// throws is thrown as it is; cancellation throws `CancellationError`; either way what makes the audio has ended by
/// then. Calls may overlap.
public protocol TextToSpeech: Sendable {
    /// Speaks a text.
    ///
    /// - Parameters:
    ///   - text: What to say, as prose.
    ///   - deliver: Takes the next whole frames, interleaved and little-endian, and their format, which is the same
    ///     each time. Called one at a time, never after the return.
    /// - Throws: A ``RiffError`` whose recovery says whether a retry can help; what `deliver` throws;
    ///   `CancellationError`.
    func synthesize(
        _ text: String,
        _ deliver: @Sendable (_ frames: [UInt8], _ format: AudioFormat) async throws -> Void
    ) async throws

    /// Makes the first text as quick as the others, as ``SpeechToText/prepare(_:)`` does.
    func prepare(_ report: @Sendable (EnginePreparation) -> Void) async throws
}

extension TextToSpeech {
    /// Reports that the voice is ready at once: for engines that load nothing, or load it again for each text.
    public func prepare(_ report: @Sendable (EnginePreparation) -> Void) async throws { report(.ready) }

    /// A whole text as one clip.
    ///
    /// - Returns: Raw samples; `nil` where there was nothing to say.
    /// - Throws: What ``synthesize(_:_:)`` throws; an engine limits how much audio that can be.
    public func clip(of text: String) async throws -> AudioClip? {
        let spoken = Mutex<(bytes: [UInt8], format: AudioFormat)?>(nil)
        try await synthesize(text) { frames, format in
            spoken.withLock { $0 = (($0?.bytes ?? []) + frames, format) }
        }
        return spoken.withLock { $0 }.map { AudioClip($0.bytes, encoding: .pcm($0.format)) }
    }

    /// Plays a text while it is made, and returns when its last sound was played.
    ///
    /// - Parameters:
    ///   - text: What to say, as prose.
    ///   - sink: Started with the first frames; not at all where there is nothing to say. On an error, and on
    ///     cancellation, what is queued in it is dropped.
    /// - Throws: What ``synthesize(_:_:)`` and the sink throw.
    public func speak(_ text: String, on sink: any AudioSink) async throws {
        let isStarted = Mutex(false)
        do {
            try await withTaskCancellationHandler {
                try await synthesize(text) { frames, format in
                    if !isStarted.withLock({ $0 }) {
                        isStarted.withLock { $0 = true }
                        try await sink.start(format)
                    }
                    try await sink.write(frames)
                }
                if isStarted.withLock({ $0 }) { try await sink.finish() }
            } onCancel: {
                // What waits for a full device is not waited for.
                Task { await sink.cancel() }
            }
        } catch {
            if isStarted.withLock({ $0 }) { await sink.cancel() }
            throw Task.isCancelled ? CancellationError() : error
        }
    }
}

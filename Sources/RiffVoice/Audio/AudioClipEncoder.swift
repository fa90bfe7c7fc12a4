// Riff
// SPDX-License-Identifier: Apache-2.0

/// A seam: packs a clip into a file of another kind, such as a smaller one for a slow network.
///
/// To the implementer: a clip that is packed already comes back as it is. Encoding may take its time; do it off the
/// caller's actor.
public protocol AudioClipEncoder: Sendable {
    /// Packs a clip.
    ///
    /// - Parameter clip: Raw samples or a file.
    /// - Returns: The same audio.
    /// - Throws: A ``RiffError`` where the clip cannot be read, or not be held by such a file; `CancellationError`.
    func encode(_ clip: AudioClip) async throws -> AudioClip
}

/// Packs raw samples and WAV files as FLAC, without loss to 16-bit audio: speech to 50 or 60 % of its size.
///
/// Samples that are not 16-bit are made so, and more than two channels become one.
public struct FLACClipEncoder: AudioClipEncoder {
    /// Creates an encoder.
    public init() {}

    /// Packs a clip; AAC, FLAC and MP3 come back as they are.
    ///
    /// - Throws: ``CoreError`` as ``AudioClip/samples(as:)`` and ``FLACEncoder/file(_:format:)`` throw.
    @concurrent
    public func encode(_ clip: AudioClip) async throws -> AudioClip {
        let own: AudioFormat
        switch clip.encoding {
        case .m4a, .flac, .mp3: return clip
        case .pcm(let format): own = format
        case .wav: own = try WAVReader.read(clip.bytes).format
        }
        let format = AudioFormat(sampleRate: own.sampleRate, channels: own.channels > 2 ? 1 : own.channels)
        return AudioClip(try FLACEncoder.file(try clip.samples(as: format), format: format), encoding: .flac)
    }
}

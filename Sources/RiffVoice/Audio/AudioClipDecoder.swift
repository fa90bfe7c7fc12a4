// Riff
// SPDX-License-Identifier: Apache-2.0

/// A seam: unpacks a clip into raw samples, such as by the platform's own decoders.
///
/// To the implementer: decoding may take its time; do it off the caller's actor.
public protocol AudioClipDecoder: Sendable {
    /// Unpacks a clip.
    ///
    /// - Returns: The same audio as raw samples, or as WAV.
    /// - Throws: A ``RiffError`` where it cannot be read; `CancellationError`.
    func decode(_ clip: AudioClip) async throws -> AudioClip
}

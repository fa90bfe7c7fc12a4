// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A seam: reports, frame by frame, the probability of speech.
///
/// To the implementer: a value that holds all of its state, without clock or I/O; the probabilities depend on the
/// samples alone, never on how they are cut into calls. Samples are mono, 16,000 a second, nominally -1 to 1; one that
/// is not finite counts as 0 and a huge one is cut, so that a broken one cannot stay in the state.
public protocol VoiceDetecting: Sendable {
    /// Samples that one probability is for, at 16 kHz.
    var frameSamples: Int { get }

    /// Takes the next samples.
    ///
    /// - Parameter samples: Any number of them, also none.
    /// - Returns: One probability, 0 to 1, for each frame that these samples complete, in order.
    mutating func process(_ samples: [Float]) -> [Float]

    /// Ends the audio: the rest that fills no frame is completed with silence. The next samples begin new audio.
    ///
    /// - Returns: The probability of that last frame; `nil` where no samples were left.
    mutating func finish() -> Float?

    /// Forgets everything heard.
    mutating func reset()
}

extension VoiceDetecting {
    /// Takes the next frames of an audio source.
    ///
    /// - Parameter frames: Whole samples of the format `AudioFormat.speech`: 16 bits, 16 kHz, mono.
    /// - Returns: What ``process(_:)`` returns.
    public mutating func process(speech frames: [UInt8]) -> [Float] {
        process(
            (0..<(frames.count / 2)).map { Float(frames.littleEndian(Int16.self, at: $0 * 2)) / 32_768 }
        )
    }
}

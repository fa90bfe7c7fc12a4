// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffVoice

/// A detector that tells given probabilities, frame by frame, whatever it hears; silence when they are used up.
public struct ScriptedVoiceDetector: VoiceDetecting {
    /// Samples that one probability is for.
    public let frameSamples: Int

    private let script: [Float]
    private var frames = 0
    private var rest = 0

    /// A detector with this script.
    ///
    /// - Parameters:
    ///   - script: The probability of each frame; a reset begins it again.
    ///   - frameSamples: Samples of one frame, at least 1; 10 ms unless said otherwise.
    public init(_ script: [Float], frameSamples: Int = 160) {
        precondition(frameSamples > 0, "A frame has at least one sample.")
        self.script = script
        self.frameSamples = frameSamples
    }

    /// Tells the frames that these samples complete.
    public mutating func process(_ samples: [Float]) -> [Float] {
        rest += samples.count
        var told: [Float] = []
        while rest >= frameSamples {
            told.append(next())
            rest -= frameSamples
        }
        return told
    }

    /// Tells the frame that was begun, and begins the script again.
    public mutating func finish() -> Float? {
        defer { reset() }
        return rest > 0 ? next() : nil
    }

    /// Begins the script again.
    public mutating func reset() { (frames, rest) = (0, 0) }

    private mutating func next() -> Float {
        frames += 1
        return frames <= script.count ? script[frames - 1] : 0
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

// sample: samples: [Float]
/// Tells speech by the Silero network: the detector to take. A probability is for 32 ms, and known when they are over.
///
/// ```swift
/// var detector = try NeuralVoiceDetector()
/// let probabilities = detector.process(samples)
/// ```
public struct NeuralVoiceDetector: VoiceDetecting {
    /// The network's memory, as of the last whole frame; may be taken out and put into another detector.
    package var state = SileroState()

    private let network: SileroNetwork
    private var workspace = SileroWorkspace()
    private var frame = SampleFrame(count: SileroNetwork.frameSamples)

    /// A detector with the weights that came with the package.
    ///
    /// - Throws: ``VoiceError`` with `voiceWeightsUnusable`; ``EnergyVoiceDetector`` needs none.
    public init() throws(VoiceError) { self.init(SileroNetwork(try SileroWeights())) }

    /// A detector of a network that others use too.
    package init(_ network: SileroNetwork) { self.network = network }

    /// The number of samples in a frame, 512.
    public var frameSamples: Int { SileroNetwork.frameSamples }

    /// Takes the next samples, as ``VoiceDetecting`` says.
    public mutating func process(_ samples: [Float]) -> [Float] {
        var probabilities: [Float] = []
        frame.fill(with: samples) { frame in
            probabilities.append(network.probability(of: frame, state: &state, workspace: &workspace))
        }
        return probabilities
    }

    /// Ends the audio, as ``VoiceDetecting`` says.
    public mutating func finish() -> Float? {
        var probability: Float?
        frame.flush { probability = network.probability(of: $0, state: &state, workspace: &workspace) }
        reset()
        return probability
    }

    /// Forgets everything heard.
    public mutating func reset() {
        state = SileroState()
        frame.clear()
    }
}

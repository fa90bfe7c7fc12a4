// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffVoice
import TestSupport
import Testing

@Suite struct SileroNetworkTests {
    /// What the authors' network, run once by onnxruntime, says of each recording.
    private struct Reference {
        let clip: String
        let probabilities: [Float]

        static func all() throws -> [Reference] {
            let path = Fixture.path("voice-activity/silero_probabilities.tsv")
            return try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8).split(separator: "\n").map {
                line in
                let fields = line.split(separator: "\t")
                return Reference(
                    clip: String(fields[0]),
                    probabilities: fields[1].split(separator: " ").compactMap { Float($0) }
                )
            }
        }
    }

    @Test func `the probabilities are those of the reference`() throws {
        let network = SileroNetwork(try SileroWeights())
        let references = try Reference.all()
        #expect(references.count == 11)
        for reference in references {
            var detector = NeuralVoiceDetector(network)
            var probabilities = detector.process(try LabelledAudio.samples(of: reference.clip))
            if let last = detector.finish() { probabilities.append(last) }
            try #require(probabilities.count == reference.probabilities.count, "\(reference.clip)")
            let differences = zip(probabilities, reference.probabilities).map { abs($0 - $1) }
            #expect(try #require(differences.max()) < 0.0001, "\(reference.clip)")
        }
    }

    @Test func `the state alone is the memory`() throws {
        let network = SileroNetwork(try SileroWeights())
        let samples = try LabelledAudio.samples(of: "cards_001")
        let frames = stride(from: 0, to: samples.count - 512, by: 512).map { Array(samples[$0..<($0 + 512)]) }
        var (one, other) = (SileroState(), SileroState())
        var first: [Float] = []
        for frame in frames { first.append(network.probability(of: frame, state: &one)) }
        // A second stream on the same network, and one that goes on from a copy.
        for (index, frame) in frames.enumerated() {
            var copy = other
            #expect(network.probability(of: frame, state: &copy) == first[index])
            #expect(network.probability(of: frame, state: &other) == first[index])
            #expect(copy == other)
        }
        #expect(one == other)
        #expect(one != SileroState())
    }

    @Test func `a short frame is completed with silence, a long one cut, and what is no number is silence`() throws {
        let network = SileroNetwork(try SileroWeights())
        let frame = try Array(LabelledAudio.samples(of: "jfk")[8_000..<8_512])
        func probability(_ frame: [Float]) -> Float {
            var state = SileroState()
            return network.probability(of: frame, state: &state)
        }
        let short = Array(frame.prefix(300))
        #expect(probability(short) == probability(short + Array(repeating: 0, count: 212)))
        #expect(probability(frame + [1, 1, 1]) == probability(frame))
        let broken: [Float] = [.nan, .infinity, -.infinity]
        #expect(probability(broken + frame[3...]) == probability([0, 0, 0] + frame[3...]))
    }

    @Test(arguments: [0, 4, SileroWeights.count * 4 - 1, SileroWeights.count * 4 + 4])
    func `weights of another size are refused`(count: Int) {
        let error = #expect(throws: VoiceError.self) { try SileroWeights(Array(repeating: 0, count: count)) }
        #expect(error?.code == .voiceWeightsUnusable)
    }

    @Test func `weights that are no numbers are refused`() throws {
        var bytes = [UInt8](repeating: 0, count: SileroWeights.count * 4)
        #expect(throws: Never.self) { try SileroWeights(bytes) }
        bytes.replaceSubrange(4_000..<4_004, with: [0, 0, 0xC0, 0x7F])
        let error = #expect(throws: VoiceError.self) { try SileroWeights(bytes) }
        #expect(error?.code == .voiceWeightsUnusable)
    }
}

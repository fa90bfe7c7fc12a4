// Riff
// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import RiffVoice

extension Conformance {
    /// How probable it is, moment by moment, that somebody speaks.
    struct VoiceActivity: ParsableCommand {
        enum Engine: String, CaseIterable, ExpressibleByArgument {
            case neural, energy
        }

        static let configuration = CommandConfiguration(
            commandName: "vad",
            abstract: "Prints a probability (0 to 1) that somebody speaks, one line for each 10 ms of a WAV file."
        )

        @Argument(help: "A WAV file of any rate.") var file: String
        @Option(help: "What tells speech.") var engine = Engine.neural

        func run() throws {
            let clip = AudioClip([UInt8](try Data(contentsOf: URL(fileURLWithPath: file))), encoding: .wav)
            let samples = try clip.floats()
            let lines =
                switch engine {
                case .neural: Self.lines(samples, try NeuralVoiceDetector())
                case .energy: Self.lines(samples, EnergyVoiceDetector())
                }
            try FileHandle.standardOutput.write(contentsOf: Data(lines.utf8))
        }

        /// A detector's frame may be longer than 10 ms: a line has the frame in which its middle lies.
        private static func lines(_ samples: [Float], _ detector: some VoiceDetecting) -> String {
            var detector = detector
            let whole = detector.process(samples)
            let probabilities = whole + [detector.finish()].compactMap(\.self)
            return stride(from: 0, to: samples.count, by: 160).map { start in
                let frame = min((start + 80) / detector.frameSamples, probabilities.count - 1)
                return String(format: "%.6f\n", probabilities[frame])
            }.joined()
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffVoice
import Testing
import VoiceTestSupport

/// What every detector keeps to.
@Suite struct VoiceDetectorTests {
    enum Engine: CaseIterable, Sendable {
        case neural, energy

        func make() throws -> any VoiceDetecting {
            switch self {
            case .neural: try NeuralVoiceDetector()
            case .energy: EnergyVoiceDetector()
            }
        }
    }

    @Test(arguments: Engine.allCases) func `the rules of the seam are kept`(engine: Engine) throws {
        let samples = try Array(LabelledAudio.samples(of: "cards_003").prefix(9_000))
        try VoiceDetectorConformance(hearing: samples) { try engine.make() }.runAll()
    }

    @Test func `a script keeps the rules of the seam, too`() throws {
        let script = (0..<80).map { Float($0 % 7) / 7 }
        let samples = [Float](repeating: 0.1, count: 9_000)
        try VoiceDetectorConformance(hearing: samples) { ScriptedVoiceDetector(script) }.runAll()
        var detector = ScriptedVoiceDetector([0.2, 0.9], frameSamples: 2)
        #expect(detector.process([0, 0, 0, 0, 0]) == [0.2, 0.9])
        #expect(detector.finish() == 0)
    }

    @Test(arguments: Engine.allCases)
    func `frames of a microphone are the same as numbers`(engine: Engine) throws {
        let clip = try Speech.file("cards_001")
        var (one, other) = (try engine.make(), try engine.make())
        #expect(one.process(speech: try clip.samples()) == other.process(try clip.floats()))
    }

    @Test(arguments: Engine.allCases)
    func `silence is no speech`(engine: Engine) throws {
        var detector = try engine.make()
        #expect(detector.process(Array(repeating: 0, count: 16_000)).allSatisfy { $0 < 0.1 })
    }

    @Test(arguments: Engine.allCases)
    func `broken samples hide no speech that follows`(engine: Engine) throws {
        var detector = try engine.make()
        _ = detector.process(Array(repeating: .greatestFiniteMagnitude, count: 3_200))
        let samples = try LabelledAudio.samples(of: "austen_0880")
        #expect(detector.process(samples + samples).contains { $0 > 0.5 })
    }

    @Test func `speech is cut out of a recording`() throws {
        var activity = try VoiceActivityDetector(
            NeuralVoiceDetector(),
            SpeechSegmentation(minSilenceDuration: .milliseconds(150))
        )
        let samples = try LabelledAudio.samples(of: "LJ050-0131")
        var events: [SpeechEvent] = []
        for start in stride(from: 0, to: samples.count, by: 320) {
            events += activity.process(Array(samples[start..<min(start + 320, samples.count)]))
        }
        events += activity.finish()
        // As labelled by ear and by eye; the pauses are of 380, 340 and 620 ms.
        let expected = [(0.01, 1.84), (2.22, 4.08), (4.42, 5.92), (6.54, 7.55)]
        try #require(events.count == 2 * expected.count, "\(events)")
        for (index, (start, end)) in expected.enumerated() {
            guard case .started(let first) = events[2 * index], case .ended(let last) = events[2 * index + 1] else {
                Issue.record("\(events)")
                return
            }
            // Padded by 100 ms, told for 32 ms at a time.
            #expect(abs(Double(first) / 16_000 - max(0, start - 0.1)) < 0.15)
            #expect(abs(Double(last) / 16_000 - min(Double(samples.count) / 16_000, end + 0.1)) < 0.2)
        }
    }

    @Test func `a segmentation that cannot be is refused before any audio`() throws {
        let error = #expect(throws: VoiceError.self) {
            try VoiceActivityDetector(EnergyVoiceDetector(), SpeechSegmentation(threshold: 2))
        }
        #expect(error?.code == .invalidSegmentation)
    }
}

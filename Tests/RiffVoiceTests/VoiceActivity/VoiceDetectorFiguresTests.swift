// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffVoice
import Testing

/// The bars of voice activity detection, on recorded speech under sounds made from a seed.
@Suite struct VoiceDetectorFiguresTests {
    private static let set = Result { LabelledAudio.set(try LabelledAudio.Recordings(), seed: 1_000) }

    private struct Table {
        var conditions: [String: DetectionFigures] = [:]
        var sounds: [String: DetectionFigures] = [:]
        var all = DetectionFigures()
        var text = ""

        init(_ name: String, _ makeDetector: () -> some VoiceDetecting) throws {
            text = name + "\n"
            for (condition, recordings) in try VoiceDetectorFiguresTests.set.get() {
                var figures = DetectionFigures()
                for audio in recordings {
                    var detector = makeDetector()
                    var probabilities = detector.process(audio.samples)
                    if let last = detector.finish() { probabilities.append(last) }
                    var one = DetectionFigures()
                    one.add(audio, probabilities: probabilities, frameSamples: detector.frameSamples)
                    figures.add(audio, probabilities: probabilities, frameSamples: detector.frameSamples)
                    all.add(audio, probabilities: probabilities, frameSamples: detector.frameSamples)
                    sounds[audio.name] = one
                    text += one.row("  " + audio.name) + "\n"
                }
                conditions[condition] = figures
                text += figures.row(condition) + "\n"
            }
            text += all.row("all") + "\n"
            print(text)
        }
    }

    @Test func `the network tells speech from noise`() throws {
        let network = SileroNetwork(try SileroWeights())
        let table = try Table("neural") { NeuralVoiceDetector(network) }
        let bars = ["clean": 0.95, "20 dB": 0.95, "10 dB": 0.93, "0 dB": 0.88]
        for (condition, bar) in bars { #expect(try #require(table.conditions[condition]).f1 >= bar, "\(condition)") }
        #expect(try #require(table.conditions["no speech"]).falseRate <= 0.02)
        #expect(table.all.bargeInsPerMinute <= 0.5)
        #expect(table.all.onset(0.9) <= 160)
        #expect(table.all.offset(0.9) <= 160)
    }

    @Test func `the fallback tells speech from most noise`() throws {
        let table = try Table("energy") { EnergyVoiceDetector() }
        #expect(table.all.precision >= 0.75)
        #expect(table.all.recall >= 0.92)
        #expect(table.all.bargeInsPerMinute <= 5)
        #expect(try #require(table.conditions["no speech"]).falseRate <= 0.2)
        for sound in ["keyboard", "knocks", "tones"] {
            #expect(try #require(table.sounds[sound]).falseRate <= 0.1, "\(sound)")
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffVoice
import Testing
import VoiceTestSupport

struct BandSpectrumTests {
    static func tone(_ frequency: Double, _ decibels: Double, seconds: Double, rate: Int = 16_000) -> [Float] {
        (0..<Int(seconds * Double(rate))).map {
            Float(pow(10, decibels / 20) * sin(2 * .pi * frequency * Double($0) / Double(rate)))
        }
    }

    /// Shows what it measures, so that heights can be compared with levels.
    static let still = BandSpectrum.Scale(levels: -80...0, attack: .zero, release: .zero)

    @Test(arguments: [8_000, 16_000, 44_100, 48_000], [0.0, -20, -50])
    func `a tone in the middle of a band is as high as it is loud, and bars further off are low`(
        rate: Int,
        decibels: Double
    ) throws {
        let bars = 10
        var scale = Self.still
        scale.frequencies = 100...3_900
        var spectrum = try BandSpectrum(bars: bars, sampleRate: rate, scale: scale)
        for bar in 4..<bars {
            let middle = 100 * pow(39, (Double(bar) + 0.5) / Double(bars))
            let heights = try #require(spectrum.process(Self.tone(middle, decibels, seconds: 0.2, rate: rate)).last)
            let level = Double(heights[bar]) * 80 - 80
            #expect(abs(level - (decibels - 3.01)) < 1, "\(middle) Hz")
            for other in heights.indices where abs(other - bar) > 1 { #expect(heights[other] < heights[bar] - 0.25) }
        }
    }

    @Test(arguments: [1, 319, 320, 321, 5_000])
    func `however the samples are cut, the pictures are the same`(size: Int) throws {
        let samples = Self.tone(300, -10, seconds: 0.2) + Self.tone(2_000, -30, seconds: 0.21)
        var whole = try BandSpectrum()
        let expected = whole.process(samples)
        #expect(expected.count == 20)
        var cut = try BandSpectrum()
        let pictures = stride(from: 0, to: samples.count, by: size).flatMap {
            cut.process(Array(samples[$0..<min($0 + size, samples.count)]))
        }
        #expect(pictures == expected)
    }

    @Test func `bars rise faster than they fall, and lie between 0 and 1`() throws {
        var spectrum = try BandSpectrum(bars: 1)
        let loud = spectrum.process(Self.tone(1_000, 0, seconds: 0.5)).map { $0[0] }
        let quiet = spectrum.process([Float](repeating: 0, count: 16_000)).map { $0[0] }
        let half = try #require(loud.firstIndex { $0 > 0.5 })
        let back = try #require(quiet.firstIndex { $0 < 0.5 })
        #expect(half < back)
        #expect(loud.allSatisfy { (0...1).contains($0) } && loud.last ?? 0 > 0.99)
        #expect(quiet.last ?? 1 < 0.01)
    }

    @Test func `speech moves the bars, silence and what is no number do not`() throws {
        var spectrum = try BandSpectrum()
        let pictures = spectrum.process(speech: try Speech.file("austen_0880").samples())
        #expect((0..<12).allSatisfy { bar in pictures.contains { $0[bar] > 0.3 } })
        var deaf = try BandSpectrum()
        for broken in [0, Float.nan, .infinity] {
            let flat = deaf.process([Float](repeating: broken, count: 3_200))
            #expect(flat.allSatisfy { $0.allSatisfy { $0 == 0 } })
        }
    }

    @Test(arguments: [(0, 16_000, 80.0, 7_000.0), (12, 16_000, 80, 9_000), (12, 100, 1, 40), (12, 16_000, 500, 500)])
    func `what cannot be drawn is refused`(bars: Int, rate: Int, low: Double, high: Double) {
        let error = #expect(throws: VoiceError.self) {
            try BandSpectrum(bars: bars, sampleRate: rate, scale: BandSpectrum.Scale(frequencies: low...high))
        }
        #expect(error?.code == .invalidSpectrum)
    }

    @Test func `all bars breathe together, every 0.9 seconds`() {
        let heights = BreathingBars.heights(count: 5, at: .zero)
        #expect(heights == [1, 1, 1, 1, 1])
        let dark = BreathingBars.heights(count: 5, at: .milliseconds(450))
        #expect(dark.allSatisfy { abs($0 - 0.4) < 1e-5 })
        let again = BreathingBars.heights(count: 1, at: .milliseconds(9_000 + 225))
        #expect(abs(again[0] - 0.7) < 1e-3)
        #expect(BreathingBars.heights(count: -1, at: .zero).isEmpty)
        #expect(BreathingBars.heights(count: 1, at: .seconds(1), period: .zero) == [1])
    }
}

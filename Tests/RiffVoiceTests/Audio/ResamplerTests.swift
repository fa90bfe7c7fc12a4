// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffVoice
import Testing

/// A change of rate, and the highest frequency that both rates carry.
struct RateChange: Sendable, CustomTestStringConvertible {
    let from: Int
    let to: Int
    var testDescription: String { "\(from) -> \(to)" }
    var band: Double { Double(min(from, to)) / 2 }

    /// What a person's devices and the services have, up and down.
    static let common = [
        (48_000, 16_000), (44_100, 16_000), (24_000, 16_000), (22_050, 16_000), (8_000, 16_000), (16_000, 24_000),
        (16_000, 48_000), (24_000, 48_000), (44_100, 48_000), (48_000, 44_100),
    ].map { RateChange(from: $0.0, to: $0.1) }
}

struct ResamplerTests {
    /// Half full scale is -6 dBFS, so this is -1 dBFS.
    static let amplitude = pow(10, -1.0 / 20)

    static func sine(_ frequency: Double, rate: Int, frames: Int, phase: Double = 0.3) -> [Float] {
        (0..<frames).map { Float(amplitude * sin(2 * .pi * frequency * Double($0) / Double(rate) + phase)) }
    }

    static func bytes(_ samples: [Float]) -> [UInt8] {
        samples.map(\.bitPattern.littleEndian).withUnsafeBytes { Array($0) }
    }

    static func floats(_ bytes: [UInt8]) -> [Float] {
        bytes.withUnsafeBytes { bytes in
            bytes.bindMemory(to: UInt32.self).map { Float(bitPattern: UInt32(littleEndian: $0)) }
        }
    }

    static func format(_ rate: Int, channels: Int = 1) -> AudioFormat {
        AudioFormat(sampleRate: rate, channels: channels, sample: .float32)
    }

    static func convert(_ samples: [Float], _ change: RateChange) throws -> [Float] {
        var converter = try PCMConverter(from: PCMConverter.Layout(format(change.from)), to: format(change.to))
        return floats(converter.convert(bytes(samples)) + converter.finish())
    }

    /// How far what is not the wanted signal lies below it, in dB, away from the ends where there is silence before and
    /// after. Gain and phase count as faults too: the wanted signal is the exact one, not a fitted one.
    static func ratio(_ actual: [Float], _ expected: [Float]) -> Double {
        let margin = min(actual.count, expected.count) / 4
        var (signal, noise) = (0.0, 0.0)
        for index in margin..<(min(actual.count, expected.count) - margin) {
            signal += pow(Double(expected[index]), 2)
            noise += pow(Double(actual[index]) - Double(expected[index]), 2)
        }
        return 10 * log10(signal / noise)
    }

    @Test(arguments: RateChange.common)
    func `a sine of -1 dBFS keeps 90 dB over what a change of rate adds, over the whole pass band`(
        change: RateChange
    ) throws {
        for share in [0.01, 0.1, 0.25, 0.5, 0.75, 0.88] {
            let frequency = share * change.band
            let output = try Self.convert(Self.sine(frequency, rate: change.from, frames: change.from / 16), change)
            let expected = Self.sine(frequency, rate: change.to, frames: output.count)
            let ratio = Self.ratio(output, expected)
            #expect(ratio >= 90, "\(frequency) Hz: \(ratio) dB")
        }
    }

    @Test(arguments: RateChange.common.filter { $0.from > $0.to })
    func `nothing above the new band comes through, from its very edge on`(change: RateChange) throws {
        for share in [1.0, 1.02, 1.1, 1.3, 1.49, 1.9] where share * change.band <= Double(change.from) / 2 {
            let output = try Self.convert(
                Self.sine(share * change.band, rate: change.from, frames: change.from / 16),
                change
            )
            let middle = output[(output.count / 4)..<(output.count * 3 / 4)]
            let level = AudioLevel(of: Self.bytes(Array(middle)), format: Self.format(change.to))
            #expect(level.peak <= -81, "\(share * change.band) Hz: \(level.peak) dBFS")
        }
    }

    @Test func `going up makes no images of the band above it`() throws {
        let change = RateChange(from: 16_000, to: 48_000)
        let tone = Self.sine(5_000, rate: 16_000, frames: 4_800)
        let up = try Self.convert(tone, change)
        // The first images of 5 kHz lie at 11 and 21 kHz: what is correlated with them must be 80 dB down.
        for image in [11_000.0, 21_000] {
            var (sine, cosine) = (0.0, 0.0)
            for index in 4_800..<9_600 {
                let angle = 2 * Double.pi * image * Double(index) / 48_000
                sine += Double(up[index]) * sin(angle)
                cosine += Double(up[index]) * cos(angle)
            }
            let amplitude = 2 * (sine * sine + cosine * cosine).squareRoot() / 4_800
            #expect(20 * log10(amplitude / Self.amplitude) <= -80)
        }
    }

    @Test(arguments: RateChange.common)
    func `n samples become n x to / from, rounded up`(change: RateChange) throws {
        for frames in [0, 1, 2, 3, 100, 479, 480, 481, 4_411] {
            let output = try Self.convert([Float](repeating: 0.25, count: frames), change)
            #expect(output.count == (frames * change.to + change.from - 1) / change.from)
        }
    }

    @Test(arguments: [1, 5, 37, 1_920, 4_001])
    func `stereo of 16 bits comes out the same however it is cut`(cut: Int) throws {
        let left = Self.sine(440, rate: 48_000, frames: 2_400)
        let right = Self.sine(1_000, rate: 48_000, frames: 2_400)
        var input: [UInt8] = []
        for (left, right) in zip(left, right) {
            for value in [left, right] { input.appendLittleEndian(Int16(value * 32_767)) }
        }
        let stereo = AudioFormat(sampleRate: 48_000, channels: 2)
        let output = AudioFormat(sampleRate: 16_000, channels: 2)
        var whole = try PCMConverter(from: PCMConverter.Layout(stereo), to: output)
        let expected = whole.convert(input) + whole.finish()
        #expect(expected.count == 800 * 4)
        var converter = try PCMConverter(from: PCMConverter.Layout(stereo), to: output)
        var result: [UInt8] = []
        for start in stride(from: 0, to: input.count, by: cut) {
            result += converter.convert(input[start..<min(start + cut, input.count)])
        }
        #expect(result + converter.finish() == expected)
    }

    @Test func `each channel keeps its own tone`() throws {
        let tones = [Self.sine(440, rate: 44_100, frames: 4_410), Self.sine(1_000, rate: 44_100, frames: 4_410)]
        let input = zip(tones[0], tones[1]).flatMap { [$0, $1] }
        var converter = try PCMConverter(
            from: PCMConverter.Layout(Self.format(44_100, channels: 2)),
            to: Self.format(16_000, channels: 2)
        )
        let output = Self.floats(converter.convert(Self.bytes(input)) + converter.finish())
        for (channel, frequency) in [440.0, 1_000].enumerated() {
            let samples = stride(from: channel, to: output.count, by: 2).map { output[$0] }
            #expect(Self.ratio(samples, Self.sine(frequency, rate: 16_000, frames: samples.count)) >= 90)
        }
    }

    @Test func `what was given is forgotten`() throws {
        var resampler = try Resampler(from: 44_100, to: 16_000)
        let piece = [Float](repeating: 0.5, count: 441)
        var most = 0
        var given = 0
        for _ in 0..<300 {
            given += resampler.process(piece).count
            most = max(most, resampler.held)
        }
        given += resampler.finish().count
        #expect(given == 48_000)
        #expect(most < 400)
    }
}

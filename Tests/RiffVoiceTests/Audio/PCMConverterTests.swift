// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffVoice
import Testing

struct PCMConverterTests {
    /// A sine as 32-bit floats.
    static func sine(_ frequency: Double, rate: Int, seconds: Double, amplitude: Double = 0.5) -> [UInt8] {
        var bytes: [UInt8] = []
        for index in 0..<Int(Double(rate) * seconds) {
            let value = Float(amplitude * sin(2 * .pi * frequency * Double(index) / Double(rate)))
            bytes.appendLittleEndian(value.bitPattern)
        }
        return bytes
    }

    static func convert(_ bytes: [UInt8], from rate: Int, to output: AudioFormat, cut: Int? = nil) throws -> [UInt8] {
        let input = PCMConverter.Layout(sampleRate: rate, channels: 1, sample: .float32)
        var converter = try PCMConverter(from: input, to: output)
        var result: [UInt8] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            result += converter.convert(rest.prefix(cut ?? rest.count))
            rest = rest.dropFirst(cut ?? rest.count)
        }
        return result + converter.finish()
    }

    static let speechFloat = AudioFormat(sampleRate: 16_000, sample: .float32)

    @Test(arguments: [8_000, 11_025, 22_050, 24_000, 32_000, 44_100, 48_000], [300.0, 1_000, 3_000])
    func `a tone keeps its time, frequency and level through a change of rate`(rate: Int, frequency: Double) throws {
        let input = Self.sine(frequency, rate: rate, seconds: 0.25)
        let output = try Self.convert(input, from: rate, to: Self.speechFloat)
        let expected = Self.sine(frequency, rate: 16_000, seconds: 0.25)
        #expect(abs(output.count - expected.count) <= 4)
        // Away from the ends, where the filter sees the silence before and after, the sine must be the same sine.
        var worst: Float = 0
        for index in 800..<3_200 {
            let value = Float(bitPattern: output.littleEndian(UInt32.self, at: index * 4))
            worst = max(worst, abs(value - Float(bitPattern: expected.littleEndian(UInt32.self, at: index * 4))))
        }
        #expect(worst < 0.001)
    }

    @Test func `a tone above the new half rate disappears instead of folding back`() throws {
        let output = try Self.convert(
            Self.sine(12_000, rate: 48_000, seconds: 0.25),
            from: 48_000,
            to: Self.speechFloat
        )
        let middle = Array(output[3_200..<12_800])
        #expect(AudioLevel(of: middle, format: Self.speechFloat).rms < -70)
    }

    @Test(arguments: [1, 3, 7, 4_096])
    func `cutting the input changes nothing`(cut: Int) throws {
        let input = Self.sine(440, rate: 44_100, seconds: 0.05)
        let whole = try Self.convert(input, from: 44_100, to: .speech)
        #expect(try Self.convert(input, from: 44_100, to: .speech, cut: cut) == whole)
        #expect(whole.count == 800 * 2)
    }

    @Test func `every 16-bit value survives the way through floats`() throws {
        var samples: [UInt8] = []
        for value in Int16.min...Int16.max { samples.appendLittleEndian(value) }
        let float = try Self.pass(samples, from: .speech, to: Self.speechFloat)
        #expect(try Self.pass(float, from: Self.speechFloat, to: .speech) == samples)
    }

    static func pass(_ bytes: [UInt8], from input: AudioFormat, to output: AudioFormat) throws -> [UInt8] {
        var converter = try PCMConverter(from: PCMConverter.Layout(input), to: output)
        return converter.convert(bytes) + converter.finish()
    }

    @Test func `too loud is clipped, and what is no number is silence`() throws {
        var bytes: [UInt8] = []
        for value in [Float(2), -2, .nan, .infinity] { bytes.appendLittleEndian(value.bitPattern) }
        let output = try Self.pass(bytes, from: Self.speechFloat, to: .speech)
        #expect(output == [0xFF, 0x7F, 0x00, 0x80, 0, 0, 0, 0])
    }

    @Test func `mono becomes stereo, but stereo never four channels`() throws {
        let stereo = AudioFormat(sampleRate: 16_000, channels: 2)
        #expect(try Self.pass([1, 2, 3, 4], from: .speech, to: stereo) == [1, 2, 1, 2, 3, 4, 3, 4])
        let error = #expect(throws: CoreError.self) {
            try PCMConverter(from: PCMConverter.Layout(stereo), to: AudioFormat(sampleRate: 16_000, channels: 4))
        }
        #expect(error?.code == .audioUnsupported)
    }

    @Test(arguments: [44_101, 15_999, 999_984, Int(Int32.max)])
    func `an odd rate is refused`(rate: Int) {
        let error = #expect(throws: CoreError.self) {
            try PCMConverter(from: PCMConverter.Layout(sampleRate: rate, channels: 1, sample: .int16), to: .speech)
        }
        #expect(error?.code == .audioUnsupported)
    }

    @Test(arguments: [0.0, -6, -20, -42])
    func `the level of a sine is its known level`(decibels: Double) throws {
        let amplitude = pow(10, decibels / 20)
        let tone = Self.sine(1_000, rate: 16_000, seconds: 0.1, amplitude: amplitude)
        let bytes = try Self.pass(tone, from: Self.speechFloat, to: .speech)
        let level = AudioLevel(of: bytes, format: .speech)
        #expect(abs(level.peak - decibels) < 0.05)
        #expect(abs(level.rms - (decibels - 3.01)) < 0.05)
    }

    @Test func `silence and nothing are the floor`() {
        #expect(AudioLevel(of: [0, 0, 0, 0], format: .speech) == .silence)
        #expect(AudioLevel(of: [], format: .speech) == .silence)
    }

    @Test func `a clip knows its length and becomes a file`() throws {
        let clip = AudioClip([UInt8](repeating: 0, count: 32_000), encoding: .pcm(.speech))
        #expect(try clip.duration() == .seconds(1))
        let file = try clip.asFile()
        #expect(file.encoding == .wav)
        #expect(try file.duration() == .seconds(1))
        #expect(try file.samples() == clip.bytes)
        #expect(throws: CoreError.self) { try AudioClip([0], encoding: .m4a).samples() }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffVoice

extension VoiceBench {
    /// Each change of rate that a microphone or a service asks for, in pieces of 20 ms; the median of nine rounds of
    /// twenty seconds.
    static func measureRates() throws {
        let float = { AudioFormat(sampleRate: $0, sample: .float32) }
        let cases: [(AudioFormat, AudioFormat)] = [
            (float(48_000), float(16_000)),
            (AudioFormat(sampleRate: 48_000, channels: 2), .speech),
            (float(44_100), .speech),
            (float(24_000), .speech),
            (.speech, float(24_000)),
            (.speech, AudioFormat(sampleRate: 48_000, channels: 2)),
        ]
        for (input, output) in cases {
            let piece = hiss(frames: input.sampleRate / 50, format: input)
            let toMake = try (0..<9).map { _ in
                try seconds { _ = try PCMConverter(from: PCMConverter.Layout(input), to: output) }
            }.sorted()
            var converter = try PCMConverter(from: PCMConverter.Layout(input), to: output)
            var bytes = 0
            let rounds = (0..<9).map { _ in
                seconds { for _ in 0..<(20 * 50) { bytes += converter.convert(piece).count } } / 20
            }.sorted()
            precondition(bytes > 0)
            print(
                String(
                    format: "%@ -> %@\t%.5f CPU s a second [%.5f, %.5f]\t%.2f ms to make",
                    name(input),
                    name(output),
                    rounds[4],
                    rounds[2],
                    rounds[6],
                    toMake[4] * 1_000
                )
            )
        }
    }

    /// Twelve bars, fifty times a second.
    static func measureBars() throws {
        let piece = hiss(frames: 320, format: .speech)
        var spectrum = try BandSpectrum()
        var pictures = 0
        let rounds = (0..<9).map { _ in
            seconds { for _ in 0..<(20 * 50) { pictures += spectrum.process(speech: piece).count } } / 20
        }.sorted()
        precondition(pictures == 9_000)
        print(String(format: "12 bars\t%.5f CPU s a second [%.5f, %.5f]", rounds[4], rounds[2], rounds[6]))
    }

    /// Noise, the most that there is to pack.
    static func measureFLAC() throws {
        for format in [AudioFormat.speech, AudioFormat(sampleRate: 48_000, channels: 2)] {
            let piece = hiss(frames: format.sampleRate / 50, format: format)
            var encoder = try FLACEncoder(format: format)
            var bytes = 0
            let rounds = (0..<9).map { _ in
                seconds { for _ in 0..<(20 * 50) { bytes += encoder.encode(piece).count } } / 20
            }.sorted()
            precondition(bytes > 0)
            print(
                String(
                    format: "FLAC %@\t%.5f CPU s a second [%.5f, %.5f]",
                    name(format),
                    rounds[4],
                    rounds[2],
                    rounds[6]
                )
            )
        }
    }

    private static func name(_ format: AudioFormat) -> String {
        "\(format.sampleRate) Hz \(format.channels)x\(format.sample.rawValue)"
    }

    private static func hiss(frames: Int, format: AudioFormat) -> [UInt8] {
        var state: UInt32 = 7
        return (0..<(frames * format.channels)).flatMap { _ -> [UInt8] in
            state = state &* 1_664_525 &+ 1_013_904_223
            let value = Float(Int32(bitPattern: state)) / 4_294_967_296
            switch format.sample {
            case .int16: return withUnsafeBytes(of: Int16(value * 32_767).littleEndian) { Array($0) }
            case .float32: return withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
            }
        }
    }
}

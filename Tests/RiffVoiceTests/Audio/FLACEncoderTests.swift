// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffVoice
import TestSupport
import Testing
import VoiceTestSupport

/// Sounds that reach every way of packing.
enum FLACSound: String, CaseIterable, Sendable {
    case silence, constant, tone, noise, loudest, click, twins, opposites

    /// One value of a channel, at a place.
    func value(_ place: Int, _ channel: Int) -> Int16 {
        let time = Double(place) / 16_000
        let noise = Int16(truncatingIfNeeded: (place &* 1_103_515_245 &+ channel &* 12_345) >> 7)
        switch self {
        case .silence: return 0
        case .constant: return -32_768
        case .tone: return Int16(12_000 * sin(2 * .pi * 440 * time + Double(channel)))
        case .noise: return noise
        case .loudest: return place % 2 == channel % 2 ? 32_767 : -32_768
        case .click: return place == 5_000 ? 32_767 : 0
        case .twins: return Int16(9_000 * sin(2 * .pi * 200 * time)) + noise % 16
        case .opposites: return Int16(9_000 * sin(2 * .pi * 200 * time)) * (channel == 0 ? 1 : -1)
        }
    }

    func samples(_ frames: Int, channels: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for frame in 0..<frames {
            for channel in 0..<channels { bytes.appendLittleEndian(value(frame, channel)) }
        }
        return bytes
    }
}

struct FLACEncoderTests {
    @Test(arguments: [1, 3, 997, 8_192, 100_000])
    func `however the bytes are cut, it is the same stream`(size: Int) throws {
        let format = AudioFormat(sampleRate: 16_000, channels: 2)
        let samples = FLACSound.twins.samples(9_000, channels: 2)
        var whole = try FLACEncoder(format: format)
        let expected = whole.encode(samples) + whole.finish()
        var encoder = try FLACEncoder(format: format)
        var stream: [UInt8] = []
        for start in stride(from: 0, to: samples.count, by: size) {
            stream += encoder.encode(Array(samples[start..<min(start + size, samples.count)]))
        }
        stream += encoder.encode([1])
        #expect(stream + encoder.finish() == expected)
    }

    @Test func `a frame's number is written as UTF-8 is, and goes on beyond it`() {
        for number in [0, 1, 0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0x1_0000, 0x10_FFFF] {
            let expected = Unicode.Scalar(UInt32(number)).map { Array(String(Character($0)).utf8) }
            #expect(FLACEncoder.coded(number) == expected)
        }
        #expect(FLACEncoder.coded(0x1F_FFFF) == [0xF7, 0xBF, 0xBF, 0xBF])
        #expect(FLACEncoder.coded(0x20_0000) == [0xF8, 0x88, 0x80, 0x80, 0x80])
        #expect(FLACEncoder.coded(0x7FFF_FFFF) == [0xFD, 0xBF, 0xBF, 0xBF, 0xBF, 0xBF])
    }

    @Test(arguments: [
        (AudioFormat(sampleRate: 16_000, sample: .float32), CoreError.Code.audioUnsupported),
        (AudioFormat(sampleRate: 16_000, channels: 3), .audioUnsupported),
        (AudioFormat(sampleRate: 0), .audioInvalidFormat), (AudioFormat(sampleRate: 655_351), .audioInvalidFormat),
        (AudioFormat(sampleRate: 16_000, channels: 0), .audioInvalidFormat),
    ])
    func `what FLAC does not hold here is refused`(format: AudioFormat, code: CoreError.Code) {
        let error = #expect(throws: CoreError.self) { try FLACEncoder.file([], format: format) }
        #expect(error?.code == code)
    }
}

extension InTurn {
    /// What is packed here, unpacked by the reference decoder.
    @Suite(.timeLimit(.minutes(5)), .enabled(if: SystemProgram.path("flac") != nil))
    struct FLACDecodingTests {
        static func expectSame(_ samples: [UInt8], _ format: AudioFormat, _ file: [UInt8]) async throws {
            try await AudioFolder.with { folder in
                let path = "\(folder)/it.flac"
                try Data(file).write(to: URL(fileURLWithPath: path))
                let (tested, said) = try await SystemProgram.run("flac", ["-s", "-t", path])
                #expect(tested == 0, "\(said)")
                let raw = ["--force-raw-format", "--endian=little", "--sign=signed"]
                let (status, words) = try await SystemProgram.run(
                    "flac",
                    ["-s", "-d"] + raw + ["-o", "\(folder)/raw", path]
                )
                #expect(status == 0, "\(words)")
                let decoded = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(folder)/raw")))
                let isSame = decoded == samples
                #expect(isSame, "\(decoded.count) bytes instead of \(samples.count)")
            }
        }

        @Test(arguments: FLACSound.allCases, [1, 2])
        func `every sample comes back, and flac finds no fault`(sound: FLACSound, channels: Int) async throws {
            let format = AudioFormat(sampleRate: 16_000, channels: channels)
            for frames in [1, 2, 5, 4_096, 4_097, 10_007] {
                let samples = sound.samples(frames, channels: channels)
                try await Self.expectSame(samples, format, try FLACEncoder.file(samples, format: format))
            }
        }

        @Test(arguments: [
            (AudioFormat(sampleRate: 44_100, channels: 2, sample: .float32), 2),
            (AudioFormat(sampleRate: 48_000, channels: 6), 1), (AudioFormat(sampleRate: 16_000), 1),
        ])
        func `a clip is packed whatever its samples are`(own: AudioFormat, channels: Int) async throws {
            let speech = AudioClip(FLACSound.tone.samples(9_000, channels: 1), encoding: .pcm(.speech))
            let raw = AudioClip(try speech.samples(as: own), encoding: .pcm(own))
            let format = AudioFormat(sampleRate: own.sampleRate, channels: channels)
            for clip in [raw, try raw.asFile()] {
                let packed = try await FLACClipEncoder().encode(clip)
                #expect(packed.encoding == .flac)
                try await Self.expectSame(try clip.samples(as: format), format, packed.bytes)
                #expect(try await FLACClipEncoder().encode(packed) == packed)
            }
        }

        @Test(arguments: [8_000, 11_025, 44_100, 48_000, 655_350])
        func `every rate comes back`(rate: Int) async throws {
            let format = AudioFormat(sampleRate: rate)
            let samples = FLACSound.tone.samples(5_000, channels: 1)
            try await Self.expectSame(samples, format, try FLACEncoder.file(samples, format: format))
        }

        @Test func `a stream of many frames is whole, and its length need not be known`() async throws {
            // More frames than one byte of a frame's number holds.
            let samples = FLACSound.click.samples(4_096 * 130 + 17, channels: 1)
            var encoder = try FLACEncoder(format: .speech)
            let file = encoder.header + encoder.encode(samples) + encoder.finish()
            try await Self.expectSame(samples, .speech, file)
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffVoice
import TestSupport
import Testing
import VoiceTestSupport

extension InTurn {
    /// What a file from elsewhere may become: so many times its size at most, in a time that grows as it does.
    @Suite(.timeLimit(.minutes(5)))
    struct AudioAmplificationTests {
        /// A file of bytes of 8 bits, the fewest that a frame can have.
        private static func wav(_ rate: Int, bytes: Int) -> [UInt8] {
            WAVReaderTests.file([
                WAVReaderTests.chunk("fmt ", WAVReaderTests.format(rate: UInt32(rate), bits: 8)),
                WAVReaderTests.chunk("data", [UInt8](repeating: 130, count: bytes)),
            ])
        }

        @Test(arguments: [1, 3, 100, 999, 3_999, 768_001, 0xFFFF_FFFF])
        func `a rate that is no sound is refused before anything is made of it`(rate: Int) {
            let error = #expect(throws: CoreError.self) {
                try AudioClip(Self.wav(rate, bytes: 50_000), encoding: .wav).samples()
            }
            #expect(error?.code == .audioInvalidFormat)
            let caf = CAFTests.foreign(flags: 2, bits: 8, rate: Double(rate), data: [1, 2])
            #expect(throws: CoreError.self) { try CAFReader.read(caf, as: .speech) }
        }

        @Test func `raw samples of a few hertz are refused, too`() {
            let clip = AudioClip([UInt8](repeating: 1, count: 50_000), encoding: .pcm(AudioFormat(sampleRate: 3)))
            let error = #expect(throws: CoreError.self) { try clip.samples() }
            #expect(error?.code == .audioUnsupported)
        }

        @Test(arguments: [4_000, 8_000, 11_025, 44_100])
        func `a WAV file becomes a fixed number of times its size at most`(rate: Int) throws {
            try Growth.expectLinear(from: 40_000, bound: { $0 * 8 + 4_096 }, { Self.wav(rate, bytes: $0) }) { file in
                try AudioClip(file, encoding: .wav).samples().count
            }
        }

        @Test func `a CAF file becomes a fixed number of times its size at most`() throws {
            try Growth.expectLinear(
                from: 40_000,
                bound: { $0 * 8 + 4_096 },
                { CAFTests.foreign(flags: 2, bits: 8, rate: 4_000, data: [UInt8](repeating: 1, count: $0)) },
                { try CAFReader.read($0, as: .speech).samples.count }
            )
        }

        @Test func `a file of many small chunks costs no more than its bytes`() throws {
            try Growth.expectLinear(
                from: 200_000,
                bound: { _ in 4 },
                { size in
                    let chunks = [[UInt8]](repeating: WAVReaderTests.chunk("junk", []), count: size / 8)
                    return WAVReaderTests.file(
                        [WAVReaderTests.chunk("fmt ", WAVReaderTests.format())] + chunks
                            + [WAVReaderTests.chunk("data", WAVReaderTests.pcm)]
                    )
                },
                { try WAVReader.read($0).samples.count }
            )
        }

        @Test func `more than the limit is refused`() throws {
            let file = Self.wav(8_000, bytes: 50_000)
            #expect(try WAVReader.read(file, as: .speech, limit: 200_000).samples.count == 200_000)
            let error = #expect(throws: CoreError.self) { try WAVReader.read(file, as: .speech, limit: 199_999) }
            #expect(error?.code == .audioTooLarge)
        }

        @Test func `a resampler holds no more than its filter, and makes what its rates say`() throws {
            try Growth.expectLinear(
                from: 20_000,
                bound: { $0 * 4 + 1 },
                { [Float](repeating: 0.25, count: $0) },
                { samples in
                    var resampler = try Resampler(from: 4_000, to: 16_000)
                    var made = 0
                    for start in stride(from: 0, to: samples.count, by: 100) {
                        made += resampler.process(Array(samples[start..<min(start + 100, samples.count)])).count
                        #expect(resampler.held <= 512)
                    }
                    return made + resampler.finish().count
                }
            )
            #expect(throws: CoreError.self) { try Resampler(from: 100, to: 16_000) }
        }

        @Test(arguments: [UInt8(0), 77])
        func `FLAC is never much larger than its samples, in a time that grows as they do`(seed: UInt8) throws {
            try Growth.expectLinear(
                from: 40_000,
                bound: { $0 + $0 / 100 + 200 },
                { size in
                    var value = seed
                    return (0..<size).map { _ in
                        value = value &* 73 &+ seed
                        return value
                    }
                },
                { try FLACEncoder.file($0, format: .speech).count }
            )
        }

        @Test func `a voice detector looks at each sample once`() throws {
            try Growth.expectLinear(
                from: 32_000,
                bound: { $0 / 2 / 100 },
                { [UInt8](repeating: 3, count: $0) },
                { bytes in
                    var detector = EnergyVoiceDetector()
                    var told = 0
                    for start in stride(from: 0, to: bytes.count, by: 640) {
                        told += detector.process(speech: Array(bytes[start..<min(start + 640, bytes.count)])).count
                    }
                    return told
                }
            )
        }

        /// A second of silence is a few bytes of FLAC, so that a small file can be hours of it.
        @Test(
            .enabled(if: SystemProgram.path("ffmpeg") != nil, "ffmpeg is not installed"),
            arguments: [1, 2, 4]
        )
        func `ffmpeg's output is bounded by the size of what it was given`(factor: Int) async throws {
            let silence = [UInt8](repeating: 0, count: 400_000 * factor)
            let clip = AudioClip(try FLACEncoder.file(silence, format: .speech), encoding: .flac)
            let most = FFmpegClipDecoder.mostBytes(of: clip.bytes.count)
            #expect(most < (4 << 20) + 400_000 * factor)
            let wide = AudioFormat(sampleRate: 192_000, channels: 2, sample: .float32)
            let decoder = FFmpegClipDecoder(to: wide)
            let error = await #expect(throws: CoreError.self) { try await decoder.decode(clip) }
            #expect(error?.code == .audioTooLarge)
            let limited = FFmpegClipDecoder(to: .speech, limit: 100_000)
            let other = await #expect(throws: CoreError.self) { try await limited.decode(clip) }
            #expect(other?.code == .audioTooLarge)
        }

        /// What a clip is called decides how it is read, not what its bytes look like.
        @Test(.enabled(if: SystemProgram.path("ffmpeg") != nil, "ffmpeg is not installed"))
        func `a playlist in a clip's place reads no other file`() async throws {
            try await AudioFolder.with { folder in
                let path = "\(folder)/secret.wav"
                try AudioFolder.write(try WAVWriter.file(Speech.tone(.seconds(1)), format: .speech), to: path)
                let lists = [
                    "ffconcat version 1.0\nfile '\(path)'\n",
                    "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1,\nfile://\(path)\n#EXT-X-ENDLIST\n",
                ]
                for list in lists {
                    for encoding in [AudioClip.Encoding.mp3, .m4a, .flac] {
                        await #expect(throws: VoiceError.self) {
                            try await FFmpegClipDecoder().decode(AudioClip(Array(list.utf8), encoding: encoding))
                        }
                    }
                    for name in ["list.ffconcat", "list.m3u8", "list.mp3", "list.wav"] {
                        try AudioFolder.write(Array(list.utf8), to: "\(folder)/\(name)")
                        await #expect(throws: VoiceError.self) {
                            try await AudioCommandTests.read(.ffmpeg(decoding: "\(folder)/\(name)"))
                        }
                    }
                }
            }
        }

        @Test(
            .enabled(if: SystemProgram.path("sox") != nil, "sox is not installed"),
            arguments: ["list.m3u", "list.PLS", "list.pls", "list.M3U"]
        )
        func `sox reads no playlist`(name: String) async throws {
            try await AudioFolder.with { folder in
                let path = "\(folder)/secret.wav"
                try AudioFolder.write(try WAVWriter.file(Speech.tone(.seconds(1)), format: .speech), to: path)
                try AudioFolder.write(Array("[playlist]\nFile1=\(path)\n\(path)\n".utf8), to: "\(folder)/\(name)")
                await #expect(throws: VoiceError.self) {
                    try await AudioCommandTests.read(.sox(decoding: "\(folder)/\(name)"))
                }
            }
        }
    }
}

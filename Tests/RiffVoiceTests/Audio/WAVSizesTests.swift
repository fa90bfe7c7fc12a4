// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffVoice
import TestSupport
import Testing
import VoiceTestSupport

/// Files whose sizes say something else than what is there: one second of samples at 24 kHz, all of it in the file.
@Suite struct WAVSizesTests {
    private static let format = AudioFormat(sampleRate: 24_000)
    private static let samples = (0..<24_000).flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 / 1_000)] }

    /// The file with these sizes in its header.
    private static func file(riff: UInt32, data: UInt32, samples: [UInt8] = samples) throws -> [UInt8] {
        var sizes: [[UInt8]] = []
        for size in [riff, data] {
            var bytes: [UInt8] = []
            bytes.appendLittleEndian(size)
            sizes.append(bytes)
        }
        var file = try WAVHeader.bytes(of: format, dataBytes: samples.count)
        file.replaceSubrange(4..<8, with: sizes[0])
        file.replaceSubrange(40..<44, with: sizes[1])
        return file + samples
    }

    static let sizes: [(riff: UInt32, data: UInt32)] = [
        (36, 0), (0, 0), (48_036, 0), (.max, 0), (2_000_000_036, 2_000_000_000), (.max, .max), (0, .max),
        (0x7FFF_FFFF, 0x7FFF_FFDB), (0x8000_0024, 0x8000_0000), (0x7FFF_F024, 0x7FFF_F000), (36, 48_000),
        (1_000_000_036, 1_000_000_000), (0x1000_0024, 0x1000_0000), (1, 48_000), (48_036, 48_000), (48_037, 48_000),
    ]

    @Test(arguments: sizes)
    func `what is there is read, and is whole`(riff: UInt32, data: UInt32) throws {
        let file = try Self.file(riff: riff, data: data)
        for cut in [0, 1, 43, 44, 45, 47, 51, 52, 53, file.count] {
            var reader = WAVReader()
            var samples = try reader.feed(Array(file[..<cut]))
            samples += try reader.feed(Array(file[cut...]))
            samples += try reader.finish()
            #expect(samples == Self.samples, "cut at \(cut)")
            #expect(!reader.isTruncated)
        }
        #expect(try AudioClip(file, encoding: .wav).duration() == .seconds(1))
    }

    @Test(arguments: [(riff: UInt32(36), data: UInt32(0)), (2_000_000_036, 2_000_000_000), (.max, .max)])
    func `a service that writes its header too early is heard to the end`(riff: UInt32, data: UInt32) async throws {
        let service = ScriptedHTTPTransport([
            OpenAITextToSpeechTests.audio(try Self.file(riff: riff, data: data))
        ])
        let clip = try await OpenAITextToSpeechTests.make(service).clip(of: "hello")
        #expect(clip == AudioClip(Self.samples, encoding: .pcm(Self.format)))
    }

    @Test func `a file as a source gives all of it`() async throws {
        for sizes in [(UInt32(36), UInt32(0)), (2_000_000_036, 2_000_000_000)] {
            try await AudioFolder.with { folder in
                let path = "\(folder)/recorded.wav"
                try AudioFolder.write(try Self.file(riff: sizes.0, data: sizes.1), to: path)
                let source = WAVFileSource(path, format: nil)
                #expect(try await source.start() == Self.format)
                var samples: [UInt8] = []
                for try await frames in source.frames { samples += frames }
                #expect(samples == Self.samples)
            }
        }
    }

    @Test func `a size of many bytes that are not there is still a cut`() throws {
        var reader = WAVReader()
        _ = try reader.feed(try Self.file(riff: 96_036, data: 96_000))
        _ = try reader.finish()
        #expect(reader.isTruncated)
    }

    /// Behind no samples there may be a list of names, which is no sound.
    @Test(arguments: ["LIST", "id3 ", "bext", "cue "])
    func `another chunk behind an empty one is not heard`(name: String) throws {
        for riff in [UInt32(36), 60, .max] {
            let chunk = WAVReaderTests.chunk(name, [UInt8](repeating: 7, count: 16))
            #expect(try WAVReader.read(try Self.file(riff: riff, data: 0, samples: chunk)).samples.isEmpty)
        }
    }

    @Test func `few samples behind an empty chunk are samples`() throws {
        for count in 0...12 {
            let samples = [UInt8](Self.samples[2_000..<(2_000 + count * 2)])
            #expect(try WAVReader.read(try Self.file(riff: 36, data: 0, samples: samples)).samples == samples)
        }
    }

    @Test(arguments: ["RF64", "BW64"])
    func `files with 64-bit sizes are read`(magic: String) throws {
        for (size, isCut) in [(UInt64(48_000), false), (0, false), (.max, false), (96_000, true)] {
            var sizes: [UInt8] = []
            for value in [UInt64(48_080), size, 24_000] { sizes.appendLittleEndian(value) }
            sizes.appendLittleEndian(UInt32(0))
            let file = WAVReaderTests.file(
                [
                    WAVReaderTests.chunk("ds64", sizes),
                    WAVReaderTests.chunk("fmt ", WAVReaderTests.format(rate: 24_000)),
                    WAVReaderTests.chunk("data", Self.samples, size: .max),
                ],
                size: .max,
                magic: magic
            )
            var reader = WAVReader()
            var samples: [UInt8] = []
            for start in stride(from: 0, to: file.count, by: 7) {
                samples += try reader.feed(Array(file[start..<min(start + 7, file.count)]))
            }
            samples += try reader.finish()
            #expect(samples == Self.samples)
            #expect(reader.isTruncated == isCut)
        }
    }

    @Test func `a killed recorder's CAF file is read, and another chunk is not`() throws {
        let header = try CAFHeader.bytes(of: Self.format, dataBytes: 0)
        #expect(try CAFReader.read(header + Self.samples).samples == Self.samples)
        #expect(try CAFReader.read(header + [1, 2, 3, 4]).samples == [1, 2, 3, 4])
        #expect(try CAFReader.read(header).samples.isEmpty)
        let chunk = Array("info".utf8) + [0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0]
        #expect(try CAFReader.read(header + chunk).samples.isEmpty)
    }
}

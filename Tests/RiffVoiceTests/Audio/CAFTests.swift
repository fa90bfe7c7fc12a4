// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffVoice
import Testing

struct CAFTests {
    static let formats = [
        AudioFormat.speech, AudioFormat(sampleRate: 44_100, channels: 2),
        AudioFormat(sampleRate: 48_000, sample: .float32),
        AudioFormat(sampleRate: 24_000, channels: 2, sample: .float32),
    ]

    static func file(_ samples: [UInt8], _ format: AudioFormat, dataBytes: Int?) throws -> [UInt8] {
        try CAFHeader.bytes(of: format, dataBytes: dataBytes) + samples
    }

    static func samples(_ format: AudioFormat, frames: Int) -> [UInt8] {
        (0..<(frames * format.channels)).flatMap { index -> [UInt8] in
            var bytes: [UInt8] = []
            switch format.sample {
            case .int16: bytes.appendLittleEndian(Int16(index * 17 % 30_000 - 15_000))
            case .float32:  // Exact in sox too, which computes in 32-bit integers.
                bytes.appendLittleEndian((Float(index % 129) / 64 - 1).bitPattern)
            }
            return bytes
        }
    }

    @Test(arguments: formats)
    func `what is written is read back, at every split, with and without its size`(format: AudioFormat) throws {
        let samples = Self.samples(format, frames: 9)
        for dataBytes in [samples.count, nil] {
            let file = try Self.file(samples, format, dataBytes: dataBytes)
            for cut in 0...file.count {
                var reader = CAFReader()
                var read = try reader.feed(Array(file[..<cut]))
                read += try reader.feed(Array(file[cut...]))
                read += try reader.finish()
                #expect(read == samples)
                #expect(reader.format == format)
                #expect(reader.header?.dataBytes == dataBytes)
                #expect(!reader.isTruncated)
            }
        }
    }

    @Test func `the header is the one that the specification draws`() throws {
        let expected: [UInt8] =
            Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + [0, 0, 0, 0, 0, 0, 0, 32]
            + [0x40, 0xCF, 0x40, 0, 0, 0, 0, 0] + Array("lpcm".utf8)
            + [0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 16]
            + Array("data".utf8) + [0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]
        #expect(try CAFHeader.bytes(of: .speech, dataBytes: 4) == expected)
    }

    /// A description and samples as other writers have them.
    static func foreign(
        flags: UInt32,
        bits: UInt32,
        rate: Double = 16_000,
        id: String = "lpcm",
        frames: UInt32 = 1,
        data: [UInt8]
    ) -> [UInt8] {
        var file = Array("caff".utf8) + [0, 1, 0, 0]
        file += Array("desc".utf8)
        file.appendBigEndian(Int64(32))
        file.appendBigEndian(rate.bitPattern)
        file += Array(id.utf8)
        for value in [flags, bits / 8, frames, 1, bits] { file.appendBigEndian(value) }
        file += Array("free".utf8) + [0, 0, 0, 0, 0, 0, 0, 3, 9, 9, 9]
        file += Array("info".utf8) + [0, 0, 0, 0, 0, 0, 0, 0]
        file += Array("data".utf8)
        file.appendBigEndian(Int64(data.count + 4))
        return file + [0, 0, 0, 7] + data + Array("uuid".utf8) + [0, 0, 0, 0, 0, 0, 0, 1, 0]
    }

    @Test(arguments: [
        (0, 8, [0x80, 0x00, 0x40], [-32_768, 0, 16_384]),
        (0, 16, [0x80, 0x01, 0x40, 0x00], [-32_767, 16_384]),
        (2, 16, [0x01, 0x80, 0x00, 0x40], [-32_767, 16_384]),
        (0, 24, [0x80, 0x01, 0x00, 0x40, 0x00, 0x00], [-32_767, 16_384]),
        (2, 24, [0x00, 0x01, 0x80, 0x00, 0x00, 0x40], [-32_767, 16_384]),
        (0, 32, [0x80, 0x01, 0x00, 0x00], [-32_767]),
        (1, 32, [0x3F, 0x00, 0x00, 0x00], [16_384]),
        (3, 32, [0x00, 0x00, 0x00, 0xBF], [-16_384]),
    ])
    func `other writers' integers, floats and orders of bytes are read, at every split`(
        flags: Int,
        bits: Int,
        data: [Int],
        expected: [Int16]
    ) throws {
        let file = Self.foreign(flags: UInt32(flags), bits: UInt32(bits), data: data.map(UInt8.init))
        for cut in 0...file.count {
            var reader = CAFReader(as: .speech)
            var read = try reader.feed(Array(file[..<cut]))
            read += try reader.feed(Array(file[cut...]))
            read += try reader.finish()
            #expect(stride(from: 0, to: read.count, by: 2).map { read.littleEndian(Int16.self, at: $0) } == expected)
        }
    }

    static let start = Array("caff".utf8) + [0, 1, 0, 0]
    static let refused: [(file: [UInt8], code: CoreError.Code)] = [
        (foreign(flags: 2, bits: 16, id: "aac ", data: []), .audioUnsupported),
        (foreign(flags: 3, bits: 64, data: []), .audioUnsupported),
        (foreign(flags: 2, bits: 16, rate: 16_000.5, data: []), .audioUnsupported),
        (foreign(flags: 2, bits: 16, rate: 0, data: []), .audioInvalidFormat),
        (foreign(flags: 2, bits: 16, rate: .nan, data: []), .audioInvalidFormat),
        (foreign(flags: 2, bits: 16, frames: 1_024, data: []), .audioMalformed),
        (Array("RIFF....".utf8), .audioMalformed),
        (Array("caff".utf8) + [0, 2, 0, 0], .audioMalformed),
        (start + Array("data".utf8) + [0, 0, 0, 0, 0, 0, 0, 4], .audioMalformed),
        (start + Array("free".utf8) + [UInt8](repeating: 255, count: 8), .audioMalformed),
        (start, .audioTruncated),
        (Array(foreign(flags: 2, bits: 16, data: []).prefix(68)), .audioTruncated),
    ]

    @Test(arguments: refused)
    func `what cannot be read is refused with its reason`(file: [UInt8], code: CoreError.Code) {
        let error = #expect(throws: CoreError.self) { try CAFReader.read(file) }
        #expect(error?.code == code)
    }

    @Test func `a file that is too short gives what is there, and says so`() throws {
        var reader = CAFReader()
        let samples = try reader.feed(try Self.file([1, 2, 3, 4, 5], .speech, dataBytes: 100)) + reader.finish()
        #expect(samples == [1, 2, 3, 4])
        #expect(reader.isTruncated)
    }

    @Test func `a damaged file gives samples or an error, the same at every split`() throws {
        var generator = SeededGenerator(seed: 7)
        let whole = Self.foreign(flags: 0, bits: 24, data: (0..<60).map { UInt8($0) })
        for _ in 0..<3_000 {
            var file = whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<file.count, using: &generator)
                file[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
            }
            let cut = Int.random(in: 0...file.count, using: &generator)
            // Without a change of rate: a damaged one would cost a table each time.
            let read = Result { try CAFReader.read(file).samples }
            let pieces = Result { () -> [UInt8] in
                var reader = CAFReader()
                return try reader.feed(Array(file[..<cut])) + reader.feed(Array(file[cut...])) + reader.finish()
            }
            switch (read, pieces) {
            case (.success(let one), .success(let other)): #expect(one == other)
            case (.failure(let one as CoreError), .failure(let other as CoreError)): #expect(one.code == other.code)
            default: Issue.record("\(file) is read differently when it is cut at \(cut)")
            }
        }
    }

    @Test(arguments: [AudioFormat(sampleRate: 0), AudioFormat(sampleRate: 16_000, channels: 0)])
    func `a format without frames cannot be written`(format: AudioFormat) {
        let error = #expect(throws: CoreError.self) { try CAFHeader.bytes(of: format, dataBytes: 0) }
        #expect(error?.code == .audioInvalidFormat)
    }

    @Test func `a file is whole after each append, also when it is never finished`() throws {
        let path = FileManager.default.temporaryDirectory.path + "/riff-\(UUID().uuidString).caf"
        defer { try? FileManager.default.removeItem(atPath: path) }
        func read() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }
        var writer = try CAFFileWriter(path: path, format: .speech)
        for round in 1...3 {
            try writer.append([UInt8](repeating: UInt8(round), count: 64))
            var reader = CAFReader()
            #expect(try reader.feed(try read()).count == 64 * round)
            #expect(reader.header?.dataBytes == 64 * round)
        }
        #expect(throws: CoreError.self) { try writer.append([1]) }
        try writer.finish()
        try writer.finish()
        #expect(throws: CoreError.self) { try writer.append([1, 2]) }
        var reader = CAFReader()
        #expect(try reader.feed(try read()).count == 192)
        #expect(reader.header?.dataBytes == 192)
        let error = #expect(throws: CoreError.self) { _ = try CAFFileWriter(path: path, format: .speech) }
        #expect(error?.code == .audioFileFailed)
    }
}

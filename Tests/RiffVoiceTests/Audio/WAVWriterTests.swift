// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffVoice
import Testing

struct WAVWriterTests {
    static let formats = [
        AudioFormat.speech, AudioFormat(sampleRate: 44_100, channels: 2),
        AudioFormat(sampleRate: 48_000, channels: 1, sample: .float32),
    ]

    @Test(arguments: formats)
    func `what is written is read back byte for byte`(_ format: AudioFormat) throws {
        let samples = (0..<(format.bytesPerFrame * 3)).map { _ in UInt8.random(in: 0...0x3E) }
        let file = try WAVWriter.file(samples + [1], format: format)
        let read = try WAVReader.read(file)
        #expect(read.samples == samples)
        #expect(read.format == format)
    }

    @Test func `a header of more than 4 GiB is refused`() {
        let error = #expect(throws: CoreError.self) { try WAVHeader.bytes(of: .speech, dataBytes: 1 << 32) }
        #expect(error?.code == .audioTooLarge)
    }

    @Test func `a file is whole after each append, also when it is never finished`() throws {
        let path = FileManager.default.temporaryDirectory.path + "/riff-\(UUID().uuidString).wav"
        defer { try? FileManager.default.removeItem(atPath: path) }
        do {
            var writer = try WAVFileWriter(path: path, format: .speech)
            for round in 1...3 {
                try writer.append([UInt8](repeating: UInt8(round), count: 64))
                var reader = WAVReader()
                let samples = try reader.feed([UInt8](Data(contentsOf: URL(fileURLWithPath: path))))
                _ = try reader.finish()
                #expect(samples.count == 64 * round)
                #expect(reader.header?.dataBytes == 64 * round)
                #expect(!reader.isTruncated)
            }
            #expect(throws: CoreError.self) { try writer.append([1]) }
        }
        let error = #expect(throws: CoreError.self) { _ = try WAVFileWriter(path: path, format: .speech) }
        #expect(error?.code == .audioFileFailed)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
    }

    @Test func `a finished file takes no more, and finishing twice is harmless`() throws {
        let path = FileManager.default.temporaryDirectory.path + "/riff-\(UUID().uuidString).wav"
        defer { try? FileManager.default.removeItem(atPath: path) }
        var writer = try WAVFileWriter(path: path, format: AudioFormat(sampleRate: 8_000, channels: 1))
        try writer.append([1, 2])
        try writer.finish()
        try writer.finish()
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).count == 46)
        let error = #expect(throws: CoreError.self) { try writer.append([1, 2]) }
        #expect(error?.code == .audioFileFailed)
    }
}

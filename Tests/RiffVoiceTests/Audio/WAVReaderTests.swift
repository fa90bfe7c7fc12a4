// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffVoice
import Testing

struct WAVReaderTests {
    /// One way to write the same sound: two frames of 0.5 and -0.25, or something that must be refused.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let file: [UInt8]
        var format = AudioFormat(sampleRate: 16_000)
        var samples: [Int16] = [16_384, -8_192]
    }

    static func chunk(_ name: String, _ body: [UInt8], size: UInt32? = nil, pads: Bool = true) -> [UInt8] {
        var bytes = Array(name.utf8)
        bytes.appendLittleEndian(size ?? UInt32(body.count))
        bytes += body
        return pads && body.count % 2 == 1 ? bytes + [0] : bytes
    }

    static func format(tag: UInt16 = 1, channels: UInt16 = 1, rate: UInt32 = 16_000, bits: UInt16 = 16) -> [UInt8] {
        var body: [UInt8] = []
        body.appendLittleEndian(tag)
        body.appendLittleEndian(channels)
        body.appendLittleEndian(rate)
        body.appendLittleEndian(rate * UInt32(channels) * UInt32(bits / 8))
        body.appendLittleEndian(channels * bits / 8)
        body.appendLittleEndian(bits)
        return body
    }

    static func extensible(tag: UInt16, bits: UInt16) -> [UInt8] {
        var body = format(tag: 0xFFFE, bits: bits)
        body.appendLittleEndian(UInt16(22))
        body.appendLittleEndian(bits)
        body.appendLittleEndian(UInt32(4))
        body.appendLittleEndian(tag)
        return body + [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }

    static func file(_ chunks: [[UInt8]], size: UInt32? = nil, magic: String = "RIFF") -> [UInt8] {
        let body = Array("WAVE".utf8) + chunks.joined()
        return chunk(magic, body, size: size, pads: false)
    }

    static let pcm: [UInt8] = [0x00, 0x40, 0x00, 0xE0]
    static let floats: [UInt8] = [0, 0, 0, 0x3F, 0, 0, 0x80, 0xBE]

    static let readable: [Case] = [
        Case(testDescription: "plain", file: file([chunk("fmt ", format()), chunk("data", pcm)])),
        Case(
            testDescription: "stream of unknown size",
            file: file([chunk("fmt ", format()), chunk("data", pcm, size: .max)], size: .max)
        ),
        Case(
            testDescription: "stream that announces almost 2 GiB",
            file: file([chunk("fmt ", format()), chunk("data", pcm, size: 0x7FFF_FFDB)], size: 0x7FFF_FFFF)
        ),
        Case(
            testDescription: "killed recorder with sizes of 0",
            file: file([chunk("fmt ", format()), chunk("data", pcm, size: 0)], size: 0)
        ),
        Case(
            testDescription: "killed recorder whose file is whole but for its samples",
            file: file([chunk("fmt ", format()), chunk("data", pcm, size: 0)], size: 36)
        ),
        Case(
            testDescription: "stream that announces 2,000,000,000 bytes",
            file: file([chunk("fmt ", format()), chunk("data", pcm, size: 2_000_000_000)], size: 2_000_000_036)
        ),
        Case(
            testDescription: "empty samples, LIST after them",
            file: file([chunk("fmt ", format()), chunk("data", []), chunk("LIST", [7, 7, 7, 7])]),
            samples: []
        ),
        Case(
            testDescription: "odd LIST before the samples, LIST after them",
            file: file([
                chunk("LIST", [1, 2, 3]), chunk("fmt ", format()), chunk("LIST", [9]), chunk("data", pcm),
                chunk("LIST", [7, 7, 7, 7]),
            ])
        ),
        Case(
            testDescription: "long fmt chunk of odd size",
            file: file([chunk("fmt ", format() + [UInt8](repeating: 0, count: 41)), chunk("data", pcm)])
        ),
        Case(
            testDescription: "extensible",
            file: file([chunk("fmt ", extensible(tag: 1, bits: 16)), chunk("data", pcm)])
        ),
        Case(
            testDescription: "extensible float",
            file: file([chunk("fmt ", extensible(tag: 3, bits: 32)), chunk("data", floats)])
        ),
        Case(
            testDescription: "8 bits, odd number of bytes",
            file: file([chunk("fmt ", format(bits: 8)), chunk("data", [192, 96, 128]), chunk("LIST", [5])]),
            samples: [16_384, -8_192, 0]
        ),
        Case(
            testDescription: "24 bits",
            file: file([chunk("fmt ", format(bits: 24)), chunk("data", [0, 0, 0x40, 0, 0, 0xE0])])
        ),
        Case(
            testDescription: "32 bits",
            file: file([chunk("fmt ", format(bits: 32)), chunk("data", [0, 0, 0, 0x40, 0, 0, 0, 0xE0])])
        ),
        Case(
            testDescription: "float32",
            file: file([chunk("fmt ", format(tag: 3, bits: 32)), chunk("data", floats)])
        ),
        Case(
            testDescription: "stereo is averaged",
            file: file([chunk("fmt ", format(channels: 2)), chunk("data", [0, 0x60, 0, 0x20, 0, 0xC0, 0, 0])])
        ),
        Case(testDescription: "no samples", file: file([chunk("fmt ", format()), chunk("data", [])]), samples: []),
        Case(
            testDescription: "cut frame at the end",
            file: file([chunk("fmt ", format()), chunk("data", pcm + [1], size: 100, pads: false)])
        ),
    ]

    @Test(arguments: readable)
    func `every form gives the same samples, at every split`(_ form: Case) throws {
        let expected = form.samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        let whole = try WAVReader.read(form.file, as: form.format)
        #expect(whole.samples == expected)
        for cut in 0...form.file.count {
            var reader = WAVReader(as: form.format)
            var samples = try reader.feed(Array(form.file[..<cut]))
            samples += try reader.feed(Array(form.file[cut...]))
            samples += try reader.finish()
            #expect(samples == expected, "cut at \(cut)")
        }
        var reader = WAVReader(as: form.format)
        var samples: [UInt8] = []
        for byte in form.file { samples += try reader.feed([byte]) }
        #expect(try samples + reader.finish() == expected)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let file: [UInt8]
        let code: CoreError.Code
    }

    static let refused: [Refusal] = [
        Refusal(testDescription: "empty", file: [], code: .audioTruncated),
        Refusal(testDescription: "text", file: Array("hello, this is no audio".utf8), code: .audioMalformed),
        Refusal(
            testDescription: "RF64 with a chunk of sizes that has none",
            file: file([chunk("ds64", []), chunk("fmt ", format()), chunk("data", pcm)], magic: "RF64"),
            code: .audioMalformed
        ),
        Refusal(
            testDescription: "3 Hz",
            file: file([chunk("fmt ", format(rate: 3)), chunk("data", pcm)]),
            code: .audioInvalidFormat
        ),
        Refusal(
            testDescription: "65 channels",
            file: file([chunk("fmt ", format(channels: 65)), chunk("data", pcm)]),
            code: .audioInvalidFormat
        ),
        Refusal(
            testDescription: "big-endian",
            file: file([chunk("fmt ", format())], magic: "RIFX"),
            code: .audioMalformed
        ),
        Refusal(testDescription: "samples first", file: file([chunk("data", pcm)]), code: .audioMalformed),
        Refusal(testDescription: "short fmt", file: file([chunk("fmt ", [1, 0, 1, 0])]), code: .audioMalformed),
        Refusal(
            testDescription: "mu-law",
            file: file([chunk("fmt ", format(tag: 7, bits: 8)), chunk("data", [1])]),
            code: .audioUnsupported
        ),
        Refusal(
            testDescription: "double",
            file: file([chunk("fmt ", format(tag: 3, bits: 64)), chunk("data", [])]),
            code: .audioUnsupported
        ),
        Refusal(
            testDescription: "0 Hz",
            file: file([chunk("fmt ", format(rate: 0)), chunk("data", pcm)]),
            code: .audioInvalidFormat
        ),
        Refusal(
            testDescription: "0 channels",
            file: file([chunk("fmt ", format(channels: 0)), chunk("data", pcm)]),
            code: .audioInvalidFormat
        ),
        Refusal(
            testDescription: "cut inside fmt",
            file: Array(file([chunk("fmt ", format())]).prefix(30)),
            code: .audioTruncated
        ),
    ]

    @Test(arguments: refused)
    func `what cannot be read is refused with its reason`(_ refusal: Refusal) {
        let error = #expect(throws: CoreError.self) { try WAVReader.read(refusal.file) }
        #expect(error?.code == refusal.code)
    }

    @Test func `a file that is too short gives what is there, and says so`() throws {
        var reader = WAVReader()
        let samples = try reader.feed(
            Self.file([Self.chunk("fmt ", Self.format()), Self.chunk("data", Self.pcm, size: 8)])
        )
        _ = try reader.finish()
        #expect(samples == Self.pcm)
        #expect(reader.isTruncated)
        #expect(reader.header?.frames == 4)
    }
}

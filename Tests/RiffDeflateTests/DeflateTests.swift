// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffDeflate
import RiffTesting
import RiffTransport
import TestSupport
import Testing

struct DeflateTests {
    static let formats: [Deflate.Format] = [.raw, .zlib, .gzip]
    static let text = Array(String(repeating: "A line of a log, and another one. ", count: 200).utf8)

    /// Bytes of chance, which cannot be compressed.
    static func noise(_ count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: 3)
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    @Test(arguments: formats)
    func `what is compressed comes back, at every split`(format: Deflate.Format) throws {
        for bytes in [[], [7], Self.text, Self.noise(3000)] {
            let packed = try Deflate.compress(bytes, as: format)
            for parts in Chunking.all(packed, splits: 400, random: 10) {
                let inflater = try Inflater(format)
                var output: [UInt8] = []
                for part in parts { output += try inflater.decompress(part) }
                try inflater.finish()
                #expect(output == bytes)
            }
        }
        #expect(try Deflate.compress(Self.text, as: format).count < Self.text.count / 20)
    }

    @Test(arguments: formats)
    func `pieces that are flushed can be read at once, and reset forgets`(format: Deflate.Format) throws {
        let deflater = try Deflater(format)
        let inflater = try Inflater(format)
        for _ in 0..<2 {
            for number in 0..<5 {
                let line = Array("line \(number)\n".utf8)
                let packed = try deflater.compress(line, .sync)
                #expect(packed.suffix(4) == [0, 0, 0xFF, 0xFF])
                #expect(try inflater.decompress(packed) == line)
            }
            #expect(try inflater.decompress(try deflater.compress([], .finish)) == [])
            try inflater.finish()
            #expect(throws: DataError.self) { try deflater.compress([1]) }
            deflater.reset()
            inflater.reset()
        }
    }

    @Test(arguments: formats)
    func `chunks are compressed and decompressed as they are read`(format: Deflate.Format) async throws {
        for bytes in [[], [7], Self.text, Self.noise(300_000)] {
            let (chunks, feed) = AsyncStream<[UInt8]>.makeStream()
            for part in stride(from: 0, to: bytes.count, by: 1000) {
                feed.yield(Array(bytes[part..<min(part + 1000, bytes.count)]))
            }
            feed.finish()
            var output: [UInt8] = []
            let packed = CodedBytes(compressing: chunks, as: format)
            for try await part in CodedBytes(decompressing: packed, as: format) { output += part }
            #expect(output == bytes)
        }
    }

    @Test func `output is taken in parts of the size that is asked for`() throws {
        let bytes = [UInt8](repeating: 65, count: 1_000_000)
        let inflater = try Inflater(.gzip)
        inflater.feed(try Deflate.compress(bytes, as: .gzip))
        var count = 0
        while let part = try inflater.next(upTo: 1000) {
            #expect((1...1000).contains(part.count))
            count += part.count
        }
        #expect(count == bytes.count)
        try inflater.finish()
    }

    @Test(arguments: formats)
    func `data that is cut anywhere is told to be so, and gives what there was`(format: Deflate.Format) throws {
        let packed = try Deflate.compress(Self.text, as: format)
        for count in packed.indices {
            let inflater = try Inflater(format)
            let output = try inflater.decompress(Array(packed[..<count]))
            #expect(Self.text.starts(with: output))
            let error = #expect(throws: DataError.self) { try inflater.finish() }
            #expect(error?.code == .deflateTruncated)
        }
    }

    @Test func `several members are one text, and zeros may follow`() throws {
        let (first, second) = (Array("one ".utf8), Array("two".utf8))
        let packed = try Deflate.compress(first, as: .gzip) + Deflate.compress(second, as: .gzip)
        for padded in [packed, packed + [0], packed + [UInt8](repeating: 0, count: 512)] {
            for parts in Chunking.all(padded, random: 5) {
                let inflater = try Inflater(.gzip)
                var output: [UInt8] = []
                for part in parts { output += try inflater.decompress(part) }
                try inflater.finish()
                #expect(output == first + second)
            }
        }
        // The second member is cut.
        for count in 1..<20 {
            let error = #expect(throws: DataError.self) {
                try Deflate.decompress(Array(packed.dropLast(count)), as: .gzip)
            }
            #expect(error?.code == .deflateTruncated)
        }
    }

    @Test(arguments: formats)
    func `what follows behind the data is refused`(format: Deflate.Format) throws {
        let packed = try Deflate.compress(Self.text, as: format)
        for extra: [UInt8] in [[1], [0, 1], Array("garbage".utf8)] {
            let error = #expect(throws: DataError.self) { try Deflate.decompress(packed + extra, as: format) }
            #expect(error?.code == .deflateMalformed)
        }
    }

    @Test func `a wrong checksum, and what is no such data, are refused`() throws {
        for format in [Deflate.Format.zlib, .gzip] {
            var packed = try Deflate.compress(Self.text, as: format)
            packed[packed.count - (format == .gzip ? 5 : 1)] ^= 1
            let error = #expect(throws: DataError.self) { try Deflate.decompress(packed, as: format) }
            #expect(error?.code == .deflateMalformed)
            let inflater = try Inflater(format)
            inflater.feed(Array("this is no compressed data".utf8))
            for _ in 0..<2 {
                let other = #expect(throws: DataError.self) { try inflater.next() }
                #expect(other?.code == .deflateMalformed)
            }
            #expect(throws: DataError.self) { try inflater.finish() }
            inflater.reset()
            #expect(try inflater.decompress(Deflate.compress([1, 2], as: format)) == [1, 2])
        }
        // A zlib header that asks for a dictionary.
        let error = #expect(throws: DataError.self) {
            try Deflate.decompress([0x78, 0xBB, 0, 0, 0, 1, 3, 0], as: .zlib)
        }
        #expect(error?.code == .deflateMalformed)
    }

    @Test func `a bomb is stopped at the limit, by its size or by its ratio`() throws {
        // 64 MiB of zeros in 64 KiB, made piece by piece.
        let deflater = try Deflater(.gzip, level: 9)
        let zeros = [UInt8](repeating: 0, count: 1 << 20)
        var bomb: [UInt8] = []
        for _ in 0..<64 { bomb += try deflater.compress(zeros) }
        bomb += try deflater.compress([], .finish)
        #expect(bomb.count < 70_000)
        for limits in [DeflateLimits(outputBytes: 1_000_000), DeflateLimits(ratio: 100)] {
            let inflater = try Inflater(.gzip, limits: limits)
            inflater.feed(bomb)
            var count = 0
            let error = #expect(throws: DataError.self) {
                while let part = try inflater.next() { count += part.count }
            }
            #expect(error?.code == .deflateTooLarge)
            #expect(count <= 1_100_000 + 65_536)
        }
        #expect(try Deflate.decompress(bomb, as: .gzip, limits: DeflateLimits(outputBytes: 64 << 20)).count == 64 << 20)
        let error = #expect(throws: DataError.self) {
            try Deflate.decompress(bomb, as: .gzip, limits: DeflateLimits(outputBytes: 64 << 20 - 1))
        }
        #expect(error?.code == .deflateTooLarge)
    }

    @Test func `a sequence of chunks is decompressed as it is read`() async throws {
        let packed = try Deflate.compress(Self.text, as: .gzip)
        for cut in [0, 8] {
            let (stream, writer) = ByteStream.makeStream(bufferedBytes: .max)
            for byte in packed.dropLast(cut) { try await writer.write([byte]) }
            writer.finish()
            var output: [UInt8] = []
            var failure: DataError?
            do {
                for try await chunk in CodedBytes(decompressing: stream, as: .gzip) { output += chunk }
            } catch {
                failure = error as? DataError
            }
            #expect(output == Self.text)
            #expect(failure?.code == (cut == 0 ? nil : .deflateTruncated))
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

// sample: source: some AudioSource, upload: ([UInt8]) -> Void
/// Packs 16-bit audio without loss, speech to 50 or 60 % of its size: for uploads where every second counts.
///
/// ```swift
/// var encoder = try FLACEncoder(format: .speech)
/// upload(encoder.header)
/// for try await frames in source.frames { upload(encoder.encode(frames)) }
/// upload(encoder.finish())
/// ```
///
/// Source: RFC 9639 (FLAC), its streamable subset; fixed predictors and Rice codes, which speech needs no more than.
/// There is no checksum over all samples in it, but one in each frame.
public struct FLACEncoder: Sendable {
    /// The format of the samples that come in.
    package let format: AudioFormat

    /// Samples of each channel in a frame but the last.
    private static let blockSize = 4_096

    private var aligner: FrameAligner
    private var pending: [UInt8] = []
    private var frames = 0

    /// Creates an encoder.
    ///
    /// - Throws: ``CoreError`` with `audioUnsupported` for floats or more than two channels, `audioInvalidFormat` for a
    ///   rate that is not within 1 to 655,350 Hz or no channels.
    public init(format: AudioFormat) throws(CoreError) {
        guard (1...655_350).contains(format.sampleRate), format.channels > 0 else {
            let message = "Audio of \(format.sampleRate) Hz with \(format.channels) channels cannot be written as FLAC."
            throw CoreError(.audioInvalidFormat, message)
        }
        guard format.sample == .int16, format.channels <= 2 else {
            throw CoreError(
                .audioUnsupported,
                "FLAC is written here of 16-bit mono and stereo; convert the audio first."
            )
        }
        self.format = format
        aligner = FrameAligner(bytesPerFrame: format.bytesPerFrame)
    }

    /// A whole file.
    ///
    /// - Parameters:
    ///   - samples: Interleaved little-endian frames; a cut one at the end is left out.
    ///   - format: What they are.
    /// - Returns: The file's bytes.
    /// - Throws: ``CoreError`` as ``init(format:)`` throws.
    public static func file(_ samples: [UInt8], format: AudioFormat) throws(CoreError) -> [UInt8] {
        var encoder = try FLACEncoder(format: format)
        let header = encoder.header(of: samples.count / format.bytesPerFrame)
        return header + encoder.encode(samples) + encoder.finish()
    }

    /// The bytes before the first frame, of a stream whose length is not known yet.
    public var header: [UInt8] { header(of: 0) }

    /// Takes the next bytes.
    ///
    /// - Parameter bytes: Bytes of the format; a frame may be cut.
    /// - Returns: The encoded frames that these bytes complete; none for each but every 4,096th sample.
    public mutating func encode(_ bytes: [UInt8]) -> [UInt8] {
        pending += aligner.align(bytes)
        let size = FLACEncoder.blockSize * format.bytesPerFrame
        var (output, start): ([UInt8], Int) = ([], 0)
        while pending.count - start >= size {
            output += frame(pending[start..<(start + size)])
            start += size
        }
        pending.removeFirst(start)
        return output
    }

    /// Ends the stream.
    ///
    /// - Returns: The last frame, shorter than the others; none where nothing is left.
    public mutating func finish() -> [UInt8] {
        defer { pending = [] }
        return pending.isEmpty ? [] : frame(pending[...])
    }

    /// The marker and the STREAMINFO block; 0 means an unknown length, as do the sizes of frames and the checksum.
    private func header(of samples: Int) -> [UInt8] {
        var writer = BitWriter()
        for byte in "fLaC".utf8 { writer.append(Int(byte), bits: 8) }
        writer.append(0x80, bits: 8)
        writer.append(34, bits: 24)
        for _ in 0..<2 { writer.append(FLACEncoder.blockSize, bits: 16) }
        for _ in 0..<2 { writer.append(0, bits: 24) }
        writer.append(format.sampleRate, bits: 20)
        writer.append(format.channels - 1, bits: 3)
        writer.append(15, bits: 5)
        writer.append(samples >> 32, bits: 4)
        writer.append(samples, bits: 32)
        return writer.bytes + [UInt8](repeating: 0, count: 16)
    }

    private mutating func frame(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let bytes = Array(bytes)
        let count = bytes.count / format.bytesPerFrame
        let channels = (0..<format.channels).map { channel in
            (0..<count).map { Int32(bytes.littleEndian(Int16.self, at: $0 * format.bytesPerFrame + channel * 2)) }
        }
        let (assignment, subframes) = FLACEncoder.plan(channels)
        var writer = BitWriter()
        writer.append(0xFFF8, bits: 16)
        writer.append(count == FLACEncoder.blockSize ? 0b1100 : 0b0111, bits: 4)
        writer.append(FLACEncoder.rateCodes[format.sampleRate] ?? 0, bits: 4)
        writer.append(assignment, bits: 4)
        writer.append(0b1000, bits: 4)
        for byte in FLACEncoder.coded(frames) { writer.append(Int(byte), bits: 8) }
        if count != FLACEncoder.blockSize { writer.append(count - 1, bits: 16) }
        writer.append(Int(FLACChecksum.header(writer.bytes)), bits: 8)
        for subframe in subframes { subframe.write(to: &writer) }
        writer.align()
        writer.append(Int(FLACChecksum.frame(writer.bytes)), bits: 16)
        frames += 1
        return writer.bytes
    }

    /// Two channels as they are, or one of them or their mean beside their difference, whichever is shortest.
    private static func plan(_ channels: [[Int32]]) -> (assignment: Int, subframes: [FLACSubframe]) {
        let own = channels.map { FLACSubframe($0, width: 16) }
        guard channels.count == 2 else { return (channels.count - 1, own) }
        let side = FLACSubframe(zip(channels[0], channels[1]).map { $0 - $1 }, width: 17)
        let middle = FLACSubframe(zip(channels[0], channels[1]).map { ($0 + $1) >> 1 }, width: 16)
        let choices = [(1, own), (8, [own[0], side]), (9, [side, own[1]]), (10, [middle, side])]
        func bits(_ choice: (Int, [FLACSubframe])) -> Int { choice.1.reduce(0) { $0 + $1.bits } }
        let best = choices.min { bits($0) < bits($1) } ?? (1, own)
        return (best.0, best.1)
    }

    /// The rates that a frame can name by itself; another one is written in the stream's header.
    private static let rateCodes = [
        88_200: 1, 176_400: 2, 192_000: 3, 8_000: 4, 16_000: 5, 22_050: 6, 24_000: 7, 32_000: 8, 44_100: 9, 48_000: 10,
        96_000: 11,
    ]

    /// Returns a frame's number in the form of UTF-8, which continues beyond Unicode here.
    package static func coded(_ number: Int) -> [UInt8] {
        guard number >= 0x80 else { return [UInt8(number)] }
        var rest = number
        var tail: [UInt8] = []
        var room = 0x3F
        repeat {
            tail.insert(UInt8(0x80 | rest & 0x3F), at: 0)
            rest >>= 6
            room >>= 1
        } while rest > room
        return [UInt8(truncatingIfNeeded: ~(room << 1 | 1) | rest)] + tail
    }
}

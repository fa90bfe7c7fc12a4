// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The contents of the chunks before the samples of a Core Audio file.
///
/// Source: Apple, "Core Audio Format Specification 1.0": `caff` version 1, a `desc` chunk, then others, with `data`
/// last where its size is -1.
package struct CAFHeader: Sendable, Hashable {
    /// The form in which the file writes a sample, but for the order of its bytes.
    package let layout: PCMConverter.Layout
    /// Whether the most significant byte of a sample comes first.
    package let isBigEndian: Bool
    /// Bytes of samples that the header announces; `nil` where the writer did not know: they go on to the file's end.
    package let dataBytes: Int?

    /// A header of these samples.
    package init(layout: PCMConverter.Layout, isBigEndian: Bool = false, dataBytes: Int?) {
        self.layout = layout
        self.isBigEndian = isBigEndian
        self.dataBytes = dataBytes
    }

    /// Frames that the header announces, or `nil` where it does not know.
    package var frames: Int? { dataBytes.map { $0 / layout.bytesPerFrame } }

    /// Bytes of a header written here.
    static let count = 68
    /// The offset in the header of the size of its `data` chunk, which begins with four bytes that count edits.
    static let sizeOffset = 56

    /// The bytes of a header in front of `dataBytes` of little-endian samples, always 68 of them.
    ///
    /// - Parameters:
    ///   - format: How the samples are written; mono or stereo.
    ///   - dataBytes: How many bytes of them follow; `nil` where they go on to the end of the file.
    /// - Returns: The header.
    /// - Throws: ``CoreError`` with `audioInvalidFormat` for a format without frames, `audioUnsupported` for more than
    ///   two channels, whose places a file would have to tell.
    package static func bytes(of format: AudioFormat, dataBytes: Int?) throws(CoreError) -> [UInt8] {
        guard (1...1_000_000).contains(format.sampleRate), format.channels >= 1 else {
            let message = "Audio of \(format.sampleRate) Hz with \(format.channels) channels cannot be written."
            throw CoreError(.audioInvalidFormat, message)
        }
        guard format.channels <= 2 else {
            throw CoreError(.audioUnsupported, "A CAF file of \(format.channels) channels is not written here.")
        }
        var bytes = Array("caff".utf8)
        bytes.reserveCapacity(count)
        bytes.appendBigEndian(UInt16(1))
        bytes.appendBigEndian(UInt16(0))
        bytes += Array("desc".utf8)
        bytes.appendBigEndian(Int64(32))
        bytes.appendBigEndian(Double(format.sampleRate).bitPattern)
        bytes += Array("lpcm".utf8)
        bytes.appendBigEndian(UInt32(format.sample == .float32 ? 3 : 2))
        bytes.appendBigEndian(UInt32(format.bytesPerFrame))
        bytes.appendBigEndian(UInt32(1))
        bytes.appendBigEndian(UInt32(format.channels))
        bytes.appendBigEndian(UInt32(format.bytesPerFrame / format.channels * 8))
        bytes += Array("data".utf8)
        bytes += size(dataBytes)
        bytes.appendBigEndian(UInt32(0))
        return bytes
    }

    /// The size of a `data` chunk with so many bytes of samples.
    static func size(_ dataBytes: Int?) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBigEndian(dataBytes.map { Int64($0) + 4 } ?? -1)
        return bytes
    }
}

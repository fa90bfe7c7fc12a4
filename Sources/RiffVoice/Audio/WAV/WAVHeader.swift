// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The contents of the chunks before a WAV file's samples.
///
/// Source: the RIFF/WAVE layout of "Multimedia Programming Interface and Data Specifications 1.0" (1991) and
/// `WAVE_FORMAT_EXTENSIBLE` of mmreg.h.
package struct WAVHeader: Sendable, Hashable {
    /// The form in which the file writes a sample; wider than ``AudioFormat`` because files are.
    package let layout: PCMConverter.Layout
    /// Bytes of samples that the header announces; `nil` where the writer did not know (a stream): they then go on to
    /// the end of the file.
    package let dataBytes: Int?

    /// A header of these samples.
    package init(layout: PCMConverter.Layout, dataBytes: Int?) {
        self.layout = layout
        self.dataBytes = dataBytes
    }

    /// Frames that the header announces, or `nil` where it does not know.
    package var frames: Int? { dataBytes.map { $0 / layout.bytesPerFrame } }

    /// The most sample bytes that a file written here can hold: its sizes have 32 bits.
    package static let largestDataBytes = Int(UInt32.max) - 128

    /// The bytes of a header in front of `dataBytes` of samples; 44 bytes for integers, 58 for floats, which need a
    /// longer `fmt ` chunk and a `fact` chunk. With `nil` the sizes are 0xFFFFFFFF, for a stream that cannot go back.
    ///
    /// - Parameters:
    ///   - format: How the samples are written.
    ///   - dataBytes: How many bytes of them follow.
    /// - Returns: The header, always of the same length for the same format.
    /// - Throws: ``CoreError`` with `audioTooLarge` above ``largestDataBytes``, `audioInvalidFormat` for a format
    ///   without frames.
    package static func bytes(of format: AudioFormat, dataBytes: Int?) throws(CoreError) -> [UInt8] {
        guard (1...1_000_000).contains(format.sampleRate), (1...64).contains(format.channels) else {
            let message = "Audio of \(format.sampleRate) Hz with \(format.channels) channels cannot be written."
            throw CoreError(.audioInvalidFormat, message)
        }
        if let dataBytes, dataBytes > largestDataBytes {
            throw CoreError(
                .audioTooLarge,
                "A WAV file holds \(largestDataBytes) bytes of samples; \(dataBytes) are too many."
            )
        }
        let isFloat = format.sample == .float32
        let headerBytes = isFloat ? 58 : 44
        let data = dataBytes.map(UInt32.init) ?? .max
        // The pad byte after an odd number of sample bytes belongs to the file.
        let riff = dataBytes.map { UInt32(headerBytes - 8 + $0 + $0 % 2) } ?? .max
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headerBytes)
        bytes += Array("RIFF".utf8)
        bytes.appendLittleEndian(riff)
        bytes += Array("WAVEfmt ".utf8)
        bytes.appendLittleEndian(UInt32(isFloat ? 18 : 16))
        bytes.appendLittleEndian(UInt16(isFloat ? 3 : 1))
        bytes.appendLittleEndian(UInt16(format.channels))
        bytes.appendLittleEndian(UInt32(format.sampleRate))
        bytes.appendLittleEndian(UInt32(format.sampleRate * format.bytesPerFrame))
        bytes.appendLittleEndian(UInt16(format.bytesPerFrame))
        bytes.appendLittleEndian(UInt16(format.bytesPerFrame / format.channels * 8))
        if isFloat {
            bytes.appendLittleEndian(UInt16(0))
            bytes += Array("fact".utf8)
            bytes.appendLittleEndian(UInt32(4))
            bytes.appendLittleEndian(dataBytes.map { UInt32($0 / format.bytesPerFrame) } ?? .max)
        }
        bytes += Array("data".utf8)
        bytes.appendLittleEndian(data)
        return bytes
    }
}

extension CoreErrorCode {
    /// The bytes are not a WAV file, or one that breaks its own rules.
    public static let audioMalformed = CoreError.Code(rawValue: "audioMalformed")
    /// The audio is whole, but in an encoding that is not read here.
    public static let audioUnsupported = CoreError.Code(rawValue: "audioUnsupported")
    /// The audio ends before its first sample can be found.
    public static let audioTruncated = CoreError.Code(rawValue: "audioTruncated")
    /// The audio is larger than the file form, or the caller's limit, allows.
    public static let audioTooLarge = CoreError.Code(rawValue: "audioTooLarge")
    /// A format without frames (0 Hz, 0 channels) or far outside what audio hardware does.
    public static let audioInvalidFormat = CoreError.Code(rawValue: "audioInvalidFormat")
    /// The audio file could not be opened, read or written.
    public static let audioFileFailed = CoreError.Code(rawValue: "audioFileFailed")
}

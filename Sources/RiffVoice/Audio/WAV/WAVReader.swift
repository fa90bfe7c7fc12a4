// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// Reads a WAV file that arrives in pieces cut anywhere, and gives its samples in the wanted format.
///
/// It takes what real writers produce: sizes of 0xFFFFFFFF (or near 2 GiB) from a stream that could not go back, sizes
/// of 0 from a recorder that was killed, chunks in front of the samples with or without odd sizes,
/// `WAVE_FORMAT_EXTENSIBLE`, integers of 8, 16, 24 and 32 bits and 32-bit floats. What follows the samples is ignored.
package struct WAVReader: Sendable {
    private enum Stage: Sendable {
        case riff
        case chunk
        case format(padded: Int)
        /// Sizes are of 32 bits, so they fit everywhere.
        case skip(Int)
        /// `nil` means to the end of the file.
        case samples(Int?)
        case ended
    }

    /// What the chunks before the samples said; `nil` until the samples begin.
    package private(set) var header: WAVHeader?
    /// Whether the file ended before the samples it announced; known after ``finish()``. What was there was given out.
    package private(set) var isTruncated = false
    /// The format of the bytes given out; `nil` until the samples begin.
    package private(set) var format: AudioFormat?

    private let wanted: AudioFormat?
    private var stage = Stage.riff
    private var collector = ByteCollector()
    private var layout: PCMConverter.Layout?
    private var converter: PCMConverter?
    private var isRIFFSizeUnknown = false

    /// - Parameter format: The format to convert to; `nil` keeps the file's rate and channels, as signed 16-bit
    ///   integers, or as floats where the file has floats.
    package init(as format: AudioFormat? = nil) { wanted = format }

    /// Takes the next bytes of the file.
    ///
    /// - Parameter bytes: Any number of them, also none.
    /// - Returns: Whole frames in the wanted format, as far as these bytes complete them.
    /// - Throws: ``CoreError`` with `audioMalformed`, `audioUnsupported`, `audioTooLarge` (RF64, a file above 4 GiB) or
    ///   `audioInvalidFormat`; the reader is of no use after that.
    package mutating func feed(_ bytes: [UInt8]) throws(CoreError) -> [UInt8] {
        var rest = bytes[...]
        var output: [UInt8] = []
        while !rest.isEmpty {
            switch stage {
            case .riff:
                guard let head = collector.collect(12, from: &rest) else { return output }
                try readRIFF(head)
            case .chunk:
                guard let head = collector.collect(8, from: &rest) else { return output }
                try enterChunk(head)
            case .format(let padded):
                // 40 bytes are the extensible form; what a longer chunk adds is skipped.
                guard let body = collector.collect(min(padded, 40), from: &rest) else { return output }
                layout = try WAVReader.layout(of: body)
                stage = padded > 40 ? .skip(padded - 40) : .chunk
            case .skip(let count):
                let taken = min(count, rest.count)
                rest = rest.dropFirst(taken)
                stage = taken == count ? .chunk : .skip(count - taken)
            case .samples(let remaining):
                let taken = min(remaining ?? rest.count, rest.count)
                output += converter?.convert(rest.prefix(taken)) ?? []
                rest = rest.dropFirst(taken)
                stage = remaining.map { $0 == taken ? .ended : .samples($0 - taken) } ?? .samples(nil)
            case .ended:
                return output
            }
        }
        return output
    }

    /// Says that the file has no more bytes.
    ///
    /// - Returns: The frames that a resampler still held.
    /// - Throws: ``CoreError`` with `audioTruncated` when the samples had not begun.
    package mutating func finish() throws(CoreError) -> [UInt8] {
        guard header != nil else {
            throw CoreError(.audioTruncated, "The audio ends inside the header of its WAV file; record it again.")
        }
        if case .samples(.some) = stage { isTruncated = true }
        stage = .ended
        return converter?.finish() ?? []
    }

    /// Reads a whole file.
    ///
    /// - Parameters:
    ///   - file: Its bytes.
    ///   - format: The wanted format; `nil` keeps the file's rate and channels.
    /// - Returns: The samples, and their format.
    /// - Throws: ``CoreError`` as ``feed(_:)`` and ``finish()`` throw.
    package static func read(
        _ file: [UInt8],
        as format: AudioFormat? = nil
    ) throws(CoreError) -> (samples: [UInt8], format: AudioFormat) {
        var reader = WAVReader(as: format)
        var samples = try reader.feed(file)
        samples += try reader.finish()
        guard let format = reader.format else {
            throw CoreError(.audioTruncated, "The audio ends inside the header of its WAV file; record it again.")
        }
        return (samples, format)
    }

    // MARK: Chunks

    private mutating func readRIFF(_ head: [UInt8]) throws(CoreError) {
        let (magic, kind) = (head.prefix(4), head.suffix(4))
        if magic.elementsEqual("RF64".utf8) || magic.elementsEqual("BW64".utf8) {
            throw CoreError(.audioTooLarge, "The audio is an RF64 file, the form for more than 4 GiB; split it first.")
        }
        guard magic.elementsEqual("RIFF".utf8), kind.elementsEqual("WAVE".utf8) else {
            throw CoreError(.audioMalformed, "The audio does not begin as a WAV file does.")
        }
        let size = head.littleEndian(UInt32.self, at: 4)
        isRIFFSizeUnknown = size == 0 || WAVReader.isPlaceholder(size)
        stage = .chunk
    }

    private mutating func enterChunk(_ head: [UInt8]) throws(CoreError) {
        let size = head.littleEndian(UInt32.self, at: 4)
        let padded = Int(size) + Int(size) % 2
        if head.prefix(4).elementsEqual("fmt ".utf8) {
            guard (16...65_536).contains(size) else {
                throw CoreError(.audioMalformed, "The format chunk of the WAV file has \(size) bytes.")
            }
            stage = .format(padded: padded)
        } else if head.prefix(4).elementsEqual("data".utf8) {
            guard let layout else {
                throw CoreError(.audioMalformed, "The WAV file has samples before it says their format.")
            }
            // A killed recorder leaves zeros; with a whole file around it, an empty data chunk means no samples.
            let isUnknown = WAVReader.isPlaceholder(size) || (size == 0 && isRIFFSizeUnknown)
            let header = WAVHeader(layout: layout, dataBytes: isUnknown ? nil : Int(size))
            let format =
                wanted
                ?? AudioFormat(
                    sampleRate: layout.sampleRate,
                    channels: layout.channels,
                    sample: layout.sample == .float32 ? .float32 : .int16
                )
            converter = try PCMConverter(from: layout, to: format)
            self.header = header
            self.format = format
            stage = header.dataBytes == 0 ? .ended : .samples(header.dataBytes)
        } else {
            stage = padded == 0 ? .chunk : .skip(padded)
        }
    }

    /// Writers to a pipe announce 0xFFFFFFFF, 0x7FFFFFFF or a little less (their header taken off).
    private static func isPlaceholder(_ size: UInt32) -> Bool { size >= 0x7FFF_E000 }

    private static func layout(of body: [UInt8]) throws(CoreError) -> PCMConverter.Layout {
        var tag = body.littleEndian(UInt16.self, at: 0)
        let channels = Int(body.littleEndian(UInt16.self, at: 2))
        let sampleRate = Int(body.littleEndian(UInt32.self, at: 4))
        let blockBytes = Int(body.littleEndian(UInt16.self, at: 12))
        let bits = Int(body.littleEndian(UInt16.self, at: 14))
        if tag == 0xFFFE {
            guard body.count >= 40 else {
                throw CoreError(.audioMalformed, "The extensible format chunk of the WAV file is too short.")
            }
            // A sub-format is a tag followed by the same 14 bytes for every registered encoding.
            let family: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
            guard Array(body[26..<40]) == family else {
                throw CoreError(.audioUnsupported, "The WAV file has an encoding of its own; save it as PCM.")
            }
            tag = body.littleEndian(UInt16.self, at: 24)
        }
        guard (1...1_000_000).contains(sampleRate), (1...64).contains(channels) else {
            let message = "The WAV file says \(sampleRate) Hz with \(channels) channels."
            throw CoreError(.audioInvalidFormat, message)
        }
        let sample: PCMConverter.Layout.Sample
        switch (tag, bits) {
        case (1, 8): sample = .uint8
        case (1, 9...16): sample = .int16
        case (1, 17...24) where blockBytes == channels * 3: sample = .int24
        case (1, 17...32): sample = .int32
        case (3, 32): sample = .float32
        default:
            let message = "WAV encoding \(tag) with \(bits) bits is not read here; save it as 16-bit PCM."
            throw CoreError(.audioUnsupported, message)
        }
        let layout = PCMConverter.Layout(sampleRate: sampleRate, channels: channels, sample: sample)
        guard layout.bytesPerFrame == blockBytes else {
            let message = "The WAV file says \(blockBytes) bytes a frame for \(channels) samples of \(bits) bits."
            throw CoreError(.audioMalformed, message)
        }
        return layout
    }
}

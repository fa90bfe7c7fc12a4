// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// Reads a WAV file that arrives in pieces cut anywhere, and gives its samples in the wanted format.
///
/// It takes what real writers produce: sizes of 0xFFFFFFFF (or near 2 GiB) from a stream that could not go back, a size
/// of 0 from a recorder that was killed, chunks in front of the samples with or without odd sizes, RF64 and BW64,
/// `WAVE_FORMAT_EXTENSIBLE`, integers of 8, 16, 24 and 32 bits and 32-bit floats. What follows the samples is ignored.
package struct WAVReader: Sendable {
    private enum Stage: Sendable {
        case riff
        case chunk
        case format(padded: Int)
        case longSizes(padded: Int)
        /// Sizes are of 32 bits, so they fit everywhere.
        case skip(Int)
        /// `nil` means to the end of the file.
        case samples(Int?)
        /// Behind a data chunk that says it is empty: another chunk, or the samples of a recorder that was killed.
        case unsaid
        case ended
    }

    /// The header in the chunks before the samples; `nil` until the samples begin.
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
    /// The size in an RF64 file's chunk of 64-bit sizes; `nil` if it has none.
    private var longDataBytes: Int?

    /// - Parameter format: The format to convert to; `nil` keeps the file's rate and channels, as signed 16-bit
    ///   integers, or as floats where the file has floats.
    package init(as format: AudioFormat? = nil) { wanted = format }

    /// Takes the next bytes of the file.
    ///
    /// - Parameter bytes: Any number of them, also none.
    /// - Returns: Whole frames in the wanted format, as far as these bytes complete them.
    /// - Throws: ``CoreError`` with `audioMalformed`, `audioUnsupported` or `audioInvalidFormat`; the reader is of no
    ///   use after that.
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
            case .longSizes(let padded):
                guard let body = collector.collect(16, from: &rest) else { return output }
                longDataBytes = Int(exactly: body.littleEndian(UInt64.self, at: 8))
                stage = padded > 16 ? .skip(padded - 16) : .chunk
            case .skip(let count):
                let taken = min(count, rest.count)
                rest = rest.dropFirst(taken)
                stage = taken == count ? .chunk : .skip(count - taken)
            case .samples(let remaining):
                let taken = min(remaining ?? rest.count, rest.count)
                output += converter?.convert(rest.prefix(taken)) ?? []
                rest = rest.dropFirst(taken)
                stage = remaining.map { $0 == taken ? .ended : .samples($0 - taken) } ?? .samples(nil)
            case .unsaid:
                guard let head = collector.collect(8, from: &rest) else { return output }
                if ByteCollector.isChunk(named: head.prefix(4), bytes: UInt64(head.littleEndian(UInt32.self, at: 4))) {
                    stage = .ended
                } else {
                    output += convertUnsaid(head)
                }
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
        var output: [UInt8] = []
        switch stage {
        case .samples(.some):
            // Nobody's one file is that large: the writer guessed, since it could not go back.
            isTruncated = (header?.dataBytes ?? 0) < WAVReader.guessBytes
        case .unsaid:
            let rest = collector.rest()
            if !rest.isEmpty { output = convertUnsaid(rest) }
        default: break
        }
        stage = .ended
        return output + (converter?.finish() ?? [])
    }

    /// Reads a whole file.
    ///
    /// - Parameters:
    ///   - file: Its bytes.
    ///   - format: The wanted format; `nil` keeps the file's rate and channels.
    ///   - limit: The most bytes of samples.
    /// - Returns: The samples, and their format.
    /// - Throws: ``CoreError`` as ``feed(_:)`` and ``finish()`` throw; with `audioTooLarge` above the limit.
    package static func read(
        _ file: [UInt8],
        as format: AudioFormat? = nil,
        limit: Int = PCMConverter.mostBytes
    ) throws(CoreError) -> (samples: [UInt8], format: AudioFormat) {
        var reader = WAVReader(as: format)
        var samples: [UInt8] = []
        // In pieces, so that what is held between the two forms is small.
        for start in stride(from: 0, to: file.count, by: PCMConverter.pieceBytes) {
            samples += try reader.feed(Array(file[start..<min(start + PCMConverter.pieceBytes, file.count)]))
            try PCMConverter.check(samples.count, limit: limit)
        }
        samples += try reader.finish()
        try PCMConverter.check(samples.count, limit: limit)
        guard let format = reader.format else {
            throw CoreError(.audioTruncated, "The audio ends inside the header of its WAV file; record it again.")
        }
        return (samples, format)
    }

    // MARK: Chunks

    private mutating func readRIFF(_ head: [UInt8]) throws(CoreError) {
        // RF64 and BW64 are the same with a chunk of 64-bit sizes (EBU Tech 3306, ITU-R BS.2088). The size of the whole
        // is left aside: where it is wrong, the samples are there all the same.
        let isWAV = ["RIFF", "RF64", "BW64"].contains { head.prefix(4).elementsEqual($0.utf8) }
        guard isWAV, head.suffix(4).elementsEqual("WAVE".utf8) else {
            throw CoreError(.audioMalformed, "The audio does not begin as a WAV file does.")
        }
        stage = .chunk
    }

    /// The data chunk said that it is empty, and these are samples all the same.
    private mutating func convertUnsaid(_ bytes: [UInt8]) -> [UInt8] {
        header = header.map { WAVHeader(layout: $0.layout, dataBytes: nil) }
        stage = .samples(nil)
        return converter?.convert(bytes) ?? []
    }

    private mutating func enterChunk(_ head: [UInt8]) throws(CoreError) {
        let size = head.littleEndian(UInt32.self, at: 4)
        let padded = Int(size) + Int(size) % 2
        if head.prefix(4).elementsEqual("fmt ".utf8) {
            guard (16...65_536).contains(size) else {
                throw CoreError(.audioMalformed, "The format chunk of the WAV file has \(size) bytes.")
            }
            stage = .format(padded: padded)
        } else if head.prefix(4).elementsEqual("ds64".utf8) {
            guard (16...65_536).contains(size) else {
                throw CoreError(.audioMalformed, "The chunk of 64-bit sizes of the WAV file has \(size) bytes.")
            }
            stage = .longSizes(padded: padded)
        } else if head.prefix(4).elementsEqual("data".utf8) {
            guard let layout else {
                throw CoreError(.audioMalformed, "The WAV file has samples before it says their format.")
            }
            let header = WAVHeader(layout: layout, dataBytes: dataBytes(size))
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
            stage = header.dataBytes == 0 ? .unsaid : .samples(header.dataBytes)
        } else {
            stage = padded == 0 ? .chunk : .skip(padded)
        }
    }

    /// The bytes of samples that a data chunk of this size announces; `nil` where its writer did not know.
    private func dataBytes(_ size: UInt32) -> Int? {
        if size == .max, let longDataBytes, longDataBytes > 0 { return longDataBytes }
        // Writers to a pipe announce 0xFFFFFFFF, 0x7FFFFFFF or a little less (their header taken off).
        return size >= 0x7FFF_E000 ? nil : Int(size)
    }

    /// From so many bytes on, a size that does not come true is no sign of a cut.
    private static let guessBytes = 1 << 28

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
        guard PCMConverter.rates.contains(sampleRate), PCMConverter.channelCounts.contains(channels) else {
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

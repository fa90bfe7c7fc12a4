// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// Reads a Core Audio file that arrives in pieces cut anywhere, and gives its samples in the wanted format.
///
/// It takes linear PCM of 8, 16, 24 and 32 bits and 32-bit floats in either order of bytes, chunks of any kind before
/// the samples, and a size of -1, which a recorder writes that was not finished. What follows the samples is ignored.
public struct CAFReader: Sendable {
    private enum Stage: Sendable {
        case file
        case chunk
        case description(Int)
        case skip(Int)
        case edits(Int?)
        /// `nil` means to the end of the file.
        case samples(Int?)
        /// Behind a data chunk that says it is empty: another chunk, or the samples of a recorder that was killed.
        case unsaid
        case ended
    }

    /// The header in the chunks before the samples; `nil` until the samples begin.
    package private(set) var header: CAFHeader?
    /// Whether the file ended before the samples it announced; known after ``finish()``. What was there was given out.
    package private(set) var isTruncated = false
    /// The format of the bytes given out; `nil` until the samples begin.
    public private(set) var format: AudioFormat?

    private let wanted: AudioFormat?
    private var stage = Stage.file
    private var collector = ByteCollector()
    private var description: (layout: PCMConverter.Layout, isBigEndian: Bool)?
    private var order: SampleByteOrder?
    private var converter: PCMConverter?

    /// - Parameter format: The format to convert to; `nil` keeps the file's rate and channels, as signed 16-bit
    ///   integers, or as floats where the file has floats.
    public init(as format: AudioFormat? = nil) { wanted = format }

    /// Takes the next bytes of the file.
    ///
    /// - Parameter bytes: Any number of them, also none.
    /// - Returns: Whole frames in the wanted format, as far as these bytes complete them.
    /// - Throws: ``CoreError`` with `audioMalformed`, `audioUnsupported` (an encoding that is not linear PCM) or
    ///   `audioInvalidFormat`; the reader is of no use after that.
    public mutating func feed(_ bytes: [UInt8]) throws(CoreError) -> [UInt8] {
        var rest = bytes[...]
        var output: [UInt8] = []
        while !rest.isEmpty {
            switch stage {
            case .file:
                guard let head = collector.collect(8, from: &rest) else { return output }
                guard head.prefix(4).elementsEqual("caff".utf8), head.bigEndian(UInt16.self, at: 4) == 1 else {
                    throw CoreError(.audioMalformed, "The audio does not begin as a CAF file of version 1 does.")
                }
                stage = .chunk
            case .chunk:
                guard let head = collector.collect(12, from: &rest) else { return output }
                try enterChunk(head)
            case .description(let size):
                guard let body = collector.collect(32, from: &rest) else { return output }
                description = try CAFReader.description(of: body)
                stage = size > 32 ? .skip(size - 32) : .chunk
            case .skip(let count):
                let taken = min(count, rest.count)
                rest = rest.dropFirst(taken)
                stage = taken == count ? .chunk : .skip(count - taken)
            case .edits(let count):
                guard collector.collect(4, from: &rest) != nil else { return output }
                stage = count == 0 ? .unsaid : .samples(count)
            case .samples(let remaining):
                let taken = rest.prefix(min(remaining ?? rest.count, rest.count))
                output += convert(Array(taken))
                rest = rest.dropFirst(taken.count)
                stage = remaining.map { $0 == taken.count ? .ended : .samples($0 - taken.count) } ?? .samples(nil)
            case .unsaid:
                guard let head = collector.collect(12, from: &rest) else { return output }
                if ByteCollector.isChunk(named: head.prefix(4), bytes: head.bigEndian(UInt64.self, at: 4)) {
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
    public mutating func finish() throws(CoreError) -> [UInt8] {
        var output: [UInt8] = []
        switch stage {
        case .samples(let remaining): isTruncated = remaining != nil
        case .unsaid:
            let rest = collector.rest()
            if !rest.isEmpty { output = convertUnsaid(rest) }
        case .ended: break
        default: throw CAFReader.truncated
        }
        stage = .ended
        return output + (converter?.finish() ?? [])
    }

    /// Reads a whole file.
    ///
    /// - Parameters:
    ///   - file: Its bytes.
    ///   - format: The wanted format; `nil` keeps the file's rate and channels.
    /// - Returns: The samples, and their format.
    /// - Throws: ``CoreError`` as ``feed(_:)`` and ``finish()`` throw; with `audioTooLarge` above 512 MiB of samples.
    public static func read(
        _ file: [UInt8],
        as format: AudioFormat? = nil
    ) throws(CoreError) -> (samples: [UInt8], format: AudioFormat) {
        var reader = CAFReader(as: format)
        var samples: [UInt8] = []
        // In pieces, so that what is held between the two forms is small.
        for start in stride(from: 0, to: file.count, by: PCMConverter.pieceBytes) {
            samples += try reader.feed(Array(file[start..<min(start + PCMConverter.pieceBytes, file.count)]))
            try PCMConverter.check(samples.count, limit: PCMConverter.mostBytes)
        }
        samples += try reader.finish()
        try PCMConverter.check(samples.count, limit: PCMConverter.mostBytes)
        guard let format = reader.format else { throw truncated }
        return (samples, format)
    }

    private static var truncated: CoreError {
        CoreError(.audioTruncated, "The audio ends inside the header of its CAF file; record it again.")
    }

    // MARK: Chunks

    private mutating func convert(_ bytes: [UInt8]) -> [UInt8] {
        converter?.convert(order?.littleEndian(bytes) ?? bytes) ?? []
    }

    /// The data chunk said that it is empty, and these are samples all the same.
    private mutating func convertUnsaid(_ bytes: [UInt8]) -> [UInt8] {
        header = header.map { CAFHeader(layout: $0.layout, isBigEndian: $0.isBigEndian, dataBytes: nil) }
        stage = .samples(nil)
        return convert(bytes)
    }

    private mutating func enterChunk(_ head: [UInt8]) throws(CoreError) {
        let size = Int(head.bigEndian(Int64.self, at: 4))
        if head.prefix(4).elementsEqual("desc".utf8) {
            guard (32...65_536).contains(size) else {
                throw CoreError(.audioMalformed, "The description chunk of the CAF file has \(size) bytes.")
            }
            stage = .description(size)
        } else if head.prefix(4).elementsEqual("data".utf8) {
            guard let (layout, isBigEndian) = description else {
                throw CoreError(.audioMalformed, "The CAF file has samples before it says their format.")
            }
            guard size == -1 || size >= 4 else {
                throw CoreError(.audioMalformed, "The data chunk of the CAF file has \(size) bytes.")
            }
            let format =
                wanted
                ?? AudioFormat(
                    sampleRate: layout.sampleRate,
                    channels: layout.channels,
                    sample: layout.sample == .float32 ? .float32 : .int16
                )
            converter = try PCMConverter(from: layout, to: format)
            order = SampleByteOrder(layout.sample, isBigEndian: isBigEndian)
            self.format = format
            header = CAFHeader(layout: layout, isBigEndian: isBigEndian, dataBytes: size == -1 ? nil : size - 4)
            stage = .edits(header?.dataBytes)
        } else {
            guard size >= 0 else {
                throw CoreError(.audioMalformed, "A chunk of the CAF file has \(size) bytes.")
            }
            stage = size == 0 ? .chunk : .skip(size)
        }
    }

    private static func description(of body: [UInt8]) throws(CoreError) -> (
        layout: PCMConverter.Layout, isBigEndian: Bool
    ) {
        let rate = Double(bitPattern: body.bigEndian(UInt64.self, at: 0))
        guard body[8..<12].elementsEqual("lpcm".utf8) else {
            throw CoreError(.audioUnsupported, "The CAF file does not hold linear PCM; save it as 16-bit PCM.")
        }
        let flags = body.bigEndian(UInt32.self, at: 12)
        let bytesPerFrame = body.bigEndian(UInt32.self, at: 16)
        let framesPerPacket = body.bigEndian(UInt32.self, at: 20)
        let channels = body.bigEndian(UInt32.self, at: 24)
        let bits = body.bigEndian(UInt32.self, at: 28)
        let rates = Double(PCMConverter.rates.lowerBound)...Double(PCMConverter.rates.upperBound)
        guard rates.contains(rate), (1...64).contains(channels) else {
            throw CoreError(.audioInvalidFormat, "The CAF file says \(rate) Hz with \(channels) channels.")
        }
        // A rate that is no whole number would change the pitch if it were cut to one.
        guard rate == rate.rounded() else {
            throw CoreError(.audioUnsupported, "The CAF file says \(rate) Hz, which is not read here.")
        }
        let sample: PCMConverter.Layout.Sample
        switch (flags & 1, bits) {
        case (0, 8): sample = .uint8
        case (0, 16): sample = .int16
        case (0, 24): sample = .int24
        case (0, 32): sample = .int32
        case (1, 32): sample = .float32
        default:
            let kind = flags & 1 == 1 ? "floats" : "integers"
            throw CoreError(.audioUnsupported, "CAF \(kind) of \(bits) bits are not read here; save 16-bit PCM.")
        }
        let layout = PCMConverter.Layout(sampleRate: Int(rate), channels: Int(channels), sample: sample)
        guard framesPerPacket == 1, Int(bytesPerFrame) == layout.bytesPerFrame else {
            let message = "The CAF file says \(bytesPerFrame) bytes a frame for \(channels) samples of \(bits) bits."
            throw CoreError(.audioMalformed, message)
        }
        return (layout, flags & 2 == 0)
    }
}

/// Brings a CAF file's samples, cut anywhere, into the form that a converter takes.
struct SampleByteOrder: Sendable {
    private let width: Int
    private let isSigned8: Bool
    private var aligner: FrameAligner

    /// `nil` where the samples are in that form already.
    init?(_ sample: PCMConverter.Layout.Sample, isBigEndian: Bool) {
        guard isBigEndian || sample == .uint8 else { return nil }
        width = sample.bytes
        // CAF has signed bytes, WAV unsigned ones.
        isSigned8 = sample == .uint8
        aligner = FrameAligner(bytesPerFrame: width)
    }

    /// The samples that these bytes complete.
    mutating func littleEndian(_ bytes: [UInt8]) -> [UInt8] {
        if isSigned8 { return bytes.map { $0 ^ 0x80 } }
        let whole = aligner.align(bytes)
        return stride(from: 0, to: whole.count, by: width).flatMap { whole[$0..<($0 + width)].reversed() }
    }
}

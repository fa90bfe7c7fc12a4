// Riff
// SPDX-License-Identifier: Apache-2.0

/// Converts PCM that arrives in pieces cut anywhere: sample form, channels and rate.
///
/// Integers and floats map as 32,768 = 1.0, so that 16-bit samples pass unchanged where only the form changes. Mixing
/// down averages the channels; one channel is copied to many; other changes of the channel count are refused.
public struct PCMConverter: Sendable {
    /// What comes in.
    public let input: PCMLayout
    /// What is given out.
    public let output: AudioFormat

    private let isCopy: Bool
    private var partial: [UInt8] = []
    private var resamplers: [Resampler]

    /// A converter.
    ///
    /// - Throws: ``CoreError`` with `audioInvalidFormat` for no frames, `audioUnsupported` for a change of channels or of
    ///   rate that is not made here.
    public init(from input: PCMLayout, to output: AudioFormat) throws(CoreError) {
        guard input.sampleRate > 0, input.channels > 0, output.sampleRate > 0, output.channels > 0 else {
            throw CoreError(.audioInvalidFormat, "Audio of 0 Hz or 0 channels cannot be converted.")
        }
        guard output.channels == 1 || input.channels == 1 || output.channels == input.channels else {
            let message = "Audio of \(input.channels) channels is not made into \(output.channels) channels."
            throw CoreError(.audioUnsupported, message)
        }
        self.input = input
        self.output = output
        isCopy = input == PCMLayout(output)
        resamplers = []
        if input.sampleRate != output.sampleRate {
            // Mixing down comes first and copying to many channels last, so that no channel is filtered in vain.
            for _ in 0..<min(input.channels, output.channels) {
                resamplers.append(try Resampler(from: input.sampleRate, to: output.sampleRate))
            }
        }
    }

    /// Converts the next bytes.
    ///
    /// - Parameter bytes: Bytes of the input layout; a frame may be cut.
    /// - Returns: Whole frames of the output format, little-endian.
    public mutating func convert(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var whole = partial
        whole += bytes
        let cut = whole.count % input.bytesPerFrame
        partial = Array(whole.suffix(cut))
        whole.removeLast(cut)
        if isCopy || whole.isEmpty { return whole }
        return encode(filtered(channels(of: whole)))
    }

    /// Gives the frames that a change of rate still held; a cut frame is dropped.
    public mutating func finish() -> [UInt8] {
        partial = []
        guard !resamplers.isEmpty else { return [] }
        var channels: [[Float]] = []
        for index in resamplers.indices { channels.append(resamplers[index].finish()) }
        return encode(channels)
    }

    private mutating func filtered(_ channels: [[Float]]) -> [[Float]] {
        guard !resamplers.isEmpty else { return channels }
        var filtered: [[Float]] = []
        for index in resamplers.indices { filtered.append(resamplers[index].process(channels[index])) }
        return filtered
    }

    /// Decodes frames into one array a channel, mixed down where the output is mono.
    private func channels(of bytes: [UInt8]) -> [[Float]] {
        let frames = bytes.count / input.bytesPerFrame
        let width = input.sample.bytes
        let mixes = output.channels == 1 && input.channels > 1
        var channels = [[Float]](repeating: [], count: mixes ? 1 : input.channels)
        for index in channels.indices { channels[index].reserveCapacity(frames) }
        var offset = 0
        for _ in 0..<frames {
            var sum: Float = 0
            for channel in 0..<input.channels {
                let value = PCMConverter.value(of: input.sample, in: bytes, at: offset)
                offset += width
                if mixes { sum += value } else { channels[channel].append(value) }
            }
            if mixes { channels[0].append(sum / Float(input.channels)) }
        }
        return channels
    }

    private func encode(_ channels: [[Float]]) -> [UInt8] {
        let frames = channels.first?.count ?? 0
        var bytes: [UInt8] = []
        bytes.reserveCapacity(frames * output.bytesPerFrame)
        for frame in 0..<frames {
            for channel in 0..<output.channels {
                let value = channels[min(channel, channels.count - 1)][frame]
                switch output.sample {
                case .int16:
                    let sample = UInt16(bitPattern: PCMConverter.int16(value))
                    bytes.append(UInt8(truncatingIfNeeded: sample))
                    bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
                case .float32: bytes.appendLittleEndian(value.bitPattern)
                }
            }
        }
        return bytes
    }

    /// A sample as a float, -1 to 1.
    static func value(of sample: PCMLayout.Sample, in bytes: [UInt8], at offset: Int) -> Float {
        switch sample {
        case .uint8: return (Float(bytes[offset]) - 128) / 128
        case .int16:
            let value = Int16(bitPattern: UInt16(bytes[offset]) | UInt16(bytes[offset + 1]) << 8)
            return Float(value) / 32_768
        case .int24:
            let raw = UInt32(bytes[offset]) << 8 | UInt32(bytes[offset + 1]) << 16 | UInt32(bytes[offset + 2]) << 24
            return Float(Int32(bitPattern: raw)) / 2_147_483_648
        case .int32: return Float(bytes.littleEndian(Int32.self, at: offset)) / 2_147_483_648
        case .float32:
            let value = Float(bitPattern: bytes.littleEndian(UInt32.self, at: offset))
            // A broken writer's NaN must not reach a filter, where it would stay for ever.
            return value.isFinite ? value : 0
        }
    }

    /// The nearest 16-bit sample; what is louder than full scale is clipped.
    package static func int16(_ value: Float) -> Int16 {
        Int16(max(-32_768, min(32_767, (value * 32_768).rounded())))
    }
}

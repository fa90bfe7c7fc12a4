// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// Converts PCM that arrives in pieces cut anywhere: sample form, channels and rate.
///
/// Integers and floats map as 32,768 = 1.0, so that 16-bit samples pass unchanged where only the form changes. Mixing
/// down averages the channels; one channel is copied to many; other changes of the channel count are refused.
public struct PCMConverter: Sendable {
    /// The layout of the samples that come in.
    package let input: PCMConverter.Layout
    /// What is given out.
    package let output: AudioFormat

    private let isCopy: Bool
    private var partial: [UInt8] = []
    private var resamplers: [Resampler]

    /// Creates a converter.
    ///
    /// - Throws: ``CoreError`` with `audioInvalidFormat` for no frames, `audioUnsupported` for a change of channels or
    ///   of rate that is not made here.
    public init(from input: PCMConverter.Layout, to output: AudioFormat) throws(CoreError) {
        guard input.sampleRate > 0, input.channels > 0, output.sampleRate > 0, output.channels > 0 else {
            throw CoreError(.audioInvalidFormat, "Audio of 0 Hz or 0 channels cannot be converted.")
        }
        guard output.channels == 1 || input.channels == 1 || output.channels == input.channels else {
            let message = "Audio of \(input.channels) channels is not made into \(output.channels) channels."
            throw CoreError(.audioUnsupported, message)
        }
        self.input = input
        self.output = output
        isCopy = input == PCMConverter.Layout(output)
        resamplers = []
        if input.sampleRate != output.sampleRate {
            // Mixing down comes first and copying to many channels last, so that no channel is filtered in vain.
            let resampler = try Resampler(from: input.sampleRate, to: output.sampleRate)
            resamplers = Array(repeating: resampler, count: min(input.channels, output.channels))
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
        let mixes = output.channels == 1 && input.channels > 1
        return bytes.withUnsafeBytes { bytes in
            (0..<(mixes ? 1 : input.channels)).map { channel in
                [Float](unsafeUninitializedCapacity: frames) { samples, count in
                    for frame in 0..<frames {
                        let offset = frame * input.bytesPerFrame
                        samples[frame] = mixes ? mixed(bytes, at: offset) : value(channel, in: bytes, at: offset)
                    }
                    count = frames
                }
            }
        }
    }

    private func value(_ channel: Int, in bytes: UnsafeRawBufferPointer, at offset: Int) -> Float {
        PCMConverter.value(of: input.sample, in: bytes, at: offset + channel * input.sample.bytes)
    }

    private func mixed(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Float {
        var sum: Float = 0
        for channel in 0..<input.channels { sum += value(channel, in: bytes, at: offset) }
        return sum / Float(input.channels)
    }

    private func encode(_ channels: [[Float]]) -> [UInt8] {
        let frames = channels.first?.count ?? 0
        let width = output.bytesPerFrame / output.channels
        return [UInt8](unsafeUninitializedCapacity: frames * output.bytesPerFrame) { bytes, count in
            let bytes = UnsafeMutableRawBufferPointer(bytes)
            for channel in 0..<output.channels {
                channels[min(channel, channels.count - 1)].withUnsafeBufferPointer { samples in
                    var offset = channel * width
                    for sample in samples {
                        switch output.sample {
                        case .int16:
                            let value = PCMConverter.int16(sample).littleEndian
                            bytes.storeBytes(of: value, toByteOffset: offset, as: Int16.self)
                        case .float32:
                            let value = sample.bitPattern.littleEndian
                            bytes.storeBytes(of: value, toByteOffset: offset, as: UInt32.self)
                        }
                        offset += output.bytesPerFrame
                    }
                }
            }
            count = frames * output.bytesPerFrame
        }
    }

    /// A sample as a float, -1 to 1. Its bytes must be there.
    static func value(of sample: PCMConverter.Layout.Sample, in bytes: UnsafeRawBufferPointer, at offset: Int) -> Float
    {
        switch sample {
        case .uint8: return (Float(bytes[offset]) - 128) / 128
        case .int16:
            return Float(Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int16.self))) / 32_768
        case .int24:
            let raw = UInt32(bytes[offset]) << 8 | UInt32(bytes[offset + 1]) << 16 | UInt32(bytes[offset + 2]) << 24
            return Float(Int32(bitPattern: raw)) / 2_147_483_648
        case .int32:
            let value = Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: Int32.self))
            return Float(value) / 2_147_483_648
        case .float32:
            let raw = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            let value = Float(bitPattern: raw)
            // A broken writer's NaN must not reach a filter, where it would stay for ever.
            return value.isFinite ? value : 0
        }
    }

    /// The nearest 16-bit sample; what is louder than full scale is clipped.
    package static func int16(_ value: Float) -> Int16 {
        Int16(max(-32_768, min(32_767, (value * 32_768).rounded(.toNearestOrEven))))
    }
}

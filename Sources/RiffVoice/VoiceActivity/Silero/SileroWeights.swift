// Riff
// SPDX-License-Identifier: Apache-2.0

internal import CSileroWeights
public import RiffCore

/// The numbers of the Silero VAD 6 network for 16 kHz, in the order that ``SileroNetwork`` computes with.
///
/// Each layer is written as `[input][output]`, so that outputs are summed side by side; a convolution's inputs run over
/// its taps, then over its channels. `scripts/extract-silero-weights` writes them in this order.
///
/// Source: Silero VAD 6.2.3, https://github.com/snakers4/silero-vad (MIT; the license lies beside the weights).
package struct SileroWeights: Sendable {
    /// A fully connected layer's place among the numbers: `inputs` rows of `outputs` weights, then the biases.
    struct Layer: Sendable {
        let offset: Int
        let inputs: Int
        let outputs: Int
        let bias: Int
        let end: Int

        init(after last: Layer?, inputs: Int, outputs: Int) {
            offset = last?.end ?? 0
            self.inputs = inputs
            self.outputs = outputs
            bias = offset + inputs * outputs
            end = bias + outputs
        }
    }

    /// Three taps over 129 frequencies.
    static let first = Layer(after: nil, inputs: 3 * 129, outputs: 128)
    /// Three taps over 128 channels.
    static let second = Layer(after: first, inputs: 3 * 128, outputs: 64)
    /// The last two of three taps over 64 channels: the first one meets only padding.
    static let third = Layer(after: second, inputs: 2 * 64, outputs: 64)
    /// The middle one of three taps over 64 channels: the others meet only padding.
    static let fourth = Layer(after: third, inputs: 64, outputs: 128)
    /// The gates input, forget, cell and output, from the input and then from the hidden state; their two biases as
    /// one.
    static let gates = Layer(after: fourth, inputs: 256, outputs: 512)
    /// The probability, before the sigmoid.
    static let last = Layer(after: gates, inputs: 128, outputs: 1)

    /// The number of weights.
    package static let count = last.end

    let values: [Float]

    /// The weights that came with the package.
    ///
    /// - Throws: ``VoiceError`` with `voiceWeightsUnusable` where a compiler without `#embed` left them out.
    package init() throws(VoiceError) {
        var bytes = 0
        let start = riff_silero_weights(&bytes)
        try self.init(littleEndian: UnsafeRawBufferPointer(start: start, count: bytes))
    }

    /// Weights read from elsewhere.
    ///
    /// - Parameter bytes: ``count`` IEEE 754 numbers of 32 bits, little-endian.
    /// - Throws: ``VoiceError`` with `voiceWeightsUnusable` for another count, or for one that is not finite.
    package init(_ bytes: [UInt8]) throws(VoiceError) {
        // Typed throws do not pass through withUnsafeBytes' rethrow with every compiler: the result carries the error.
        let result: Result<SileroWeights, VoiceError> = bytes.withUnsafeBytes { buffer in
            do throws(VoiceError) { return .success(try SileroWeights(littleEndian: buffer)) } catch {
                return .failure(error)
            }
        }
        self = try result.get()
    }

    private init(littleEndian buffer: UnsafeRawBufferPointer) throws(VoiceError) {
        guard buffer.count == SileroWeights.count * 4 else {
            throw SileroWeights.unusable(
                "there are \(buffer.count) bytes of them instead of \(SileroWeights.count * 4)"
            )
        }
        #if _endian(big)
        throw SileroWeights.unusable("this machine writes numbers the other way round")
        #else
        values = Array(unsafeUninitializedCapacity: SileroWeights.count) { values, count in
            UnsafeMutableRawBufferPointer(values).copyBytes(from: buffer)
            count = SileroWeights.count
        }
        // What is not finite stays so in a sum.
        guard values.reduce(0, +).isFinite else { throw SileroWeights.unusable("some are not finite") }
        #endif
    }

    private static func unusable(_ reason: String) -> VoiceError {
        let message = "The weights of the voice activity network cannot be used: \(reason)."
        return VoiceError(
            .voiceWeightsUnusable,
            message + " Take the energy detector, or build with clang 19 or later."
        )
    }
}

extension VoiceErrorCode {
    /// The network's weights are not part of this build, or are damaged.
    public static let voiceWeightsUnusable = VoiceError.Code(rawValue: "voiceWeightsUnusable")
}

// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The Silero VAD 6 network for 16 kHz: 512 samples in, the probability that they hold speech out.
///
/// The magnitudes of four overlapping spectra go through four convolutions (129, 128, 64, 64, 128 channels), one LSTM
/// cell and one neuron. It is pure: what it remembers is the caller's ``SileroState``. One network serves any number of
/// streams.
///
/// Source: `silero_vad.onnx` of Silero VAD 6.2.3, https://github.com/snakers4/silero-vad; its probabilities are met
/// within 0.0001.
package struct SileroNetwork: Sendable {
    /// Samples of one frame, at 16 kHz.
    package static let frameSamples = 512

    private let weights: [Float]
    private let transform = FourierTransform(count: 256)
    private let window: [Float]

    /// A network with these weights.
    package init(_ weights: SileroWeights) {
        self.weights = weights.values
        window = (0..<256).map { Float(0.5 - 0.5 * cos(2 * Double.pi * Double($0) / 256)) }
    }

    /// The probability that a frame holds speech. Each call takes 15 KB to compute in; ``NeuralVoiceDetector`` takes
    /// them once.
    ///
    /// - Parameters:
    ///   - frame: ``frameSamples`` samples, -1 to 1; missing ones count as silence, further ones are left out.
    ///   - state: What was heard before; holds this frame too afterwards.
    /// - Returns: 0 to 1.
    package func probability(of frame: [Float], state: inout SileroState) -> Float {
        var workspace = SileroWorkspace()
        return frame.withUnsafeBufferPointer { probability(of: $0, state: &state, workspace: &workspace) }
    }

    /// The same without allocating: the workspace is the caller's, and holds nothing between two frames.
    func probability(
        of frame: UnsafeBufferPointer<Float>,
        state: inout SileroState,
        workspace: inout SileroWorkspace
    ) -> Float {
        workspace.numbers.withUnsafeMutableBufferPointer { numbers in
            weights.withUnsafeBufferPointer { weights in
                guard let work = numbers.baseAddress, let weights = weights.baseAddress else { return 0 }
                let layers = Layers(weights: weights)
                takeSamples(frame, context: &state.context, into: work + SileroWorkspace.samples)
                takeSpectra(of: work)
                let encoded = layers.encode(work)
                return layers.recur(encoded, work: work, hidden: &state.hidden, cell: &state.cell)
            }
        }
    }

    /// The last 64 samples of the frame before, the frame, and its last 64 samples mirrored.
    private func takeSamples(
        _ frame: UnsafeBufferPointer<Float>,
        context: inout [Float],
        into samples: UnsafeMutablePointer<Float>
    ) {
        for index in 0..<64 { samples[index] = context[index] }
        for index in 0..<512 { samples[64 + index] = index < frame.count ? SampleFrame.sound(frame[index]) : 0 }
        for index in 0..<64 {
            samples[576 + index] = samples[574 - index]
            context[index] = samples[512 + index]
        }
    }

    /// The magnitudes of four windows of 256 samples, 128 apart, between two rows of zeros.
    private func takeSpectra(of work: UnsafeMutablePointer<Float>) {
        let samples = work + SileroWorkspace.samples
        let (real, imaginary) = (work + SileroWorkspace.real, work + SileroWorkspace.imaginary)
        for pair in 0..<2 {
            let (one, two) = (samples + pair * 256, samples + pair * 256 + 128)
            for index in 0..<256 {
                real[index] = one[index] * window[index]
                imaginary[index] = two[index] * window[index]
            }
            transform.transform(real, imaginary)
            let row = work + SileroWorkspace.spectra + (1 + 2 * pair) * 129
            for bin in 0...128 {
                let mirror = (256 - bin) & 255
                let (sumReal, difference) = (real[bin] + real[mirror], real[bin] - real[mirror])
                let (sumImaginary, opposite) = (imaginary[bin] + imaginary[mirror], imaginary[bin] - imaginary[mirror])
                row[bin] = (sumReal * sumReal + opposite * opposite).squareRoot() / 2
                row[129 + bin] = (sumImaginary * sumImaginary + difference * difference).squareRoot() / 2
            }
        }
    }
}

extension SileroNetwork {
    /// The layers, over the numbers of one workspace.
    private struct Layers {
        let weights: UnsafePointer<Float>

        /// The four convolutions. A row of a convolution's input is one moment, so that three moments lie side by side
        /// as the inputs of one fully connected layer; the rows before the first and after the last moment are zero.
        func encode(_ work: UnsafeMutablePointer<Float>) -> UnsafeMutablePointer<Float> {
            let (spectra, first) = (work + SileroWorkspace.spectra, work + SileroWorkspace.first)
            let (second, third) = (work + SileroWorkspace.second, work + SileroWorkspace.third)
            for moment in 0..<4 {
                rectified(SileroWeights.first, spectra + moment * 129, first + (1 + moment) * 128)
            }
            for moment in 0..<2 {
                rectified(SileroWeights.second, first + 2 * moment * 128, second + moment * 64)
            }
            rectified(SileroWeights.third, second, third)
            let inputs = work + SileroWorkspace.recurrent
            rectified(SileroWeights.fourth, third, inputs)
            return inputs
        }

        /// The LSTM cell and the last neuron. `inputs` has room for the hidden state behind the 128 encoded numbers.
        func recur(
            _ inputs: UnsafeMutablePointer<Float>,
            work: UnsafeMutablePointer<Float>,
            hidden: inout [Float],
            cell: inout [Float]
        ) -> Float {
            for index in 0..<128 { inputs[128 + index] = hidden[index] }
            let gates = work + SileroWorkspace.gates
            connect(SileroWeights.gates, inputs, gates)
            var sum = weights[SileroWeights.last.bias]
            for index in 0..<128 {
                let kept = sigmoid(gates[128 + index]) * cell[index]
                cell[index] = kept + sigmoid(gates[index]) * tanhf(gates[256 + index])
                hidden[index] = sigmoid(gates[384 + index]) * tanhf(cell[index])
                sum += max(0, hidden[index]) * weights[SileroWeights.last.offset + index]
            }
            return sigmoid(sum)
        }

        private func sigmoid(_ value: Float) -> Float { 1 / (1 + expf(-value)) }

        private func rectified(
            _ layer: SileroWeights.Layer,
            _ inputs: UnsafePointer<Float>,
            _ outputs: UnsafeMutablePointer<Float>
        ) {
            connect(layer, inputs, outputs)
            for index in 0..<layer.outputs { outputs[index] = max(0, outputs[index]) }
        }

        /// Four inputs at a time are added to all outputs, and the compiler makes vectors of the inner loop. Explicit
        /// vectors took a third less time when optimized, which is little of little, and 18 times more when not, where
        /// tests run (measured with Swift 6.3 on x86-64).
        private func connect(
            _ layer: SileroWeights.Layer,
            _ inputs: UnsafePointer<Float>,
            _ outputs: UnsafeMutablePointer<Float>
        ) {
            let count = layer.outputs
            outputs.update(from: weights + layer.bias, count: count)
            var row = weights + layer.offset
            var index = 0
            while index &+ 4 <= layer.inputs {
                let (a, b, c, d) = (inputs[index], inputs[index &+ 1], inputs[index &+ 2], inputs[index &+ 3])
                let (second, third, fourth) = (row + count, row + 2 * count, row + 3 * count)
                var output = 0
                while output < count {
                    outputs[output] += row[output] * a + second[output] * b + third[output] * c + fourth[output] * d
                    output &+= 1
                }
                row += 4 * count
                index &+= 4
            }
            while index < layer.inputs {
                for output in 0..<count { outputs[output] += row[output] * inputs[index] }
                row += count
                index &+= 1
            }
        }
    }
}

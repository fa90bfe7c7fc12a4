// Riff
// SPDX-License-Identifier: Apache-2.0

/// The numbers between the network's layers, in one allocation that is used again for each frame.
struct SileroWorkspace: Sendable {
    /// 64 samples of context, 512 of the frame, 64 mirrored.
    static let samples = 0
    static let real = samples + 640
    static let imaginary = real + 256
    /// Four rows of magnitudes between two rows that stay zero.
    static let spectra = imaginary + 256
    /// Four rows between two that stay zero.
    static let first = spectra + 6 * 129
    static let second = first + 6 * 128
    static let third = second + 2 * 64
    /// The place of the LSTM cell's input: the encoded frame, then its hidden state.
    static let recurrent = third + 64
    static let gates = recurrent + 256
    static let count = gates + 512

    var numbers = [Float](repeating: 0, count: count)
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// The network's memory between two frames: pass the same value in for one stream of audio, a new one for another.
package struct SileroState: Sendable, Hashable {
    /// The hidden state of the recurrent layer: 128 numbers.
    package internal(set) var hidden: [Float]
    /// The cell state of the recurrent layer: 128 numbers.
    package internal(set) var cell: [Float]
    /// The last 64 samples of the frame before.
    package internal(set) var context: [Float]

    /// The state before the first frame.
    package init() {
        hidden = Array(repeating: 0, count: 128)
        cell = Array(repeating: 0, count: 128)
        context = Array(repeating: 0, count: 64)
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffVoice

/// The curve that an oscilloscope shows of the microphone: that of each window of sound, in as many points as a display
/// needs.
///
/// A pure value: the points depend on the samples alone, never on how they are cut into calls.
package struct HubWaveform: Sendable {
    /// The points of one window.
    package static let points = 64
    /// Samples that become one point: 64 of them are 51 ms at 16 kHz.
    private static let samplesPerPoint = 13

    private var pending: [UInt8] = []

    package init() {}

    /// Takes samples of the format `AudioFormat.speech`.
    ///
    /// - Parameter bytes: The next bytes; a sample may be cut.
    /// - Returns: The points of each window that these bytes complete, from -1 to 1.
    package mutating func process(_ bytes: [UInt8]) -> [[Float]] {
        pending += bytes
        let pointBytes = 2 * Self.samplesPerPoint
        let windowBytes = pointBytes * Self.points
        var windows: [[Float]] = []
        var start = 0
        while pending.count - start >= windowBytes {
            windows.append((0..<Self.points).map { point(from: start + $0 * pointBytes) })
            start += windowBytes
        }
        pending.removeFirst(start)
        return windows
    }

    /// The sample that is farthest from silence: a mean would show none of a high tone.
    private func point(from start: Int) -> Float {
        var farthest: Int16 = 0
        for index in 0..<Self.samplesPerPoint {
            let place = start + 2 * index
            let sample = Int16(bitPattern: UInt16(pending[place]) | UInt16(pending[place + 1]) << 8)
            if sample.magnitude > farthest.magnitude { farthest = sample }
        }
        return max(-1, Float(farthest) / 32_767)
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// The power that each band of the spectrum does not fall below: the least of its smoothed power within the last second
/// and a half.
///
/// Speech leaves every band now and then for less than that; a machine does not.
struct NoiseFloor: Sendable {
    /// Windows in a block of which only the least power is kept, and how many blocks are looked back on.
    private static let blockWindows = 32
    private static let blocks = 4
    /// The least of a noise's smoothed power lies this much below its mean.
    private static let bias: Float = 1.3

    private var smoothed: [Float] = []
    private var current: [Float] = []
    private var past: [[Float]] = []
    private var windows = 0

    /// Takes the powers of the next window.
    ///
    /// - Returns: The floor of each band.
    mutating func follow(_ powers: [Float]) -> [Float] {
        if smoothed.isEmpty {
            smoothed = powers
            current = powers
        }
        for band in powers.indices {
            smoothed[band] += 0.15 * (powers[band] - smoothed[band])
            current[band] = min(current[band], smoothed[band])
        }
        var floor = current
        for block in past { for band in floor.indices { floor[band] = min(floor[band], block[band]) } }
        for band in floor.indices { floor[band] *= NoiseFloor.bias }
        windows += 1
        if windows == NoiseFloor.blockWindows {
            past.append(current)
            if past.count > NoiseFloor.blocks { past.removeFirst() }
            current = smoothed
            windows = 0
        }
        return floor
    }
}

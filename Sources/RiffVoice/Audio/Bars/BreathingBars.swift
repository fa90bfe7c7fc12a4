// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The bars while nothing is heard but something is done: all of them lit, brighter and darker together.
public enum BreathingBars {
    /// The heights at a moment; a pure function of it.
    ///
    /// - Parameters:
    ///   - count: How many bars there are.
    ///   - elapsed: How long it has been done; at 0 they are brightest.
    ///   - period: One breath; 0.9 s unless said otherwise.
    ///   - darkest: The height in the middle of a breath, 0 to 1.
    /// - Returns: `count` times the same height, between `darkest` and 1.
    public static func heights(
        count: Int,
        at elapsed: Duration,
        period: Duration = .milliseconds(900),
        darkest: Float = 0.4
    ) -> [Float] {
        let place = period > .zero ? elapsed / period : 0
        let light = Float(0.5 + 0.5 * cos(2 * Double.pi * (place - place.rounded(.down))))
        let floor = max(0, min(1, darkest))
        return [Float](repeating: floor + (1 - floor) * light, count: max(0, count))
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// Turns of a mouse wheel, as a terminal reports them to what runs in it (xterm's SGR form, mode 1006).
package enum WheelReport {
    /// The most ticks of one event: a fling of a finger must not scroll for seconds.
    package static let mostTicks = 8

    /// The bytes for one event.
    ///
    /// - Parameter ticks: How far; positive is up, towards older output. At most ``mostTicks`` count, either way.
    /// - Returns: One report for each tick.
    package static func bytes(_ ticks: Int) -> [UInt8] {
        let count = counted(ticks)
        let report = Array("\u{1B}[<\(count > 0 ? up : down);1;1M".utf8)
        return Array(repeatElement(report, count: abs(count)).joined())
    }

    /// The ticks that count.
    package static func counted(_ ticks: Int) -> Int { min(max(ticks, -mostTicks), mostTicks) }

    package static let up = 64
    package static let down = 65
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// The bytes that a host keeps of a pane, as its answer tells of them.
package struct TapContents: Sendable, Hashable {
    /// A number of bytes that were there at a time, in seconds since 1970 by the host's clock.
    package struct Time: Sendable, Hashable {
        package var offset: UInt64
        package var seconds: Double
    }

    /// The number of the first byte that was not kept yet.
    package var end: UInt64
    /// Whether what is kept comes compressed, and the channel ends with it.
    package var isCompressed: Bool
    /// Times in the order of their bytes.
    package var times: [Time]

    /// Reads `NUMBER:SECONDS,...`; what is none is left out.
    static func times(_ text: String) -> [Time] {
        var times: [Time] = []
        for word in text.split(byte: ",") {
            let parts = word.split(byte: ":")
            guard parts.count == 2, let offset = UInt64(parts[0]), let seconds = UInt32(parts[1]) else { continue }
            // A clock that was set back, or a file that is not the script's.
            guard offset >= times.last?.offset ?? 0, Double(seconds) >= times.last?.seconds ?? 0 else { continue }
            times.append(Time(offset: offset, seconds: Double(seconds)))
        }
        return times
    }

    /// The time by which a byte was written, and the number of the first byte of which that is not known to be true.
    ///
    /// - Parameter offset: The byte's number.
    /// - Returns: Both; `nil` for a byte that was not kept, or where no time was noted after it.
    func time(of offset: UInt64) -> (seconds: Double, until: UInt64)? {
        guard offset < end else { return nil }
        var (low, high) = (0, times.count)
        while low < high {
            let middle = (low + high) / 2
            if times[middle].offset > offset { high = middle } else { low = middle + 1 }
        }
        return low < times.count ? (times[low].seconds, min(times[low].offset, end)) : nil
    }
}

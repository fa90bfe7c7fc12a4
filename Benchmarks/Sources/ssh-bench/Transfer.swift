// Riff
// SPDX-License-Identifier: Apache-2.0

/// The times and the CPU use of a transfer.
struct Transfer {
    private static let clock = ContinuousClock()
    /// The CPU seconds of the process that is the client; `nil` where that is this one.
    private let childSeconds: (() -> Double?)?
    private let start = clock.now
    private var first: (instant: ContinuousClock.Instant, own: Double, child: Double?, bytes: Int)?
    private(set) var bytes = 0

    init(childSeconds: (() -> Double?)? = nil) { self.childSeconds = childSeconds }

    /// More came.
    mutating func came(_ count: Int) {
        bytes += count
        if first == nil { first = (Self.clock.now, ownProcessorSeconds(), childSeconds?(), bytes) }
    }

    /// What it took, after the last byte.
    ///
    /// - Parameters:
    ///   - expected: How many bytes should have come.
    ///   - childEnd: The CPU seconds of the client's process when it has ended.
    /// - Returns: The numbers.
    /// - Throws: `BenchError` when another number of bytes came.
    func sample(of expected: Int, childEnd: () -> Double? = { nil }) throws -> Sample {
        let (end, own) = (Self.clock.now, ownProcessorSeconds())
        guard bytes == expected, let first else { throw BenchError("\(bytes) bytes came instead of \(expected)") }
        let gigabytes = Double(bytes - first.bytes) / 1e9
        var sample: Sample = [
            .secondsPerGB: (end - start) / .seconds(1) / (Double(bytes) / 1e9),
            .steadyPerGB: (end - first.instant) / .seconds(1) / gigabytes,
        ]
        let reading = (own - first.own) / gigabytes
        if childSeconds == nil {
            sample[.cpuPerGB] = reading
            sample[.cpuWithReaderPerGB] = reading
        } else if let last = childEnd(), let child = first.child {
            sample[.cpuPerGB] = (last - child) / gigabytes
            sample[.cpuWithReaderPerGB] = (last - child) / gigabytes + reading
        }
        return sample
    }
}

/// How long something took, in seconds.
struct Stopwatch {
    private static let clock = ContinuousClock()
    private let start = clock.now

    var seconds: Double { (Self.clock.now - start) / .seconds(1) }
}

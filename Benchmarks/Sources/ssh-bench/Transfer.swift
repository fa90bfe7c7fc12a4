// Riff
// SPDX-License-Identifier: Apache-2.0

/// The times and the CPU use of a transfer.
struct Transfer {
    private static let clock = ContinuousClock()
    private let start = clock.now
    private let ownStart = ownProcessorSeconds()
    private var first: ContinuousClock.Instant?
    private var firstBytes = 0
    private(set) var bytes = 0

    /// More came. It counts from the end of the first chunk on.
    mutating func came(_ count: Int) {
        bytes += count
        if first == nil {
            first = Self.clock.now
            firstBytes = bytes
        }
    }

    /// What it took, after the last byte.
    ///
    /// - Parameters:
    ///   - expected: How many bytes should have come.
    ///   - child: The CPU seconds of the process that is the client; `nil` where this process is.
    func sample(of expected: Int, child: () -> Double? = { nil }) throws -> Sample {
        let end = Self.clock.now
        let own = ownProcessorSeconds() - ownStart
        guard bytes == expected, let first else { throw BenchError("\(bytes) bytes came instead of \(expected)") }
        let child = child()
        let gigabytes = Double(bytes) / 1e9
        return [
            .secondsPerGB: (end - start) / .seconds(1) / gigabytes,
            .steadyPerGB: (end - first) / .seconds(1) / (Double(bytes - firstBytes) / 1e9),
            .cpuPerGB: (child ?? own) / gigabytes,
            .cpuWithReaderPerGB: (own + (child ?? 0)) / gigabytes,
        ]
    }
}

/// How long something took, in seconds.
struct Stopwatch {
    private static let clock = ContinuousClock()
    private let start = clock.now

    var seconds: Double { (Self.clock.now - start) / .seconds(1) }
}

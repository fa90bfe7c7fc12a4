// Riff
// SPDX-License-Identifier: Apache-2.0

/// Numbers of which one wants the middle, because a busy machine makes outliers.
struct Distribution: Codable {
    let count: Int
    let lowerQuartile: Double
    let median: Double
    let upperQuartile: Double

    /// `nil` for no values.
    init?(_ values: [Double]) {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        count = sorted.count
        lowerQuartile = Self.quantile(0.25, ofSorted: sorted)
        median = Self.quantile(0.5, ofSorted: sorted)
        upperQuartile = Self.quantile(0.75, ofSorted: sorted)
    }

    /// The value below which the fraction lies, linear between neighbors. The values must be sorted, and not none.
    static func quantile(_ fraction: Double, ofSorted sorted: [Double]) -> Double {
        let place = fraction * Double(sorted.count - 1)
        let below = Int(place)
        let above = min(below + 1, sorted.count - 1)
        return sorted[below] + (sorted[above] - sorted[below]) * (place - Double(below))
    }
}

extension [Double] {
    /// The median and the 99th percentile of times in seconds, as milliseconds.
    var latencies: Sample {
        let sorted = self.sorted()
        return [
            .p50: Distribution.quantile(0.5, ofSorted: sorted) * 1000,
            .p99: Distribution.quantile(0.99, ofSorted: sorted) * 1000,
        ]
    }
}

extension Sample {
    /// Latencies beside a flood, with what the flood got and how they compare with those before it.
    func flooded(by bytes: Int, in seconds: Double, idle: Sample) throws -> Sample {
        guard bytes > 0 else { throw BenchError("the flood stood still") }
        var sample = self
        sample[.floodPerGB] = seconds / (Double(bytes) / 1e9)
        if let before = idle[.p50], let median = self[.p50] { sample[.timesIdle] = median / before }
        return sample
    }
}

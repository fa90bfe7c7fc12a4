// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The outcome of all pairs.
struct Report: Codable {
    /// One metric of one case.
    struct Row: Codable {
        let benchCase: BenchCase
        let metric: Metric
        let ours: Distribution
        let peer: Distribution
        /// Of the pairs' ratios, ours to the peer's: neighbors in time shared the machine's load.
        let ratio: Distribution
    }

    let ours: Side
    let peer: Side
    let pairs: Int
    let cipher: String
    let mac: String
    /// The one-minute load average before and after.
    let loadBefore: Double
    let loadAfter: Double
    let rows: [Row]

    /// The rows of a case: pairs of samples, ours first.
    static func rows(of benchCase: BenchCase, pairs: [(ours: Sample, peer: Sample)]) -> [Row] {
        Metric.allCases.compactMap { metric in
            let values = pairs.compactMap { pair -> (ours: Double, peer: Double)? in
                guard let ours = pair.ours[metric], let peer = pair.peer[metric], peer > 0 else { return nil }
                return (ours, peer)
            }
            guard let ours = Distribution(values.map(\.ours)), let peer = Distribution(values.map(\.peer)),
                let ratio = Distribution(values.map { $0.ours / $0.peer })
            else { return nil }
            return Row(benchCase: benchCase, metric: metric, ours: ours, peer: peer, ratio: ratio)
        }
    }

    /// The table for a person.
    var table: String {
        func pad(_ text: String, _ width: Int) -> String {
            text.count < width ? String(repeating: " ", count: width - text.count) + text : text
        }
        func number(_ value: Double) -> String { String(format: value < 10 ? "%.3f" : "%.1f", value) }
        func spread(_ of: Distribution) -> String {
            "\(number(of.median)) [\(number(of.lowerQuartile)), \(number(of.upperQuartile))]"
        }
        let name = { (text: String, width: Int) in text.padding(toLength: width, withPad: " ", startingAt: 0) }
        var lines = [
            name("case", 15) + name("metric", 14) + pad(ours.rawValue, 26) + pad(peer.rawValue, 26) + pad("ratio", 26)
        ]
        for row in rows {
            lines.append(
                name(row.benchCase.rawValue, 15) + name(row.metric.rawValue, 14) + pad(spread(row.ours), 26)
                    + pad(spread(row.peer), 26) + pad(spread(row.ratio), 26)
            )
        }
        lines.append(
            "median [quartiles] of \(pairs) alternated pairs; less is better; \(cipher), \(mac); load average "
                + "\(number(loadBefore)) before, \(number(loadAfter)) after"
        )
        return lines.joined(separator: "\n")
    }

    /// The report as JSON.
    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try encoder.encode(self)
    }
}

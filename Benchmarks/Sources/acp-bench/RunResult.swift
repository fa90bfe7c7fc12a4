// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What one client did in one run. Times are milliseconds.
struct RunResult: Sendable {
    var perSecond: Double
    var p50: Double
    var p99: Double
    var roundTrip: Double
    var isInOrder: Bool

    var line: String {
        String(
            format: "%8.0f updates/s   latency p50 %7.3f  p99 %7.3f ms   round trip p50 %.3f ms   %@",
            perSecond,
            p50,
            p99,
            roundTrip,
            isInOrder ? "in order" : "OUT OF ORDER"
        )
    }

    static func median(_ runs: [RunResult]) -> RunResult {
        func middle(_ value: (RunResult) -> Double) -> Double { runs.map(value).sorted()[runs.count / 2] }
        return RunResult(
            perSecond: middle(\.perSecond),
            p50: middle(\.p50),
            p99: middle(\.p99),
            roundTrip: middle(\.roundTrip),
            isInOrder: runs.allSatisfy(\.isInOrder)
        )
    }
}

/// The clients of acp_replay.py.
enum PythonPeer {
    struct Failed: Error { let output: String }

    static func run(_ mode: String, python: String, _ options: Options) throws -> RunResult {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [python, options.script, mode] + options.agentArguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard let json = try JSONSerialization.jsonObject(with: output) as? [String: Any],
            let latency = json["lat_ms"] as? [String: Double], let trips = json["rtt_ms"] as? [String: Double],
            let perSecond = (json["msgs_per_s"] as? NSNumber)?.doubleValue
        else { throw Failed(output: String(decoding: output, as: UTF8.self)) }
        return RunResult(
            perSecond: perSecond,
            p50: latency["p50"] ?? .nan,
            p99: latency["p99"] ?? .nan,
            roundTrip: trips["p50"] ?? .nan,
            isInOrder: json["in_order"] as? Bool ?? false
        )
    }
}

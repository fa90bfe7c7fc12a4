// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffHermes

/// What a large Hermes database costs. `Benchmarks/hermes_fill.py` makes the file.
///
///     hermes-bench FILE           CPU time of each question on a warm file, and the memory of all
///     hermes-bench FILE ssh       the first page over SSH on the loopback, against a copy
@main
enum HermesBench {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard let file = arguments.first else {
            Swift.print("hermes-bench FILE [ssh]")
            exit(64)
        }
        if arguments.contains("ssh") { try await RemoteCase.run(file) } else { try await LocalCase.run(file) }
    }

    /// CPU seconds of this process, in all its threads.
    static func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Prints the median and the extremes of nine rounds, behind two that are not counted.
    static func measure(_ name: String, goal: Double, _ body: () async throws -> String) async throws {
        var note = ""
        for _ in 0..<2 { note = try await body() }
        var seconds: [Double] = []
        for _ in 0..<9 {
            let start = cpuSeconds()
            _ = try await body()
            seconds.append(cpuSeconds() - start)
        }
        seconds.sort()
        let figures = String(
            format: "%.1f ms CPU [%.1f, %.1f], goal %.0f",
            seconds[4] * 1e3,
            seconds[0] * 1e3,
            seconds[8] * 1e3,
            goal
        )
        Swift.print("\(name)\t\(figures)\t\(note)")
    }
}

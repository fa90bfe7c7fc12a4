// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What reading data at rest costs: CPU time of this process, and its memory.
///
///     data-bench transcripts [--messages 1000000] [--at FILE]    a transcript store; FILE is built where there is none
@main
enum DataBench {
    static func main() async throws {
        var arguments = CommandLine.arguments.dropFirst()
        switch arguments.popFirst() {
        case "transcripts": try await TranscriptCase(arguments).run()
        default:
            Swift.print("usage: data-bench transcripts [--messages 1000000] [--at FILE]")
            exit(64)
        }
    }

    /// CPU seconds of this process.
    static func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The CPU milliseconds of the first time, and the middle and the most of nine times more.
    static func figure(_ name: String, goal: Double? = nil, _ body: () async throws -> String) async throws {
        var start = cpuSeconds()
        let note = try await body()
        let first = (cpuSeconds() - start) * 1000
        var times: [Double] = []
        for _ in 0..<9 {
            start = cpuSeconds()
            _ = try await body()
            times.append((cpuSeconds() - start) * 1000)
        }
        times.sort()
        let bound = goal.map { String(format: "goal %.0f", $0) } ?? ""
        let text = String(format: "first %.1f ms\tmedian %.1f ms\tmost %.1f ms", first, times[4], times[8])
        Swift.print("\(name)\t\(text)\t\(bound)\t\(note)")
    }

    /// The most memory that this process has had, in MiB.
    static func peakMegabytes() -> Double {
        var usage = rusage()
        #if canImport(Darwin)
        getrusage(RUSAGE_SELF, &usage)
        return Double(usage.ru_maxrss) / 1_048_576
        #else
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_maxrss) / 1024
        #endif
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What event streams and chat replies cost: megabytes and events for each CPU second, and what is allocated.
///
///     stream-bench [events | chat | linear | memory]    one of them, or all
///     stream-bench peers [--rounds 5]                   the comparison with Python's libraries, in alternated rounds
///
/// The libraries are those that scripts/fetch-stream-peers fetches; `RIFF_STREAM_PEERS` names the folder of another
/// environment that has them.
@main
enum StreamBench {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments.first == "peers" {
            let rounds = arguments.dropFirst().first == "--rounds" ? arguments.last.flatMap { Int($0) } : nil
            return try PeerCase.run(rounds: rounds ?? 5)
        }
        func wants(_ name: String) -> Bool { arguments.isEmpty || arguments.contains(name) }
        if wants("events") { try EventCase.speed() }
        if wants("chat") { ChatCase.speed() }
        if wants("linear") { try EventCase.linearity() }
        if wants("memory") {
            try EventCase.memory()
            ChatCase.memory()
        }
    }

    /// CPU seconds of this process.
    static func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// The CPU seconds of five rounds, in order of size; before them one that is not counted.
    static func rounds(_ body: () throws -> Void) rethrows -> [Double] {
        try body()
        return try (0..<5).map { _ in
            let start = cpuSeconds()
            try body()
            return cpuSeconds() - start
        }.sorted()
    }

    static func print(_ name: String, _ figure: String, _ values: any CVarArg...) {
        Swift.print("\(name)\t" + String(format: figure, arguments: values))
    }
}

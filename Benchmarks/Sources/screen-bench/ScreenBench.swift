// Riff
// SPDX-License-Identifier: Apache-2.0

import CCountedMemory
import Foundation
import RiffCore
import RiffScreen

/// How fast a screen takes bytes, what it allocates for them, what a cell costs, and how long links take to find.
///
///     screen-bench [plain | sgr | unicode | memory | links]    one case, or all
@main
enum ScreenBench {
    static func main() {
        let names = CommandLine.arguments.dropFirst()
        func wants(_ name: String) -> Bool { names.isEmpty || names.contains(name) }
        for (name, bytes) in [("plain", Sample.plain), ("sgr", Sample.dense), ("unicode", Sample.wide)]
        where wants(name) {
            feed(name, bytes())
        }
        if wants("memory") { memory() }
        if wants("links") { for pattern in ["[", "https://", "a", "[x](y"] { links(pattern) } }
    }

    /// CPU seconds of this process.
    static func cpuSeconds() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func print(_ name: String, _ figure: String, _ values: any CVarArg...) {
        Swift.print("\(name)\t" + String(format: figure, arguments: values))
    }

    /// The median of five rounds of a second or so each, in pieces as a connection brings them.
    private static func feed(_ name: String, _ bytes: [UInt8]) {
        var screen = Screen(size: TerminalSize(columns: 80, rows: 24))
        func once() {
            for start in stride(from: 0, to: bytes.count, by: 32 * 1024) {
                screen.feed(bytes[start..<min(start + 32 * 1024, bytes.count)])
            }
            _ = screen.takeEvents()
        }
        // The scrollback is full from here on.
        for _ in 0..<4 { once() }
        count_memory(true)
        let before = counted_allocations()
        once()
        count_memory(false)
        let allocations = Double(counted_allocations() - before)
        let rounds = (0..<5).map { _ in
            let start = cpuSeconds()
            var count = 0
            repeat {
                once()
                count += bytes.count
            } while cpuSeconds() - start < 1
            return Double(count) / 1e6 / (cpuSeconds() - start)
        }.sorted()
        let lines = Double(bytes.count { $0 == 10 })
        print(
            name,
            "%.0f MB per CPU second [%.0f, %.0f]; allocations: %.4f a byte, %.2f a line",
            rounds[2],
            rounds[1],
            rounds[3],
            allocations / Double(bytes.count),
            allocations / lines
        )
    }

    private static func memory() {
        let columns = 200
        let text = Array((String(repeating: "x", count: columns) + "\r\n").utf8)
        count_memory(true)
        defer { count_memory(false) }
        let before = counted_bytes()
        var screen = Screen(size: TerminalSize(columns: columns, rows: 50))
        for _ in 0..<4000 { screen.feed(text) }
        let bytes = Double(counted_bytes() - before)
        print("memory", "%.2f bytes a cell", bytes / Double(screen.lines.count * columns))
    }

    private static func links(_ pattern: String) {
        let columns = 1 << 20
        var screen = Screen(size: TerminalSize(columns: columns, rows: 2))
        screen.feed(String(repeating: pattern, count: columns / pattern.utf8.count))
        let times = (0..<5).map { _ in
            let start = cpuSeconds()
            precondition(screen.links(in: screen.visibleLines).count <= columns)
            return (cpuSeconds() - start) * 1000
        }.sorted()
        print("links", "%.1f ms of CPU for a row of 1 MB of \(pattern)", times[2])
    }
}

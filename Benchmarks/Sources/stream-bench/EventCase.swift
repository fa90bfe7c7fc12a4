// Riff
// SPDX-License-Identifier: Apache-2.0

import CCountedMemory
import Foundation
import RiffTransport

/// The parser of event streams alone.
enum EventCase {
    /// How many events are in a body that arrives in chunks.
    @discardableResult
    static func read(_ bytes: [UInt8], _ chunk: Int) throws -> Int {
        var parser = ServerSentEventParser()
        return try read(bytes, chunk, &parser)
    }

    private static func read(_ bytes: [UInt8], _ chunk: Int, _ parser: inout ServerSentEventParser) throws -> Int {
        var outputs: [ServerSentEventParser.Output] = []
        var events = 0
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            outputs.removeAll(keepingCapacity: true)
            try parser.feed(bytes[start..<min(start + chunk, bytes.count)], into: &outputs)
            events += outputs.count
        }
        return events
    }

    static func speed() throws {
        try speed("chat, 16 KB chunks", Sample.chat(bytes: 200 << 20), 16 << 10)
        try speed("chat, 64 B chunks", Sample.chat(bytes: 50 << 20), 64)
        try speed("bare, 16 KB chunks", Sample.bare(bytes: 50 << 20), 16 << 10)
        try speed("1 MB lines, 16 KB chunks", Sample.huge(bytes: 100 << 20), 16 << 10)
        try speed("200,000 lines an event", Sample.lines(count: 200_000), 16 << 10)
    }

    private static func speed(_ name: String, _ bytes: [UInt8], _ chunk: Int) throws {
        let events = try read(bytes, chunk)
        let seconds = try StreamBench.rounds { try read(bytes, chunk) }
        func rate(_ seconds: Double) -> Double { Double(bytes.count) / 1e6 / seconds }
        StreamBench.print(
            name,
            "%.0f MB per CPU second [%.0f, %.0f]; %.2f million events",
            rate(seconds[2]),
            rate(seconds[3]),
            rate(seconds[1]),
            Double(events) / 1e6 / seconds[2]
        )
    }

    /// Whether a longer line costs more for each of its bytes.
    static func linearity() throws {
        for (name, chunk, counts) in [
            ("one line, 16 KB chunks", 16 << 10, [1 << 20, 5 << 20, 20 << 20]),
            ("one line, 7 B chunks", 7, [128 << 10, 512 << 10, 2 << 20]),
        ] {
            let figures = try counts.map { count in
                let bytes = Array("data: ".utf8) + [UInt8](repeating: 0x78, count: count) + [10, 10]
                let seconds = try StreamBench.rounds { for _ in 0..<8 { try read(bytes, chunk) } }[2] / 8
                return String(
                    format: "%ld KB: %.2f ms, %.2f a MB",
                    count >> 10,
                    seconds * 1e3,
                    seconds * 1e9 / Double(count)
                )
            }
            print("\(name)\t\(figures.joined(separator: "; "))")
        }
    }

    /// What a connection keeps after a million signs of life, and what it allocates for each.
    static func memory() throws {
        let bytes = Sample.comments(bytes: 26 * 1_000_000)
        var parser = ServerSentEventParser()
        _ = try read(Array(bytes[..<2600]), 100, &parser)
        count_memory(true)
        defer { count_memory(false) }
        let (kept, allocated) = (counted_bytes(), counted_allocations())
        let events = try read(bytes, 100, &parser)
        let more = counted_bytes() - kept
        // Freed any sooner, they would count as less.
        withExtendedLifetime(bytes) {}
        StreamBench.print(
            "keep-alives",
            "%ld bytes more kept after %ld of them; %.2f allocations each",
            more,
            events,
            Double(counted_allocations() - allocated) / Double(events)
        )
    }
}

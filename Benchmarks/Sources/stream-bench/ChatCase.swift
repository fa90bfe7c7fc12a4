// Riff
// SPDX-License-Identifier: Apache-2.0

import CCountedMemory
import HTTPTypes
import RiffGateway

/// The whole way of a chat reply: event stream, JSON, accumulation, pieces for whoever shows it.
enum ChatCase {
    /// The content of a body that arrives in chunks.
    @discardableResult
    static func read(_ bytes: [UInt8], _ chunk: Int) -> String {
        var reader = ChatReplyReader(HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"]))
        return read(bytes, chunk, &reader)
    }

    private static func read(_ bytes: [UInt8], _ chunk: Int, _ reader: inout ChatReplyReader) -> String {
        var deltas: [ChatDelta] = []
        bytes.withUnsafeBytes { bytes in
            for start in stride(from: 0, to: bytes.count, by: chunk) {
                deltas.removeAll(keepingCapacity: true)
                let part = bytes[start..<min(start + chunk, bytes.count)]
                reader.feed(UnsafeRawBufferPointer(rebasing: part), into: &deltas)
            }
        }
        return reader.end(into: &deltas).reply.content
    }

    static func speed() {
        for chunk in [16 << 10, 64] {
            let bytes = Sample.chat(bytes: 50 << 20)
            let seconds = StreamBench.rounds { read(bytes, chunk) }
            func rate(_ seconds: Double) -> Double { Double(bytes.count) / 1e6 / seconds }
            StreamBench.print(
                "whole chat path, \(chunk) B chunks",
                "%.0f MB per CPU second [%.0f, %.0f]; %.2f million pieces",
                rate(seconds[2]),
                rate(seconds[3]),
                rate(seconds[1]),
                Double(bytes.count) / 254 / 1e6 / seconds[2]
            )
        }
    }

    /// What a reply keeps while a gateway lets it wait, and what a piece of it allocates.
    static func memory() {
        let head = HTTPResponse(status: .ok, headerFields: [.contentType: "text/event-stream"])
        let comments = Sample.comments(bytes: 26 * 100_000)
        var waiting = ChatReplyReader(head)
        var deltas: [ChatDelta] = []
        func wait() {
            for start in stride(from: 0, to: comments.count, by: 100) {
                waiting.feed(Array(comments[start..<min(start + 100, comments.count)]), into: &deltas)
            }
        }
        wait()
        count_memory(true)
        let kept = counted_bytes()
        wait()
        let more = counted_bytes() - kept
        // Freed any sooner, it would count as less.
        withExtendedLifetime(comments) {}
        var reader = ChatReplyReader(head)
        let bytes = Sample.chat(bytes: 4 << 20)
        let before = counted_allocations()
        _ = read(bytes, 16 << 10, &reader)
        let allocations = counted_allocations() - before
        count_memory(false)
        StreamBench.print(
            "chat",
            "%ld bytes more kept after 100,000 keep-alives; %.1f allocations a piece",
            more,
            Double(allocations) / (Double(bytes.count) / 254)
        )
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
internal import RiffCore

/// The end of one of Claude Code's turns, as its transcript tells it: what it said when it had nothing left to do.
package struct ClaudeTurn: Sendable, Hashable {
    /// When it ended, in seconds since 1970.
    package let time: Double
    /// What it said, Markdown.
    package let text: String
    /// The record's own id, where it has one.
    package let id: String?

    /// Reads one line of a transcript (`~/.claude/projects/<folder>/<session>.jsonl`).
    ///
    /// Only what the agent says at the end of a turn is one: no side chain of a helper of its own, no preamble of a
    /// tool call, no thinking, nothing without words. Other kinds of lines, of which there are many and more with each
    /// version, are not.
    ///
    /// `nil` where the line is something else, or broken.
    ///
    /// - Parameter line: The line's bytes, without the line feed.
    package init?(line: some Sequence<UInt8>) {
        // A line that cannot be read is one of those that are skipped.
        guard let record = try? JSONValue(parsing: Array(line)), record["type"]?.text == "assistant",
            record["isSidechain"]?.bool != true, let message = record["message"],
            message["stop_reason"]?.text == "end_turn",
            let time = record["timestamp"]?.text.flatMap(Self.seconds(of:))
        else { return nil }
        let blocks = message["content"]?.array ?? []
        let texts = blocks.filter { $0["type"]?.text == "text" }.compactMap { $0["text"]?.text }
        let text = (message["content"]?.text.map { [$0] } ?? texts).joined(separator: "\n\n")
        guard text.contains(where: { !$0.isWhitespace }) else { return nil }
        (self.time, self.text, id) = (time, text, record["uuid"]?.text)
    }

    /// `2026-11-21T03:54:49.633Z` (ISO 8601), with or without a fraction.
    private static func seconds(of stamp: String) -> Double? {
        let styles = [true, false].map { Date.ISO8601FormatStyle(includingFractionalSeconds: $0) }
        return styles.lazy.compactMap { try? $0.parse(stamp) }.first?.timeIntervalSince1970
    }
}

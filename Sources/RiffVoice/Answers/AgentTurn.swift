// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
package import RiffCore

/// The end of one of an agent's turns, as its record tells it: what it said when it had nothing left to do, or why it
/// could not go on.
package struct AgentTurn: Sendable, Hashable {
    /// When it ended, in seconds since 1970.
    package let time: Double
    /// What it said, Markdown; of a turn that failed, the agent's own words for that.
    package let text: String
    /// The record's own id, where it has one.
    package let id: String?
    /// Whether it failed.
    package let isFailure: Bool

    /// A turn.
    package init(time: Double, text: String, id: String? = nil, isFailure: Bool = false) {
        self.time = time
        self.text = text
        self.id = id
        self.isFailure = isFailure
    }

    /// `2026-11-21T03:54:49.633Z` (ISO 8601), with or without a fraction; `nil` for anything else.
    static func seconds(of stamp: JSONValue?) -> Double? {
        guard let stamp = stamp?.text else { return nil }
        let styles = [true, false].map { Date.ISO8601FormatStyle(includingFractionalSeconds: $0) }
        return styles.lazy.compactMap { try? $0.parse(stamp) }.first?.timeIntervalSince1970
    }
}

/// Finds the ends of turns in the lines of a record, a value for each record.
package protocol AgentTurnReading: Sendable {
    /// Takes the next line.
    ///
    /// - Parameter line: The line's bytes, without the line feed.
    /// - Returns: The turn whose end is known now; `nil` where the line is something else, or broken.
    mutating func read(_ line: ArraySlice<UInt8>) -> AgentTurn?

    /// Nothing more was written for a moment.
    ///
    /// - Returns: A turn whose end is known by that.
    mutating func settle() -> AgentTurn?
}

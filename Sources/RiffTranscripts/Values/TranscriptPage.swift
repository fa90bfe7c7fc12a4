// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A place in a list of a ``TranscriptStore``; stays good whatever is written meanwhile, but for the lists that are
/// sorted by rank: how much a match weighs depends on all messages, so that what is written between two parts of such a
/// list may show a match twice or leave one out.
public struct TranscriptCursor: Sendable, Hashable {
    /// The value that the list is sorted by: a time or a rank.
    let key: Double
    /// The number of the row, by which equal keys are sorted.
    let number: Int64
}

/// A part of a list.
public struct TranscriptPage<Element: Sendable>: Sendable {
    /// What is in it.
    public let elements: [Element]
    /// The cursor for the part that follows; `nil` at the end.
    public let next: TranscriptCursor?
}

/// A part of a session's messages, oldest first.
public struct TranscriptMessagePage: Sendable {
    /// The messages of this part, oldest first.
    public let messages: [ChatEntry]
    /// The cursor for the messages before; `nil` at the beginning.
    public let earlier: TranscriptCursor?
    /// The cursor for the messages after: also at the end, where there will be some.
    public let later: TranscriptCursor?
    /// Whether there are messages behind.
    public let isBehindEnd: Bool
}

extension TranscriptStore {
    /// Which part of a session's messages.
    public enum Position: Sendable, Hashable {
        /// The first ones.
        case oldest
        /// The last ones.
        case newest
        /// Those before a place.
        case before(TranscriptCursor)
        /// Those behind a place.
        case after(TranscriptCursor)
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// Bytes that a pane's program wrote, as it wrote them.
public struct PaneChunk: Sendable, Hashable {
    /// Bytes that are missing before a chunk.
    public enum Gap: Sendable, Hashable {
        /// So many were dropped: they came faster than they were read.
        case bytes(UInt64)
        /// The tap had to be started again, and what was written meanwhile was not seen.
        case unknown
    }

    /// The bytes, at least one; they may begin and end in the middle of anything.
    public let bytes: [UInt8]
    /// What is missing right before them; `nil` if nothing is.
    public let gap: Gap?
    /// The number of the first byte among all that came through this tap; it starts again from 0 after an unknown gap.
    public let offset: UInt64
    /// The time at which they arrived here, in seconds since 1970. Bytes that the host kept from before are older.
    public let receivedAt: Double

    package init(bytes: [UInt8], gap: Gap?, offset: UInt64, receivedAt: Double) {
        self.bytes = bytes
        self.gap = gap
        self.offset = offset
        self.receivedAt = receivedAt
    }
}

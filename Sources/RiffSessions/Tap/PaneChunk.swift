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
    /// The time by which the pane's program had written them, in seconds since 1970: by the host's clock if the host
    /// kept them and noted it, and else ``receivedAt``.
    public let writtenAt: Double
    private let tap: String

    package init(
        bytes: [UInt8],
        gap: Gap?,
        offset: UInt64,
        receivedAt: Double,
        writtenAt: Double? = nil,
        tap: String = ""
    ) {
        self.bytes = bytes
        self.gap = gap
        self.offset = offset
        self.receivedAt = receivedAt
        self.writtenAt = writtenAt ?? receivedAt
        self.tap = tap
    }

    /// The place of the byte after the last: kept, it is the place from which
    /// ``PaneTap/resume(_:from:isCompressed:bufferedBytes:)`` continues.
    public var end: PanePosition {
        PanePosition(tap: tap, offset: offset.addingReportingOverflow(UInt64(bytes.count)).partialValue)
    }

    /// The chunk with a gap more before it.
    func after(_ earlier: Gap?) -> PaneChunk {
        let gap = Gap.adding(earlier, gap)
        return PaneChunk(
            bytes: bytes,
            gap: gap,
            offset: offset,
            receivedAt: receivedAt,
            writtenAt: writtenAt,
            tap: tap
        )
    }
}

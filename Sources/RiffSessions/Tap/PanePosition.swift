// Riff
// SPDX-License-Identifier: Apache-2.0

/// A place in the bytes of a pane, to be kept over the end of the app and to go on from; see ``PaneChunk/end``.
public struct PanePosition: Sendable, Hashable, Codable {
    /// The name of the tap on the host; another one numbers its bytes from the beginning.
    package let tap: String
    /// The number of the next byte among all that came through that tap.
    public let offset: UInt64

    package init(tap: String, offset: UInt64) {
        self.tap = tap
        self.offset = offset
    }
}

/// The byte of a pane at which reading begins.
public enum PaneStart: Sendable, Hashable {
    /// The oldest that the host keeps.
    case oldest
    /// The next that comes; the screen of the moment is tmux's to tell.
    case newest
    /// One where an earlier reader ended. The first chunk tells how many are missing (``PaneChunk/gap``), if any are.
    case position(PanePosition)
}

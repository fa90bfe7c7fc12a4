// Riff
// SPDX-License-Identifier: Apache-2.0

/// A whole message.
public enum WebSocketMessage: Sendable, Hashable {
    /// Text, sent as UTF-8.
    case text(String)
    /// Bytes.
    case binary([UInt8])

    /// Its size on the wire, before compression.
    public var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        }
    }

    /// What it takes of a buffer: an empty one takes room as well.
    package var heldBytes: Int { byteCount + 32 }
}

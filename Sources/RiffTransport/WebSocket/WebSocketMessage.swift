// Riff
// SPDX-License-Identifier: Apache-2.0

/// A whole message.
public enum WebSocketMessage: Sendable, Hashable {
    /// Text, sent as UTF-8.
    case text(String)
    /// A message of bytes.
    case binary([UInt8])

    /// Its size on the wire, before compression.
    public var byteCount: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .binary(let bytes): bytes.count
        }
    }

    /// The number of bytes that the message takes of a buffer: an empty one takes room as well.
    package var heldBytes: Int { byteCount + 32 }
}

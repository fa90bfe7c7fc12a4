// Riff
// SPDX-License-Identifier: Apache-2.0

/// The kind of a frame (RFC 6455 section 5.2, opcode).
package enum WebSocketOpcode: UInt8, Sendable {
    case continuation = 0x0
    case text = 0x1
    case binary = 0x2
    case close = 0x8
    case ping = 0x9
    case pong = 0xA

    package var isControl: Bool { rawValue >= 0x8 }
}

/// Everything of a frame before its payload.
package struct WebSocketFrameHeader: Sendable, Hashable {
    package var isFinal: Bool
    /// RSV1: with permessage-deflate, that a message is compressed.
    package var isCompressed: Bool
    package var opcode: WebSocketOpcode
    package var length: Int
    /// The masking key, in the order of its bytes on the wire.
    package var mask: UInt32?

    package init(
        _ opcode: WebSocketOpcode,
        isFinal: Bool = true,
        isCompressed: Bool = false,
        length: Int,
        mask: UInt32? = nil
    ) {
        self.isFinal = isFinal
        self.isCompressed = isCompressed
        self.opcode = opcode
        self.length = length
        self.mask = mask
    }
}

/// Which end of the connection we are: a client masks what it sends, a server does not (RFC 6455 section 5.1).
public enum WebSocketRole: Sendable {
    /// Opened the connection.
    case client
    /// Accepted it.
    case server
}

/// A rule that the peer broke, with the code to close with.
public struct WebSocketViolation: Error, Sendable, Hashable {
    /// The code to close with.
    public let code: WebSocketEnding.Code
    /// Which rule, without anything that the peer sent.
    public let reason: String

    /// Creates a violation.
    package init(_ code: WebSocketEnding.Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

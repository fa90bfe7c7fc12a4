// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffTransport

/// WebSocket frames that break a rule of RFC 6455, for a client whose frames hold 10,000 bytes at most.
public enum MalformedFrames {
    /// The rule, the bytes, and the code to close with.
    public static let all: [(String, [UInt8], WebSocketEnding.Code)] = [
        ("RSV1 that was not agreed on", [0xC1, 0], .protocolError),
        ("RSV2", [0xA1, 0], .protocolError),
        ("RSV3", [0x91, 0], .protocolError),
        ("a reserved opcode", [0x83, 0], .protocolError),
        ("a reserved control opcode", [0x8B, 0], .protocolError),
        ("a control frame in fragments", [0x09, 0], .protocolError),
        ("a long control frame", [0x89, 126, 0, 126], .protocolError),
        ("a masked frame from a server", [0x81, 0x80, 0, 0, 0, 0], .protocolError),
        ("a length of 16 bits for 125", [0x82, 126, 0, 125], .protocolError),
        ("a length of 64 bits for 65535", [0x82, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], .protocolError),
        ("a length with its top bit", [0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], .protocolError),
        ("a continuation of nothing", [0x80, 0], .protocolError),
        ("a message inside of a message", [0x01, 0, 0x81, 0], .protocolError),
        ("a close of one byte", [0x88, 1, 3], .protocolError),
        ("close code 999", [0x88, 2, 0x03, 0xE7], .protocolError),
        ("close code 1004", [0x88, 2, 0x03, 0xEC], .protocolError),
        ("close code 1005", [0x88, 2, 0x03, 0xED], .protocolError),
        ("close code 1006", [0x88, 2, 0x03, 0xEE], .protocolError),
        ("close code 1015", [0x88, 2, 0x03, 0xF7], .protocolError),
        ("close code 2999", [0x88, 2, 0x0B, 0xB7], .protocolError),
        ("close code 5000", [0x88, 2, 0x13, 0x88], .protocolError),
        ("a close reason that is no UTF-8", [0x88, 3, 0x03, 0xE8, 0xFF], .invalidPayload),
        ("text that is no UTF-8", [0x81, 1, 0xFF], .invalidPayload),
        ("text that ends inside a character", [0x81, 1, 0xC3], .invalidPayload),
        ("a surrogate", [0x81, 3, 0xED, 0xA0, 0x80], .invalidPayload),
        ("an overlong form", [0x81, 2, 0xC0, 0x80], .invalidPayload),
        ("a frame above the limit", [0x82, 126, 0x27, 0x11], .messageTooBig),
        ("2^62 bytes", [0x82, 127, 0x40, 0, 0, 0, 0, 0, 0, 0], .messageTooBig),
    ]
}

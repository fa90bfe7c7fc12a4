// Riff
// SPDX-License-Identifier: Apache-2.0

/// Writes frames.
package enum WebSocketFrameEncoder {
    /// The most bytes that a header has.
    package static let headerBytes = 14

    /// Appends a header (RFC 6455 section 5.2).
    package static func append(_ header: WebSocketFrameHeader, to bytes: inout [UInt8]) {
        let top: UInt8 = (header.isFinal ? 0x80 : 0) | (header.isCompressed ? 0x40 : 0)
        bytes.append(top | header.opcode.rawValue)
        let masked: UInt8 = header.mask == nil ? 0 : 0x80
        switch header.length {
        case ...125: bytes.append(masked | UInt8(header.length))
        case ...65_535:
            bytes.append(masked | 126)
            bytes.append(UInt8(header.length >> 8))
            bytes.append(UInt8(truncatingIfNeeded: header.length))
        default:
            bytes.append(masked | 127)
            for shift in stride(from: 56, through: 0, by: -8) {
                bytes.append(UInt8(truncatingIfNeeded: header.length >> shift))
            }
        }
        if let mask = header.mask { withUnsafeBytes(of: mask) { bytes.append(contentsOf: $0) } }
    }

    /// A whole frame.
    package static func frame(
        _ opcode: WebSocketOpcode,
        _ payload: [UInt8],
        isFinal: Bool = true,
        isCompressed: Bool = false,
        mask: UInt32? = nil
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(headerBytes + payload.count)
        append(
            WebSocketFrameHeader(
                opcode,
                isFinal: isFinal,
                isCompressed: isCompressed,
                length: payload.count,
                mask: mask
            ),
            to: &bytes
        )
        let start = bytes.count
        bytes += payload
        if let mask {
            bytes.withUnsafeMutableBytes {
                WebSocketMask.apply(mask, to: UnsafeMutableRawBufferPointer(rebasing: $0[start...]), at: 0)
            }
        }
        return bytes
    }

    /// The payload of a close frame (RFC 6455 section 5.5.1); the reason is cut between characters, to 123 bytes.
    package static func closePayload(_ code: WebSocketEnding.Code?, _ reason: String) -> [UInt8] {
        guard let code else { return [] }
        var payload = [UInt8(code.rawValue >> 8), UInt8(truncatingIfNeeded: code.rawValue)]
        for character in reason {
            guard payload.count + character.utf8.count <= 125 else { break }
            payload += Array(character.utf8)
        }
        return payload
    }
}

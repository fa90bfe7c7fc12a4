// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import RiffTransport

/// Turns messages into frames, piece by piece, so that one of any size holds little memory and lets others pass.
struct WebSocketOutbound {
    /// The number of bytes of a message that are put into one buffer.
    static let piece = 128 << 10

    private let role: WebSocketRole
    private let fragmentBytes: Int
    private let deflater: WebSocketDeflater?
    private var generator: any RandomNumberGenerator & Sendable
    private var header: [UInt8] = []

    /// The message under way.
    private var outgoing: WebSocketLink.Outgoing?
    private var offset = 0
    private var isFirstFrame = true
    private var isCompressed = false
    /// Of the frame under way.
    private var frameLeft = 0
    private var frameOffset = 0
    private var mask: UInt32?

    init(
        role: WebSocketRole,
        limits: WebSocketRequest.Limits,
        agreement: WebSocketDeflateAgreement?,
        generator: any RandomNumberGenerator & Sendable
    ) throws(TransportError) {
        self.role = role
        fragmentBytes = max(limits.fragmentBytes ?? .max, 1)
        var deflater: WebSocketDeflater?
        if let agreement { deflater = try WebSocketDeflater(agreement, role: role) }
        self.deflater = deflater
        self.generator = generator
    }

    /// Whether a message is under way; only control frames may come between its fragments.
    var isBusy: Bool { outgoing != nil }
    /// Whether a control frame may be written now.
    var isBetweenFrames: Bool { frameLeft == 0 }

    mutating func begin(_ message: WebSocketLink.Outgoing) {
        outgoing = message
        offset = 0
        isFirstFrame = true
        isCompressed = deflater.map { !message.bytes.isEmpty && message.bytes.count >= $0.minimumBytes } ?? false
    }

    /// Appends the next piece of the message under way.
    ///
    /// - Returns: The message, once it is written to its end.
    mutating func write(to buffer: inout ByteBuffer) throws(TransportError) -> WebSocketLink.Outgoing? {
        guard let outgoing else { return nil }
        if isCompressed { try writeCompressed(outgoing, to: &buffer) } else { writePlain(outgoing, to: &buffer) }
        guard offset == outgoing.bytes.count, frameLeft == 0 else { return nil }
        self.outgoing = nil
        return outgoing
    }

    /// Appends a control frame.
    mutating func writeControl(_ opcode: WebSocketOpcode, _ payload: [UInt8], to buffer: inout ByteBuffer) {
        buffer.writeBytes(WebSocketFrameEncoder.frame(opcode, payload, mask: nextMask()))
    }

    private mutating func writePlain(_ outgoing: WebSocketLink.Outgoing, to buffer: inout ByteBuffer) {
        if frameLeft == 0 {
            frameLeft = min(fragmentBytes, outgoing.bytes.count - offset)
            frameOffset = 0
            let isFinal = offset + frameLeft == outgoing.bytes.count
            writeHeader(outgoing, frameLeft, isFinal: isFinal, to: &buffer)
        }
        let count = min(frameLeft, Self.piece)
        outgoing.bytes.withUnsafeBytes { bytes in
            let part = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
            Self.append(part, mask, at: frameOffset, to: &buffer)
        }
        offset += count
        frameOffset += count
        frameLeft -= count
    }

    /// Each piece becomes a frame of its own: how large the message will be is known at its end only.
    private mutating func writeCompressed(
        _ outgoing: WebSocketLink.Outgoing,
        to buffer: inout ByteBuffer
    ) throws(TransportError) {
        guard let deflater else { return }
        let count = min(outgoing.bytes.count - offset, Self.piece)
        let isLast = offset + count == outgoing.bytes.count
        let result = outgoing.bytes.withUnsafeBytes { bytes -> Result<[UInt8], TransportError> in
            let part = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
            return Result { () throws(TransportError) in try deflater.compress(part, isLast: isLast) }
        }
        let output = try result.get()
        offset += count
        // What is not ready yet comes with the next piece.
        guard isLast || !output.isEmpty else { return }
        var rest = output[...]
        repeat {
            let part = rest.prefix(fragmentBytes)
            rest = rest.dropFirst(part.count)
            writeHeader(outgoing, part.count, isFinal: isLast && rest.isEmpty, to: &buffer)
            part.withUnsafeBytes { Self.append($0, mask, at: 0, to: &buffer) }
        } while !rest.isEmpty
    }

    private mutating func writeHeader(
        _ outgoing: WebSocketLink.Outgoing,
        _ count: Int,
        isFinal: Bool,
        to buffer: inout ByteBuffer
    ) {
        mask = nextMask()
        header.removeAll(keepingCapacity: true)
        let kind: WebSocketOpcode = outgoing.isText ? .text : .binary
        WebSocketFrameEncoder.append(
            WebSocketFrameHeader(
                isFirstFrame ? kind : .continuation,
                isFinal: isFinal,
                isCompressed: isFirstFrame && isCompressed,
                length: count,
                mask: mask
            ),
            to: &header
        )
        isFirstFrame = false
        buffer.writeBytes(header)
    }

    /// Fresh and unpredictable for each frame (RFC 6455 section 10.3).
    private mutating func nextMask() -> UInt32? { role == .client ? generator.next() as UInt32 : nil }

    private static func append(
        _ bytes: UnsafeRawBufferPointer,
        _ mask: UInt32?,
        at offset: Int,
        to buffer: inout ByteBuffer
    ) {
        guard let mask else {
            buffer.writeBytes(bytes)
            return
        }
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: bytes.count) { target in
            WebSocketMask.copy(bytes, to: target, mask, at: offset)
            return bytes.count
        }
    }
}

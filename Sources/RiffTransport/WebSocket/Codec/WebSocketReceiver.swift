// Riff
// SPDX-License-Identifier: Apache-2.0

/// The receiving half of a WebSocket without I/O: bytes in, at any split, messages and control frames out.
///
/// Not `Sendable`, and not to be copied: a decompressor belongs to it.
public struct WebSocketReceiver {
    private var parser: WebSocketFrameParser
    private var assembler: WebSocketMessageAssembler
    /// Whether a close frame has come; nothing behind it is looked at (RFC 6455 section 5.5.1).
    package private(set) var isClosed = false
    /// The number of bytes that were taken, those of a frame under way too.
    package private(set) var receivedBytes: UInt64 = 0

    /// - Parameters:
    ///   - role: Which end we are.
    ///   - limits: What may come.
    ///   - agreement: What was agreed on about compression.
    /// - Throws: `TransportError` with `deflateUnavailable`.
    public init(
        role: WebSocketRole,
        limits: WebSocketRequest.Limits,
        agreement: WebSocketDeflateAgreement? = nil
    ) throws(TransportError) {
        parser = WebSocketFrameParser(
            role: role,
            frameBytes: limits.frameBytes,
            allowsCompression: agreement != nil
        )
        var inflater: WebSocketInflater?
        if let agreement {
            inflater = try WebSocketInflater(agreement, role: role, messageBytes: limits.messageBytes)
        }
        assembler = WebSocketMessageAssembler(messageBytes: limits.messageBytes, inflater: inflater)
    }

    /// Takes bytes and appends what they hold.
    ///
    /// - Throws: A violation; what came before it is appended, and nothing may be given after it.
    public mutating func receive(
        _ bytes: UnsafeRawBufferPointer,
        into events: inout [WebSocketEvent]
    ) throws(WebSocketViolation) {
        var offset = 0
        try receive(bytes, from: &offset, into: &events, until: .max)
    }

    /// Takes bytes until what they hold is enough.
    ///
    /// - Parameters:
    ///   - bytes: What came.
    ///   - offset: How much of it is used up; moved on. All of it behind a close.
    ///   - events: What they hold is appended.
    ///   - enough: It stops behind the message with which all messages of this call take so many bytes.
    /// - Throws: A violation; what came before it is appended, and nothing may be given after it.
    package mutating func receive(
        _ bytes: UnsafeRawBufferPointer,
        from offset: inout Int,
        into events: inout [WebSocketEvent],
        until enough: Int
    ) throws(WebSocketViolation) {
        let start = offset
        defer { receivedBytes += UInt64(offset - start) }
        var taken = 0
        while !isClosed, taken < enough {
            switch try parser.next(in: bytes, from: &offset) {
            case .needsMore: return
            case .header(let header): try assembler.begin(header)
            case .payload(let range, let position):
                try assembler.add(UnsafeRawBufferPointer(rebasing: bytes[range]), at: position)
            case .end:
                guard let event = try assembler.end() else { continue }
                events.append(event)
                if case .message(let message) = event { taken += message.heldBytes }
                if case .close = event { isClosed = true }
            }
        }
        if isClosed { offset = bytes.count }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// Finds frames in the bytes of the peer, at any split (RFC 6455 section 5.2). It keeps a header's bytes at most.
package struct WebSocketFrameParser: Sendable {
    /// The parser's next result.
    package enum Step: Equatable {
        /// All bytes are used up.
        case needsMore
        /// A header; its payload follows, if it has one.
        case header(WebSocketFrameHeader)
        /// Bytes of the payload, still masked: where in what was given, and where in the payload.
        case payload(Range<Int>, at: Int)
        /// The frame is whole.
        case end
    }

    private enum State {
        case header
        case payload(left: Int, done: Int)
    }

    private let role: WebSocketRole
    private let frameBytes: Int
    private let allowsCompression: Bool
    private var state = State.header
    private var staged: [UInt8] = []

    /// - Parameters:
    ///   - role: Which end we are.
    ///   - frameBytes: The most bytes of a frame's payload.
    ///   - allowsCompression: Whether RSV1 was agreed on.
    package init(role: WebSocketRole, frameBytes: Int, allowsCompression: Bool) {
        self.role = role
        self.frameBytes = frameBytes
        self.allowsCompression = allowsCompression
        staged.reserveCapacity(14)
    }

    /// The next step.
    ///
    /// - Parameters:
    ///   - bytes: What came.
    ///   - offset: How much of it is used up; moved on.
    /// - Returns: What it is.
    /// - Throws: A violation; nothing may be given after it.
    package mutating func next(
        in bytes: UnsafeRawBufferPointer,
        from offset: inout Int
    ) throws(WebSocketViolation) -> Step {
        switch state {
        case .header:
            while offset < bytes.count {
                staged.append(bytes[offset])
                offset += 1
                guard let header = try header() else { continue }
                staged.removeAll(keepingCapacity: true)
                state = .payload(left: header.length, done: 0)
                return .header(header)
            }
            return .needsMore
        case .payload(0, _):
            state = .header
            return .end
        case .payload(let left, let done):
            let count = min(left, bytes.count - offset)
            guard count > 0 else { return .needsMore }
            defer { offset += count }
            state = .payload(left: left - count, done: done + count)
            return .payload(offset..<offset + count, at: done)
        }
    }

    /// The staged bytes as a header, once they are one. What is wrong is refused with the byte that shows it.
    private func header() throws(WebSocketViolation) -> WebSocketFrameHeader? {
        let first = staged[0]
        guard first & 0x30 == 0 else { throw WebSocketViolation(.protocolError, "a reserved bit is set") }
        guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else {
            throw WebSocketViolation(.protocolError, "a reserved opcode")
        }
        let (isFinal, isCompressed) = (first & 0x80 != 0, first & 0x40 != 0)
        if isCompressed, !allowsCompression || opcode.isControl || opcode == .continuation {
            throw WebSocketViolation(.protocolError, "a reserved bit is set")
        }
        if opcode.isControl, !isFinal { throw WebSocketViolation(.protocolError, "a control frame in fragments") }
        guard staged.count > 1 else { return nil }
        let second = staged[1]
        let isMasked = second & 0x80 != 0
        guard isMasked == (role == .server) else {
            let reason = isMasked ? "a masked frame from a server" : "a frame from a client without a mask"
            throw WebSocketViolation(.protocolError, reason)
        }
        let short = Int(second & 0x7F)
        if opcode.isControl, short > 125 { throw WebSocketViolation(.protocolError, "a control frame above 125 bytes") }
        let lengthBytes = short == 127 ? 8 : short == 126 ? 2 : 0
        guard staged.count >= 2 + lengthBytes else { return nil }
        var length = UInt64(short)
        if lengthBytes > 0 {
            length = staged[2..<2 + lengthBytes].reduce(0) { $0 << 8 | UInt64($1) }
            guard length >> 63 == 0 else { throw WebSocketViolation(.protocolError, "a length with its top bit set") }
            guard length > (lengthBytes == 2 ? 125 : 65_535) else {
                throw WebSocketViolation(.protocolError, "a length in more bytes than it needs")
            }
        }
        guard length <= UInt64(max(frameBytes, 125)) else {
            throw WebSocketViolation(.messageTooBig, "a frame above \(frameBytes) bytes")
        }
        let end = 2 + lengthBytes + (isMasked ? 4 : 0)
        guard staged.count == end else { return nil }
        var mask: UInt32?
        if isMasked { mask = staged[(end - 4)...].withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) } }
        return WebSocketFrameHeader(
            opcode,
            isFinal: isFinal,
            isCompressed: isCompressed,
            length: Int(length),
            mask: mask
        )
    }
}

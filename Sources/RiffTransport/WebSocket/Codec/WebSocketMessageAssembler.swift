// Riff
// SPDX-License-Identifier: Apache-2.0

/// An event from the peer.
public enum WebSocketEvent: Sendable, Hashable {
    /// A whole message.
    case message(WebSocketMessage)
    /// A ping; its payload belongs into the pong.
    case ping([UInt8])
    /// A pong with its payload.
    case pong([UInt8])
    /// A close frame; `nil` where the close frame had no code.
    case close(WebSocketEnding.Code?, reason: String)
}

/// Joins frames to messages (RFC 6455 sections 5.4 to 5.6, RFC 7692 section 7.2.2), with control frames in between.
struct WebSocketMessageAssembler {
    private let messageBytes: Int
    private let inflater: WebSocketInflater?

    private var frame: WebSocketFrameHeader?
    private var control: [UInt8] = []
    /// The opcode of the message that is not whole yet.
    private var kind: WebSocketOpcode?
    private var isCompressed = false
    private var message: [UInt8] = []
    private var validation = UTF8Validation()
    private var scratch: [UInt8] = []

    init(messageBytes: Int, inflater: WebSocketInflater?) {
        self.messageBytes = messageBytes
        self.inflater = inflater
    }

    mutating func begin(_ header: WebSocketFrameHeader) throws(WebSocketViolation) {
        frame = header
        guard !header.opcode.isControl else { return }
        if header.opcode == .continuation {
            guard kind != nil else { throw WebSocketViolation(.protocolError, "a continuation of nothing") }
        } else {
            guard kind == nil else {
                throw WebSocketViolation(.protocolError, "a message inside of a message in fragments")
            }
            kind = header.opcode
            isCompressed = header.isCompressed
        }
        guard !isCompressed else { return }
        guard header.length <= messageBytes - message.count else { throw Self.tooBig(messageBytes) }
        if message.isEmpty { message.reserveCapacity(header.length) }
    }

    /// A piece of the frame's payload, as it is on the wire.
    mutating func add(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(WebSocketViolation) {
        guard let frame else { preconditionFailure("A payload without a frame.") }
        if frame.opcode.isControl {
            Self.append(bytes, to: &control, frame.mask, at: offset)
        } else if isCompressed, let inflater {
            scratch.removeAll(keepingCapacity: true)
            Self.append(bytes, to: &scratch, frame.mask, at: offset)
            try inflate(scratch, inflater)
        } else {
            let start = message.count
            Self.append(bytes, to: &message, frame.mask, at: offset)
            try validate(from: start)
        }
    }

    /// The frame is whole.
    mutating func end() throws(WebSocketViolation) -> WebSocketEvent? {
        guard let frame else { preconditionFailure("The end of no frame.") }
        self.frame = nil
        if frame.opcode.isControl {
            defer { control.removeAll(keepingCapacity: true) }
            switch frame.opcode {
            case .ping: return .ping(control)
            case .pong: return .pong(control)
            default: return try close()
            }
        }
        guard frame.isFinal, let kind else { return nil }
        if isCompressed, let inflater {
            try inflate(WebSocketDeflater.tail, inflater)
            inflater.endMessage()
        }
        let whole = message
        self.kind = nil
        message = []
        guard kind == .text else { return .message(.binary(whole)) }
        guard validation.isWhole else { throw Self.notText }
        validation = UTF8Validation()
        return .message(.text(String(decoding: whole, as: UTF8.self)))
    }

    // MARK: Parts

    private mutating func inflate(_ bytes: [UInt8], _ inflater: WebSocketInflater) throws(WebSocketViolation) {
        inflater.feed(bytes)
        while let part = try inflater.next() {
            guard part.count <= messageBytes - message.count else { throw Self.tooBig(messageBytes) }
            let start = message.count
            message += part
            try validate(from: start)
        }
    }

    private mutating func validate(from start: Int) throws(WebSocketViolation) {
        guard kind == .text else { return }
        let isText = message.withUnsafeBytes { bytes in
            validation.accepts(UnsafeRawBufferPointer(rebasing: bytes[start...]))
        }
        guard isText else { throw Self.notText }
    }

    private func close() throws(WebSocketViolation) -> WebSocketEvent {
        guard !control.isEmpty else { return .close(nil, reason: "") }
        guard control.count >= 2 else { throw WebSocketViolation(.protocolError, "a close code of one byte") }
        let code = WebSocketEnding.Code(rawValue: UInt16(control[0]) << 8 | UInt16(control[1]))
        guard code.isSendable else { throw WebSocketViolation(.protocolError, "a close code that may not be sent") }
        guard let reason = String(validating: control[2...], as: UTF8.self) else { throw Self.notText }
        return .close(code, reason: reason)
    }

    private static func append(
        _ bytes: UnsafeRawBufferPointer,
        to target: inout [UInt8],
        _ mask: UInt32?,
        at offset: Int
    ) {
        let start = target.count
        target.append(contentsOf: bytes)
        guard let mask else { return }
        target.withUnsafeMutableBytes { all in
            WebSocketMask.apply(mask, to: UnsafeMutableRawBufferPointer(rebasing: all[start...]), at: offset)
        }
    }

    private static let notText = WebSocketViolation(.invalidPayload, "text that is not UTF-8")

    private static func tooBig(_ limit: Int) -> WebSocketViolation {
        WebSocketViolation(.messageTooBig, "a message above \(limit) bytes")
    }
}

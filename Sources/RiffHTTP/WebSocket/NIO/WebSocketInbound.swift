// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import RiffTransport

/// The bytes that came from the peer and are not decoded yet, and their decoder. It gives a batch at a time: a peer
/// whose messages unpack to a thousand times their size, or a reader that stopped, holds one batch, not a whole read.
struct WebSocketInbound {
    /// The contents of some of the bytes.
    struct Batch {
        var messages: [WebSocketMessage] = []
        /// Only the last one needs an answer (RFC 6455 section 5.5.3), so that a flood of them takes no memory.
        var ping: [UInt8]?
        var pongs: [UInt64] = []
        var close: (code: WebSocketEnding.Code?, reason: String)?
        /// The rule that the peer broke behind all that.
        var violation: WebSocketViolation?
    }

    private let batchBytes: Int
    private var receiver: WebSocketReceiver
    private var unread = ByteBuffer()
    private var events: [WebSocketEvent] = []

    /// - Throws: `TransportError` with `deflateUnavailable`.
    init(
        role: WebSocketRole,
        limits: WebSocketRequest.Limits,
        agreement: WebSocketDeflateAgreement?
    ) throws(TransportError) {
        batchBytes = max(limits.receiveBufferBytes, 1)
        receiver = try WebSocketReceiver(role: role, limits: limits, agreement: agreement)
    }

    /// The number of bytes that were decoded, those of frames under way too.
    var receivedBytes: UInt64 { receiver.receivedBytes }
    /// Whether everything that came is decoded.
    var isEmpty: Bool { unread.readableBytes == 0 }

    mutating func add(_ bytes: consuming ByteBuffer) {
        if isEmpty { unread = bytes } else { unread.writeBuffer(&bytes) }
    }

    /// Nothing more is looked at.
    mutating func drop() { unread = ByteBuffer() }

    /// Decodes until there is enough; the rest stays.
    mutating func next() -> Batch {
        var batch = Batch()
        var used = 0
        let bytes = unread
        do {
            try bytes.withUnsafeReadableBytes { bytes in
                try receiver.receive(bytes, from: &used, into: &events, until: batchBytes)
            }
        } catch let violation as WebSocketViolation {
            batch.violation = violation
        } catch {
            preconditionFailure("A receiver throws violations alone.")
        }
        unread.moveReaderIndex(forwardBy: used)
        // The memory of a read is given back.
        if isEmpty { unread = ByteBuffer() }
        for event in events {
            switch event {
            case .message(let message): batch.messages.append(message)
            case .ping(let payload): batch.ping = payload
            case .pong(let payload):
                guard payload.count == 8 else { continue }
                batch.pongs.append(payload.reduce(0) { $0 << 8 | UInt64($1) })
            case .close(let code, let reason): batch.close = (code, reason)
            }
        }
        events.removeAll(keepingCapacity: true)
        return batch
    }
}

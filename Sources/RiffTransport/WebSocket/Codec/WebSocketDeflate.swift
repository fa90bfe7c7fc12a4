// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import RiffDeflate

/// The agreement of both sides about permessage-deflate (RFC 7692 section 7.1).
public struct WebSocketDeflateAgreement: Sendable, Hashable {
    /// The window of what the client compresses, as the power of two of its bytes.
    package var clientMaxWindowBits = 15
    /// The window of what the server compresses.
    package var serverMaxWindowBits = 15
    /// Whether the client forgets each message after it is sent.
    public var clientNoContextTakeover = false
    /// Whether the server does.
    public var serverNoContextTakeover = false
    /// Messages below this many bytes are sent as they are.
    package var minimumBytes = 64

    /// Full windows, kept from message to message.
    public init() {}
}

/// Decompresses messages of the peer.
final class WebSocketInflater {
    private let inflater: Inflater
    private let forgets: Bool

    init(_ agreement: WebSocketDeflateAgreement, role: WebSocketRole, messageBytes: Int) throws(TransportError) {
        // A larger window reads a smaller one's data; 8 bits are not left to a library that once could not.
        do {
            let limits = DeflateLimits(outputBytes: messageBytes)
            inflater = try Inflater(.raw, windowBits: 15, limits: limits, goesOnAfterEnd: true)
        } catch { throw TransportError(compression: error) }
        forgets = role == .client ? agreement.serverNoContextTakeover : agreement.clientNoContextTakeover
    }

    func feed(_ bytes: [UInt8]) { inflater.feed(bytes) }

    func next() throws(WebSocketViolation) -> [UInt8]? {
        do {
            return try inflater.next()
        } catch {
            throw error.code == .deflateTooLarge
                ? WebSocketViolation(.messageTooBig, "a message that is too large once it is decompressed")
                : WebSocketViolation(.invalidPayload, "a message that cannot be decompressed")
        }
    }

    func endMessage() { if forgets { inflater.reset() } else { inflater.restartCount() } }
}

/// Compresses our messages.
package final class WebSocketDeflater {
    /// The bytes that each compressed message ends in, and that are left away on the wire (RFC 7692 section 7.2.1).
    static let tail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]

    private let deflater: Deflater
    private let forgets: Bool
    package let minimumBytes: Int

    /// `nil` where the window is smaller than zlib can write: messages then go as they are, which is always allowed.
    package init?(_ agreement: WebSocketDeflateAgreement, role: WebSocketRole) throws(TransportError) {
        let bits = role == .client ? agreement.clientMaxWindowBits : agreement.serverMaxWindowBits
        guard bits >= 9 else { return nil }
        do { deflater = try Deflater(.raw, windowBits: bits) } catch { throw TransportError(compression: error) }
        forgets = role == .client ? agreement.clientNoContextTakeover : agreement.serverNoContextTakeover
        minimumBytes = agreement.minimumBytes
    }

    /// Compresses a piece of a message; with its last one the tail is left away.
    package func compress(_ bytes: UnsafeRawBufferPointer, isLast: Bool) throws(TransportError) -> [UInt8] {
        var output: [UInt8] = []
        do {
            try deflater.compress(bytes, isLast ? .sync : .none, into: &output)
        } catch { throw TransportError(compression: error) }
        guard isLast else { return output }
        // Whatever came out of a piece before, a flush writes its whole tail.
        output.removeLast(min(4, output.count))
        if forgets { deflater.reset() }
        return output
    }
}

extension TransportError {
    fileprivate init(compression error: DataError) {
        self.init(.deflateUnavailable, "Messages cannot be compressed: \(error.message)", cause: error)
    }
}

extension TransportErrorCode {
    /// zlib has no memory for the messages of a WebSocket.
    public static let deflateUnavailable = TransportError.Code(rawValue: "deflateUnavailable")
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
internal import RiffCore

/// The request with which a client opens a WebSocket.
public struct WebSocketRequest: Sendable, Hashable {
    /// The URL to connect to.
    public var url: WebSocketURL
    /// Header fields of the opening handshake beside those that belong to it (authorization, cookies, origin).
    public var headers: HTTPFields
    /// The subprotocols that the client speaks, best first.
    public var subprotocols: [String]
    /// Whether compression of messages is offered (RFC 7692, permessage-deflate); the server may decline.
    public var compression: WebSocketRequest.Compression?
    /// The limits of the connection.
    public var limits: WebSocketRequest.Limits
    /// From the start to the end of the opening handshake; `nil` without limit.
    public var connectDeadline: Duration?

    /// A request; 10 s to connect and no compression unless said otherwise.
    public init(
        _ url: WebSocketURL,
        headers: HTTPFields = [:],
        subprotocols: [String] = [],
        compression: WebSocketRequest.Compression? = nil,
        limits: WebSocketRequest.Limits = WebSocketRequest.Limits(),
        connectDeadline: Duration? = .seconds(10)
    ) {
        self.url = url
        self.headers = headers
        self.subprotocols = subprotocols
        self.compression = compression
        self.limits = limits
        self.connectDeadline = connectDeadline
    }

    /// Refuses what cannot be sent as it is, for every ``WebSocketTransport``.
    ///
    /// - Throws: `TransportError` with `webSocketInvalidRequest`; the message names the part and never quotes a value.
    package func validate() throws(TransportError) {
        for field in headers {
            guard !Self.reserved.contains(field.name.canonicalName), field.name.rawName.utf8.first != 0x3A else {
                throw Self.invalid("its field \(field.name) belongs to the handshake itself")
            }
            guard field.value.utf8.allSatisfy({ $0 == 0x09 || ($0 >= 0x20 && $0 != 0x7F) }) else {
                throw Self.invalid("its field \(field.name) holds a control character")
            }
        }
        guard subprotocols.allSatisfy({ HTTPField.Name($0) != nil && $0.utf8.first != 0x3A }),
            Set(subprotocols).count == subprotocols.count
        else { throw Self.invalid("a subprotocol is not a token (RFC 9110 section 5.6.2), or is there twice") }
    }

    private static let reserved: Set<String> = [
        "host", "connection", "upgrade", "content-length", "transfer-encoding", "sec-websocket-key",
        "sec-websocket-version", "sec-websocket-accept", "sec-websocket-protocol", "sec-websocket-extensions",
    ]

    private static func invalid(_ reason: String) -> TransportError {
        TransportError(.webSocketInvalidRequest, "The WebSocket cannot be opened: \(reason).")
    }
}

extension WebSocketRequest {
    /// An offer of permessage-deflate (RFC 7692 section 7.1), for either side.
    public struct Compression: Sendable, Hashable {
        /// The window of what the client compresses, 9 to 15, as the power of two of its bytes; 15 is not announced.
        public let clientMaxWindowBits: Int
        /// The window of what the server compresses, 9 to 15, as the power of two of its bytes; 15 is not announced.
        public let serverMaxWindowBits: Int
        /// Whether the client forgets each message after it is sent: less memory, larger messages.
        public var clientNoContextTakeover: Bool
        /// Whether the server does.
        public var serverNoContextTakeover: Bool
        /// Messages below this many bytes are sent as they are.
        public var minimumBytes: Int

        /// An offer: full windows, kept from message to message, for messages of 64 bytes and more, unless said
        /// otherwise.
        public init(
            clientMaxWindowBits: Int = 15,
            serverMaxWindowBits: Int = 15,
            clientNoContextTakeover: Bool = false,
            serverNoContextTakeover: Bool = false,
            minimumBytes: Int = 64
        ) {
            self.clientMaxWindowBits = min(max(clientMaxWindowBits, 9), 15)
            self.serverMaxWindowBits = min(max(serverMaxWindowBits, 9), 15)
            self.clientNoContextTakeover = clientNoContextTakeover
            self.serverNoContextTakeover = serverNoContextTakeover
            self.minimumBytes = minimumBytes
        }
    }
}

/// A server's answer to an opening handshake that is not 101; the cause of `webSocketRefused`.
package struct WebSocketRefusal: Error, Sendable {
    /// Status and header fields.
    package let head: HTTPResponse
    /// The first 64 KiB of its body.
    package let body: [UInt8]

    /// A refusal; for implementers.
    package init(head: HTTPResponse, body: [UInt8]) {
        self.head = head
        self.body = body
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// A seam: opens WebSockets (RFC 6455) as a client.
///
/// To the implementer:
/// - ``connect(_:)`` returns when the opening handshake is done and checked, and never later than the request's connect
///   deadline. A request that could say something else on the wire than it says here is refused before anything is
///   sent.
/// - errors are `TransportError`s whose code tells what is known: `webSocketNeverConnected` (nothing can have reached
///   the server; the connect deadline ends in it too, while there is no connection), `tlsFailed`, `webSocketRefused`
///   (it answered with another status than 101; the cause is a ``WebSocketRefusal``), `webSocketHandshake` (its answer
///   breaks RFC 6455 section 4), `connectionLost`, `timeout` (connected, but no answer within the deadline) and
///   `webSocketInvalidRequest`.
/// - cancelling the task that awaits `connect` closes what there is and throws `CancellationError`; nothing is left
///   open.
public protocol WebSocketTransport: Sendable {
    /// Opens a connection.
    ///
    /// - Parameter request: Where to, with what, and within which limits.
    /// - Returns: The open connection; it closes when it is closed, lost, or when nobody holds it any more.
    /// - Throws: `TransportError` as above, or `CancellationError`.
    func connect(_ request: WebSocketRequest) async throws -> any WebSocketConnection
}

/// An open WebSocket: messages both ways.
///
/// To the implementer: the end is decided once, for all calls at the same moment: whoever waits in `receive`, `send` or
/// `ping` is let go by it, and ``ending()`` tells it as a value. Incoming messages are held up to a limit; a reader
/// that stops reading stops the peer. Pings of the peer are answered without the reader's help, and pongs noticed, as
/// long as the connection is read: where the limit is reached they wait with everything else.
public protocol WebSocketConnection: Sendable, AnyObject {
    /// The subprotocol that the server chose from those that were offered.
    var subprotocol: String? { get }

    /// The number of bytes that have come from the peer since the handshake and were looked at, those of control frames
    /// and of a frame under way too: for a watchdog that wants to know whether anything moves.
    var receivedBytes: UInt64 { get }

    /// The way that the connection ended, once it has.
    var ended: WebSocketEnding? { get }

    /// The next message. One caller at a time.
    ///
    /// - Returns: The message; `nil` once the connection has ended, in whichever way, and everything that came before
    ///   is read. After ``close(_:reason:)`` nothing comes any more.
    /// - Throws: `CoreError` with `hasReader` where another task waits already; `CancellationError` when the calling
    ///   task is cancelled, in which case nothing was taken.
    func receive() async throws -> WebSocketMessage?

    /// Sends a message; suspends while too much waits to be sent.
    ///
    /// - Parameter message: The message. It may be larger than all limits but `WebSocketRequest.Limits.messageBytes` of
    ///   the peer.
    /// - Throws: `TransportError` with `closed` or `connectionLost`; `CancellationError`. In each case nothing of the
    ///   message was sent. Returning means that it was taken, in order, not that it has arrived.
    func send(_ message: WebSocketMessage) async throws

    /// Sends a ping and suspends until its pong is there; bound it with a deadline of your own.
    ///
    /// - Throws: `TransportError` with `closed` or `connectionLost` when the connection ended first;
    ///   `CancellationError`.
    func ping() async throws

    /// Sends what was taken by `send` and a close frame, waits for the peer's within the limits, and ends the
    /// connection in any case. May be called at any time and more than once; only the first call's code counts.
    ///
    /// - Parameters:
    ///   - code: Why: `normal`, `goingAway`, or a code of 3000 to 4999. What may not be sent becomes `normal`.
    ///   - reason: For people; cut to 123 bytes of UTF-8.
    func close(_ code: WebSocketEnding.Code, reason: String) async

    /// Suspends until the connection has ended.
    ///
    /// - Returns: How it ended; always the same.
    /// - Throws: `CancellationError`.
    func ending() async throws -> WebSocketEnding
}

extension WebSocketConnection {
    /// Closes normally.
    public func close() async { await close(.normal, reason: "") }
}

extension TransportErrorCode {
    /// Nothing can have reached the server: refused, unreachable, not resolved, or not connected in time.
    public static let webSocketNeverConnected = TransportError.Code(rawValue: "webSocketNeverConnected")
    /// The server answered the opening handshake with another status than 101; the cause is a ``WebSocketRefusal``.
    public static let webSocketRefused = TransportError.Code(rawValue: "webSocketRefused")
    /// The server's answer to the opening handshake is not what RFC 6455 section 4 asks for.
    public static let webSocketHandshake = TransportError.Code(rawValue: "webSocketHandshake")
    /// The request cannot be sent as it is (address, header fields, subprotocols).
    public static let webSocketInvalidRequest = TransportError.Code(rawValue: "webSocketInvalidRequest")
}

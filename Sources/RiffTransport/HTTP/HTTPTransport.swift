// Riff
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// A seam: one HTTP request with a streaming body, one response with a streaming body.
///
/// To the implementer:
/// - ``send(_:body:deadlines:)`` returns when the response head is there. Redirects are not followed; any status is a
///   response, never an error. A header field or a target with a control character is refused before anything is sent.
/// - both bodies are pulled: the request body is read only as fast as the peer takes it, and a reader that stops
///   reading the response stops the peer within a bounded number of bytes.
/// - errors are `TransportError`s whose code tells what is known: `httpNeverConnected` (no byte of the request can have
///   reached the peer, so that repeating it is safe; the connect deadline ends in it too), `tlsFailed` (nothing reached
///   it either, but repeating will not help), `connectionLost` (reset, or ended before the announced end), `timeout`
///   (the idle or the total deadline, named in the message, when the peer may have seen the request), `httpMalformed`
///   and `httpInvalidRequest`. What a request body's sequence throws comes out as it is.
/// - cancelling the task that awaits `send`, or that iterates the response body, closes the connection and throws
///   `CancellationError`; dropping the response without reading it to its end closes it too.
public protocol HTTPTransport: Sendable {
    /// Sends a request and returns the response's head with its body still to be read.
    ///
    /// - Parameters:
    ///   - request: The method, an `http` or `https` scheme, the authority, the path with its query, and header fields.
    ///     Length, coding and host are the transport's business.
    ///   - body: What follows the head; its sequence is iterated once.
    ///   - deadlines: How long the parts may take; the total one goes on while the body is read.
    /// - Returns: The head, and the body still to be read.
    /// - Throws: `TransportError` as above, what the request body threw, or `CancellationError`.
    func send(_ request: HTTPRequest, body: HTTPBody, deadlines: HTTPDeadlines) async throws -> HTTPReply
}

/// What is sent after a request's head.
public enum HTTPBody: Sendable {
    /// A request without a body.
    case none
    /// These bytes, with their length announced.
    case bytes([UInt8])
    /// Chunks as they come: with `length` announced where it is known, in chunked coding otherwise. What the sequence
    /// throws is thrown by `send` as it is, and the connection is closed.
    case stream(any AsyncSequence<[UInt8], any Error> & Sendable, length: Int?)
}

/// The time limits for the parts of an exchange. `nil` means without limit.
public struct HTTPDeadlines: Sendable, Hashable {
    /// From the start to an established connection, TLS included.
    public var connect: Duration?
    /// Between two bytes in either direction once connected; time in which the caller does not read does not count.
    public var idle: Duration?
    /// From the start to the last byte of the response.
    public var total: Duration?

    /// Deadlines; 10 s to connect, 60 s idle and no total unless said otherwise.
    public init(connect: Duration? = .seconds(10), idle: Duration? = .seconds(60), total: Duration? = nil) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }
}

/// A response: its head, and its body still to be read.
public struct HTTPReply: Sendable {
    /// Status and header fields.
    public let head: HTTPResponse
    /// The body, single-consumer; throws `TransportError` when it ends before its announced end.
    public let body: ByteStream

    /// Creates a reply; for implementers.
    public init(head: HTTPResponse, body: ByteStream) {
        self.head = head
        self.body = body
    }
}

extension TransportErrorCode {
    /// No byte of the request can have reached the peer: refused, unreachable, not resolved, or not connected in time.
    public static let httpNeverConnected = TransportError.Code(rawValue: "httpNeverConnected")
    /// The TLS handshake failed.
    public static let tlsFailed = TransportError.Code(rawValue: "tlsFailed")
    /// The peer's answer is not HTTP, or its head is larger than 80 KB.
    public static let httpMalformed = TransportError.Code(rawValue: "httpMalformed")
    /// The request cannot be sent as it is (scheme, host, control characters).
    public static let httpInvalidRequest = TransportError.Code(rawValue: "httpInvalidRequest")
    /// A file of certificates to trust cannot be read.
    public static let httpTrustRoots = TransportError.Code(rawValue: "httpTrustRoots")
}

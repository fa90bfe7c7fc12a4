// Riff
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes

/// A response with its whole body.
public struct HTTPAnswer: Sendable, Hashable {
    /// Status and header fields.
    public let head: HTTPResponse
    /// The body.
    public let body: [UInt8]

    /// An answer; for tests and previews.
    public init(head: HTTPResponse, body: [UInt8]) {
        self.head = head
        self.body = body
    }

    /// The media type without its parameters, in lower case; empty where the response has none.
    public var mediaType: String { head.mediaType }
}

extension HTTPTransport {
    /// Sends a request and keeps the whole response.
    ///
    /// - Parameters:
    ///   - request: What to ask.
    ///   - body: What follows the head.
    ///   - deadlines: How long the parts may take.
    ///   - limit: The most bytes of the response to keep; reading stops and the connection is closed past it.
    /// - Returns: Head and body.
    /// - Throws: What ``send(_:body:deadlines:)`` throws; `TransportError` with `outputTooLarge` past the limit.
    public func answer(
        to request: HTTPRequest,
        body: HTTPBody = .none,
        deadlines: HTTPDeadlines = HTTPDeadlines(),
        upTo limit: Int
    ) async throws -> HTTPAnswer {
        let reply = try await send(request, body: body, deadlines: deadlines)
        return HTTPAnswer(head: reply.head, body: try await reply.body.collect(upTo: limit))
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
internal import RiffDeflate

/// A response with its whole body.
public struct HTTPAnswer: Sendable, Hashable {
    /// Status and header fields.
    public let head: HTTPResponse
    /// The body of the answer.
    public let body: [UInt8]

    /// An answer; for tests and previews.
    package init(head: HTTPResponse, body: [UInt8]) {
        self.head = head
        self.body = body
    }

    /// The media type without its parameters, in lower case; empty where the response has none.
    package var mediaType: String { head.mediaType }
}

extension HTTPTransport {
    /// Sends a request and keeps the whole response, which may come compressed unless the request says something else
    /// (`Accept-Encoding`).
    ///
    /// - Parameters:
    ///   - request: What to ask.
    ///   - body: What follows the head.
    ///   - deadlines: How long the parts may take.
    ///   - limit: The most bytes of the response to keep, decompressed; reading stops and the connection is closed past
    ///     it.
    /// - Returns: Head and body, decompressed.
    /// - Throws: What ``send(_:body:deadlines:)`` and ``HTTPReply/decodedBody(limits:)`` throw; `TransportError` with
    ///   `outputTooLarge` past the limit.
    public func answer(
        to request: HTTPRequest,
        body: HTTPBody = .none,
        deadlines: HTTPDeadlines = HTTPDeadlines(),
        upTo limit: Int
    ) async throws -> HTTPAnswer {
        var request = request
        if request.headerFields[.acceptEncoding] == nil { request.acceptCompressedAnswer() }
        let reply = try await send(request, body: body, deadlines: deadlines)
        // Above the limit by what one step unpacks, so that the answer to too much is the same with and without a
        // coding.
        let step = 1 << 20
        let decoded = try reply.decodedBody(limits: DeflateLimits(outputBytes: min(limit, .max - step) + step))
        return HTTPAnswer(head: reply.head, body: try await decoded.collect(upTo: limit))
    }
}

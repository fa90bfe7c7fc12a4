// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore

extension HTTPTransport {
    // sample: http: any HTTPTransport, request: HTTPRequest
    /// This transport, following redirects, without ever handing a secret to another origin.
    ///
    /// Towards another scheme, host or port only fields that hold no secret are sent on (`Accept`, `Accept-Language`,
    /// `Cache-Control`, `Content-Type`, `Last-Event-ID`, `User-Agent`); from `https` to `http` nothing is. POST becomes
    /// GET where browsers do so (RFC 9110, section 15.4). A redirect that cannot be followed, also because the body is
    /// a stream and gone, is given to the caller as the answer that it is.
    ///
    /// ```swift
    /// let answer = try await http.followingRedirects().answer(to: request, upTo: 1_000_000)
    /// ```
    ///
    /// - Parameters:
    ///   - limit: The most redirects for one request.
    ///   - clock: What counts the total deadline, which is one for all of them.
    /// - Returns: A transport that throws `TransportError` with `httpTooManyRedirects` past the limit.
    public func followingRedirects(
        upTo limit: Int = 20,
        clock: any Clock<Duration> = ContinuousClock()
    ) -> some HTTPTransport {
        HTTPRedirectingTransport(base: self, limit: limit, clock: clock)
    }
}

/// A transport that follows the redirects of another one.
private struct HTTPRedirectingTransport<Base: HTTPTransport>: HTTPTransport {
    let base: Base
    let limit: Int
    let clock: any Clock<Duration>

    func send(_ request: HTTPRequest, body: HTTPBody, deadlines: HTTPDeadlines) async throws -> HTTPReply {
        try await send(request, body, deadlines, clock)
    }

    private func send<Time: Clock<Duration>>(
        _ request: HTTPRequest,
        _ body: HTTPBody,
        _ deadlines: HTTPDeadlines,
        _ clock: Time
    ) async throws -> HTTPReply {
        let start = clock.now
        var (request, body, deadlines) = (request, body, deadlines)
        let total = deadlines.total
        for _ in 0...max(0, limit) {
            let reply = try await base.send(request, body: body, deadlines: deadlines)
            guard let (next, nextBody) = Self.next(after: reply.head, of: request, body) else { return reply }
            (request, body) = (next, nextBody)
            deadlines.total = total.map { max(.zero, $0 - start.duration(to: clock.now)) }
        }
        let message = "\(request.logLine): more than \(limit) redirects led there."
        throw TransportError(.httpTooManyRedirects, message)
    }

    private static func next(
        after head: HTTPResponse,
        of request: HTTPRequest,
        _ body: HTTPBody
    ) -> (HTTPRequest, HTTPBody)? {
        guard let next = request.following(head) else { return nil }
        if next.method != request.method { return (next, .none) }
        if case .stream = body { return nil }
        return (next, body)
    }
}

extension TransportErrorCode {
    /// Redirects led from one address to the next, more often than allowed.
    public static let httpTooManyRedirects = TransportError.Code(rawValue: "httpTooManyRedirects")
}

// Riff
// SPDX-License-Identifier: Apache-2.0

#if URLSession
public import HTTPTypes
public import RiffCore
public import RiffTransport
internal import Synchronization

// sample: request: HTTPRequest
/// HTTP on the system's URLSession: the ``HTTPTransport`` for apps on Apple's platforms, where it follows the system's
/// proxies, networks and rules for apps, and speaks HTTP/2.
///
/// It compiles on Linux as well and keeps there what ``capabilities`` says; ``AsyncHTTPTransport`` keeps all of it.
///
/// ```swift
/// try await URLSessionTransport.withTransport { http in
///     let request = HTTPRequest(method: .get, scheme: "https", authority: "example.org", path: "/")
///     print(try await http.answer(to: request, upTo: 1_000_000).head.status)
/// }
/// ```
///
/// Every request has a session of its own, hence a connection of its own: on connections that it keeps, URLSession
/// repeats requests by itself. Nothing is shared or remembered: no cookies, no cache, no credentials; a 401 is an
/// answer.
///
/// Bodies are asked for as they are (`Accept-Encoding: identity`, unless the caller says otherwise). What comes
/// compressed all the same is decompressed by URLSession: then `Content-Encoding` and `Content-Length`, which would no
/// longer be true, are left out of the head.
public final class URLSessionTransport: HTTPTransport {
    private struct State {
        var exchanges: [ObjectIdentifier: URLSessionExchange] = [:]
        var isShutDown = false
    }

    private let configuration: Configuration
    private let trust: URLSessionTrust
    private let clock: any Clock<Duration>
    private let state = Mutex(State())

    /// A transport; no connection is made yet.
    ///
    /// - Parameters:
    ///   - configuration: How it connects.
    ///   - clock: Measures the deadlines.
    /// - Throws: `TransportError` with `httpTrustRoots` when a certificate cannot be read, and `httpUnsupported` for
    ///   what this system's URLSession cannot do.
    package init(
        _ configuration: Configuration = Configuration(),
        clock: any Clock<Duration> = ContinuousClock()
    ) throws(TransportError) {
        trust = try URLSessionTrust(configuration)
        try Self.check(configuration.proxy)
        self.configuration = configuration
        self.clock = clock
    }

    /// Sends a request; see ``HTTPTransport/send(_:body:deadlines:)``.
    ///
    /// - Throws: `TransportError` as the seam says; also `httpInvalidRequest` for a GET with a body, which URLSession
    ///   does not send, `outputTooLarge` past ``Configuration/heldBodyBytes``, and `closed` after ``shutdown()``;
    ///   `CancellationError`.
    public func send(_ request: HTTPRequest, body: HTTPBody, deadlines: HTTPDeadlines) async throws -> HTTPReply {
        try Task.checkCancellation()
        try request.validate()
        let exchange = URLSessionExchange(request, deadlines, configuration, trust, clock)
        try start(exchange, body)
        let owner = ByteStream.Owner { exchange.cancel() }
        let head = try await exchange.response()
        return HTTPReply(head: head, body: ByteStream(exchange.body, owner: owner))
    }

    /// Ends all exchanges (their readers get `CancellationError`), and returns when that is done. Further requests are
    /// refused.
    public func shutdown() async {
        let exchanges = state.withLock { state in
            state.isShutDown = true
            return Array(state.exchanges.values)
        }
        for exchange in exchanges { exchange.cancel() }
        for exchange in exchanges { await exchange.join() }
    }

    /// A transport for the time of `body`, shut down on every way out.
    ///
    /// - Parameters:
    ///   - configuration: How it connects.
    ///   - body: What uses it.
    /// - Returns: What `body` returned.
    /// - Throws: What `body` threw, and what ``init(_:clock:)`` throws.
    public static func withTransport<Value>(
        _ configuration: Configuration = Configuration(),
        _ body: (URLSessionTransport) async throws -> Value
    ) async throws -> Value {
        try await shuttingDown(try URLSessionTransport(configuration), by: { await $0.shutdown() }, after: body)
    }

    private func start(_ exchange: URLSessionExchange, _ body: HTTPBody) throws(TransportError) {
        // Under the lock, so that a shutdown sees this exchange.
        let isStarted = state.withLock { state in
            guard !state.isShutDown else { return false }
            state.exchanges[ObjectIdentifier(exchange)] = exchange
            exchange.start(body) { [weak self] in self?.ended(exchange) }
            return true
        }
        guard isStarted else { throw TransportError(.closed, "The HTTP transport was shut down.") }
    }

    private func ended(_ exchange: URLSessionExchange) {
        state.withLock { _ = $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
    }
}

extension TransportErrorCode {
    /// The transport's configuration asks for what this system cannot do.
    public static let httpUnsupported = TransportError.Code(rawValue: "httpUnsupported")
}
#endif

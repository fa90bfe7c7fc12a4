// Riff
// SPDX-License-Identifier: Apache-2.0

#if HTTPClient
internal import AsyncHTTPClient
public import HTTPTypes
internal import NIOCore
internal import NIOSSL
public import RiffCore
public import RiffTransport
internal import Synchronization

// sample: request: HTTPRequest
/// HTTP/1.1 over TCP and TLS, and HTTP/2 where it is allowed, on AsyncHTTPClient: the ``HTTPTransport`` for macOS,
/// Linux and iOS.
///
/// Keep one for the whole program, and end it with ``shutdown()``, or use ``withTransport(_:_:)``:
///
/// ```swift
/// try await AsyncHTTPTransport.withTransport { http in
///     let request = HTTPRequest(method: .get, scheme: "https", authority: "example.org", path: "/")
///     let reply = try await http.send(request, body: .none, deadlines: HTTPDeadlines())
///     print(reply.head.status, try await reply.body.collect(upTo: 1_000_000).count)
/// }
/// ```
///
/// Connections are reused. Nothing is repeated: a request that failed was tried once. A connect deadline is the
/// property of a pool of connections, so that each different one keeps a pool of its own: use few.
public final class AsyncHTTPTransport: HTTPTransport {
    /// The configuration of a transport's connections.
    public struct Configuration: Sendable, Hashable {
        /// Paths of PEM files with certificates to trust beside the system's, for servers with a private authority.
        public var additionalTrustRoots: [String]
        /// The most connections to one host and port at a time; further requests wait, within their connect deadline.
        public var connectionsPerHost: Int
        /// The time that an unused connection is kept.
        public var keepAlive: Duration
        /// Whether HTTP/2 is spoken with servers that choose it, which they do while TLS is set up (ALPN, RFC 7301).
        /// Apple's push service speaks nothing else.
        public var allowsHTTP2: Bool

        /// The system's trust roots, 64 connections to a host, 30 s for unused ones, and HTTP/1.1 alone, unless said
        /// otherwise.
        public init(
            additionalTrustRoots: [String] = [],
            connectionsPerHost: Int = 64,
            keepAlive: Duration = .seconds(30),
            allowsHTTP2: Bool = false
        ) {
            self.additionalTrustRoots = additionalTrustRoots
            self.connectionsPerHost = connectionsPerHost
            self.keepAlive = keepAlive
            self.allowsHTTP2 = allowsHTTP2
        }
    }

    private struct State {
        var clients: [Duration?: HTTPClient] = [:]
        var isShutDown = false
    }

    private let base: HTTPClient.Configuration
    private let clock: any Clock<Duration>
    private let table: HTTPExchangeTable
    private let state = Mutex(State())

    /// A transport; no connection is made yet.
    ///
    /// - Parameters:
    ///   - configuration: How it connects.
    ///   - clock: Measures the idle and the total deadlines; the connect deadline is the event loop's.
    /// - Throws: `TransportError` with `httpTrustRoots` when a trust root cannot be read.
    public init(
        _ configuration: Configuration = Configuration(),
        clock: any Clock<Duration> = ContinuousClock()
    ) throws(TransportError) {
        let table = HTTPExchangeTable()
        var tls = TLSConfiguration.makeClientConfiguration()
        // RFC 8996: the versions before are not to be used.
        tls.minimumTLSVersion = .tlsv12
        tls.additionalTrustRoots = try Self.trustRoots(configuration.additionalTrustRoots)
        var base = HTTPClient.Configuration(tlsConfiguration: tls, redirectConfiguration: .disallow)
        base.httpVersion = configuration.allowsHTTP2 ? .automatic : .http1Only
        base.connectionPool.retryConnectionEstablishment = false
        base.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = max(1, configuration.connectionsPerHost)
        base.connectionPool.idleTimeout = TimeAmount(configuration.keepAlive)
        base.http1_1ConnectionDebugInitializer = { HTTPWireObserver.install(in: $0, table: table) }
        base.http2StreamChannelDebugInitializer = { HTTPWireObserver.install(inStream: $0, table: table) }
        self.base = base
        self.clock = clock
        self.table = table
    }

    deinit {
        // AsyncHTTPClient traps on a client that nobody shut down; there is nobody left to tell of a failure.
        for client in state.withLock({ $0.clients.values }) { client.shutdown { _ in } }
    }

    /// Sends a request; see ``HTTPTransport/send(_:body:deadlines:)``.
    ///
    /// - Throws: `TransportError` as the seam says, also `closed` after ``shutdown()``; `CancellationError`.
    public func send(_ request: HTTPRequest, body: HTTPBody, deadlines: HTTPDeadlines) async throws -> HTTPReply {
        try Task.checkCancellation()
        try request.validate()
        let exchange = HTTPExchange(id: table.nextID(), request: request, deadlines: deadlines, clock: clock)
        let outbound = HTTPOutbound(request, body: body, exchange: exchange)
        try start(exchange, outbound, connect: deadlines.connect)
        let owner = ByteStream.Owner { exchange.cancel() }
        let head = try await exchange.head()
        return HTTPReply(head: head, body: ByteStream(exchange.body, owner: owner))
    }

    /// Ends all exchanges (their readers get `CancellationError`), closes all connections and returns when that is
    /// done; a connection that is still being made is waited for until its connect deadline. Further requests are
    /// refused.
    public func shutdown() async {
        let clients = state.withLock { state in
            state.isShutDown = true
            defer { state.clients = [:] }
            return Array(state.clients.values)
        }
        let exchanges = table.all
        for exchange in exchanges { exchange.cancel() }
        for exchange in exchanges { await exchange.join() }
        for client in clients {
            // Its only failure is that it was shut down before, and nobody else has this client.
            try? await client.shutdown()
        }
    }

    /// A transport for the time of `body`, shut down on every way out.
    ///
    /// - Parameters:
    ///   - configuration: How it connects.
    ///   - body: What uses it.
    /// - Returns: What `body` returned.
    /// - Throws: What `body` threw, and `TransportError` with `httpTrustRoots`.
    public static func withTransport<Value>(
        _ configuration: Configuration = Configuration(),
        _ body: (AsyncHTTPTransport) async throws -> Value
    ) async throws -> Value {
        try await shuttingDown(try AsyncHTTPTransport(configuration), by: { await $0.shutdown() }, after: body)
    }

    private func start(_ exchange: HTTPExchange, _ outbound: HTTPOutbound, connect: Duration?) throws(TransportError) {
        // Under the lock, so that a shutdown sees either no client or this exchange.
        let isStarted = state.withLock { state in
            guard !state.isShutDown else { return false }
            let client = state.clients[connect] ?? makeClient(connect: connect)
            state.clients[connect] = client
            table.insert(exchange)
            exchange.start(client, outbound) { [table] in table.remove(exchange.id) }
            return true
        }
        guard isStarted else { throw TransportError(.closed, "The HTTP transport was shut down.") }
    }

    private func makeClient(connect: Duration?) -> HTTPClient {
        var configuration = base
        // Without a limit the client would choose 10 s.
        configuration.timeout.connect = connect.map { TimeAmount($0) } ?? .hours(24)
        return HTTPClient(configuration: configuration)
    }

    static func trustRoots(_ paths: [String]) throws(TransportError) -> [NIOSSLAdditionalTrustRoots] {
        var roots: [NIOSSLAdditionalTrustRoots] = []
        for path in paths {
            do {
                roots.append(.certificates(try NIOSSLCertificate.fromPEMFile(path)))
            } catch {
                let message = "The trust root \(path) cannot be read as PEM certificates."
                throw TransportError(.httpTrustRoots, message, recovery: .openSettings(.trustRoots), cause: error)
            }
        }
        return roots
    }
}
#endif

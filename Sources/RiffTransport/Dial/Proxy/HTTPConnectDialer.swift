// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif
public import RiffCore

/// Connects through an HTTP proxy with CONNECT (RFC 9110 section 9.3.6). Many let port 443 through and no other.
///
/// The connection to the proxy itself is without TLS; for a proxy that wants it, give a dialer that speaks it.
public struct HTTPConnectDialer: HostDialer {
    private let proxy: HostAddress
    private let login: ProxyLogin?
    private let dialer: any HostDialer

    /// Creates a dialer; nothing is connected yet.
    ///
    /// - Parameters:
    ///   - proxy: Where the proxy listens; 3128 and 8080 are usual.
    ///   - login: The user and the password for the scheme Basic, where the proxy wants them; it has no other scheme.
    ///   - dialer: Connects to the proxy itself.
    public init(proxy: HostAddress, login: ProxyLogin? = nil, over dialer: any HostDialer = .network) {
        self.proxy = proxy
        self.login = login
        self.dialer = dialer
    }

    /// Connects; see ``HostDialer/dial(_:within:)``.
    ///
    /// - Parameters:
    ///   - address: The host and the port, as the proxy sees them.
    ///   - limit: How long it may take, the connection to the proxy included.
    /// - Returns: The open connection, which the caller closes.
    /// - Throws: `TransportError` with `proxyUnreachable`, `proxyNotAuthorized`, `proxyRefused`, `proxyFailed`,
    ///   `dialerUnusable` for a login that the protocol cannot carry, `unreachable` or `timeout`; `CancellationError`.
    public func dial(_ address: HostAddress, within limit: Duration) async throws -> any ByteChannel {
        let credentials = try login.map { try Self.credentials($0) }
        let connection = ProxyConnection(
            kind: "The HTTP proxy",
            proxy: proxy,
            target: address,
            dialer: dialer,
            limit: limit
        )
        return try await connection.open { () throws(ProxyFailure) in
            // The same limits as those of SOCKS, and the same reasons.
            _ = try SOCKSTarget(address)
            return HTTPConnectMachine(to: address.endpoint, credentials: credentials)
        }
    }

    /// RFC 7617: the user's name has no colon.
    private static func credentials(_ login: ProxyLogin) throws(TransportError) -> Secret {
        guard !login.user.contains(byte: ":") else {
            let message = "A user's name with a colon cannot be told to an HTTP proxy."
            throw TransportError(.dialerUnusable, message, recovery: .openSettings(.proxy))
        }
        let pair = Array("\(login.user):".utf8) + login.password.bytes
        return Secret(Data(pair).base64EncodedString())
    }
}

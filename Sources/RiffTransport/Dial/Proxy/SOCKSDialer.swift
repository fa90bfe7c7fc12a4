// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// Connects through a SOCKS proxy, which resolves the host's name at its end: `ssh -D`, Tor, a tailnet's daemon in user
/// space.
public struct SOCKSDialer: HostDialer {
    /// The versions of the protocol.
    public enum Version: Sendable, Hashable {
        /// SOCKS 5 (RFC 1928).
        case socks5
        /// SOCKS 4a, and 4 for an IPv4 address. It has no password.
        case socks4a
    }

    private let proxy: HostAddress
    private let version: Version
    private let login: ProxyLogin?
    private let dialer: any HostDialer

    /// Creates a dialer; nothing is connected yet.
    ///
    /// - Parameters:
    ///   - proxy: Where the proxy listens; 1080 is usual.
    ///   - version: The version of the protocol.
    ///   - login: The user and the password, where the proxy wants them.
    ///   - dialer: Connects to the proxy itself.
    public init(
        proxy: HostAddress,
        version: Version = .socks5,
        login: ProxyLogin? = nil,
        over dialer: any HostDialer = .network
    ) {
        self.proxy = proxy
        self.version = version
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
    ///   `dialerUnusable` for a login that the protocol cannot carry, `connectionRefused`, `unreachable` or `timeout`;
    ///   `CancellationError`.
    public func dial(_ address: HostAddress, within limit: Duration) async throws -> any ByteChannel {
        let connection = ProxyConnection(
            kind: "The SOCKS proxy",
            proxy: proxy,
            target: address,
            dialer: dialer,
            limit: limit
        )
        let user = try login.map { try Self.userBytes($0, version) }
        switch version {
        case .socks5:
            return try await connection.open { () throws(ProxyFailure) in
                SOCKS5Machine(to: try SOCKSTarget(address), user: user, password: login?.password ?? Secret(""))
            }
        case .socks4a:
            return try await connection.open { () throws(ProxyFailure) in
                SOCKS4Machine(to: try SOCKSTarget(address), user: user ?? [])
            }
        }
    }

    private static func userBytes(_ login: ProxyLogin, _ version: Version) throws(TransportError) -> [UInt8] {
        let user = Array(login.user.utf8)
        guard (1...255).contains(user.count), !user.contains(0), login.password.bytes.count <= 255 else {
            let message = "SOCKS carries a user's name of 1 to 255 bytes and a password of at most 255 bytes."
            throw TransportError(.dialerUnusable, message, recovery: .openSettings(.proxy))
        }
        guard version == .socks5 || login.password.isEmpty else {
            let message = "SOCKS 4a has no password. Use SOCKS 5, or leave the password empty."
            throw TransportError(.dialerUnusable, message, recovery: .openSettings(.proxy))
        }
        return user
    }
}

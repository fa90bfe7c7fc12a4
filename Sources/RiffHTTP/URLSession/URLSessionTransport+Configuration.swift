// Riff
// SPDX-License-Identifier: Apache-2.0

#if URLSession
internal import Foundation

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

extension URLSessionTransport {
    /// The configuration of a transport's connections.
    public struct Configuration: Sendable, Hashable {
        /// Paths of PEM files with certificates to trust beside the system's, for servers with a private authority.
        /// Apple's platforms only.
        public var additionalTrustRoots: [String]
        /// Paths of PEM files with the certificates that a server must show one of. They are trusted like roots, so
        /// that a self-signed one will do; names and dates are still checked. Empty for any trusted one. Apple's
        /// platforms only.
        public var pinnedCertificates: [String]
        /// The way to the server.
        public var proxy: Proxy
        /// The most bytes of one body that are held in memory where URLSession cannot make the other side wait (see
        /// ``URLSessionTransport/capabilities``).
        public var heldBodyBytes: Int

        /// The system's trust roots and proxies, and 64 MiB of a body, unless said otherwise.
        public init(
            additionalTrustRoots: [String] = [],
            pinnedCertificates: [String] = [],
            proxy: Proxy = .system,
            heldBodyBytes: Int = 64 << 20
        ) {
            self.additionalTrustRoots = additionalTrustRoots
            self.pinnedCertificates = pinnedCertificates
            self.proxy = proxy
            self.heldBodyBytes = heldBodyBytes
        }
    }

    /// The way to a server.
    public enum Proxy: Sendable, Hashable {
        /// The proxy of the system's settings; on Linux the variables `http_proxy`, `https_proxy`, `all_proxy` and
        /// `no_proxy`.
        case system
        /// No proxy, whatever the system says. Apple's platforms only.
        case direct
        /// An HTTP proxy by CONNECT, named by host and port, for `http` and `https` alike. Apple's platforms only.
        case http(host: String, port: UInt16)
        /// A SOCKS 5 proxy, named by host and port. Apple's platforms only.
        case socks(host: String, port: UInt16)
    }
}

extension URLSessionTransport.Configuration {
    /// A session's configuration that shares and remembers nothing, and leaves all deadlines to the exchange.
    func session() -> URLSessionConfiguration {
        let session = URLSessionConfiguration.ephemeral
        session.urlCache = nil
        session.urlCredentialStorage = nil
        session.httpCookieStorage = nil
        session.httpCookieAcceptPolicy = .never
        session.httpShouldSetCookies = false
        let week: TimeInterval = 7 * 24 * 3600
        session.timeoutIntervalForRequest = week
        session.timeoutIntervalForResource = week
        proxy.apply(to: session)
        return session
    }
}
#endif

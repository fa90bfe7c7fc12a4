// Riff
// SPDX-License-Identifier: Apache-2.0

internal import HTTPTypes
public import RiffCore

/// The URL of a WebSocket (RFC 6455 section 3): `ws://host:port/path?query`, or `wss` over TLS.
public struct WebSocketURL: Sendable, Hashable, CustomStringConvertible {
    /// Whether it is `wss`.
    public let isSecure: Bool
    /// The host, with a port where it is not the scheme's own (80 and 443); an IPv6 address in brackets.
    public let authority: String
    /// The path with its query, starting with a slash.
    public let target: String

    /// Parses an address; `http` and `https` are read as `ws` and `wss`.
    ///
    /// - Throws: `TransportError` with `webSocketInvalidRequest` for another scheme or none, user information, a
    ///   fragment, or a character that no address has; the message does not quote it, since it may hold a token.
    public init(_ text: String) throws(TransportError) {
        guard let colon = text.firstRange(of: "://") else { throw Self.invalid(cause: nil) }
        let scheme: String
        switch text[..<colon.lowerBound].lowercased() {
        case "ws", "http": scheme = "http"
        case "wss", "https": scheme = "https"
        default: throw Self.invalid(cause: nil)
        }
        // A request makes blanks of control characters, and drops them at its ends: they are not seen there.
        guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw Self.invalid(cause: nil) }
        let rest = text[colon.upperBound...]
        let slash = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        let path = rest[slash...]
        do {
            let base = try HTTPBaseURL("\(scheme)://\(rest[..<slash])")
            isSecure = scheme == "https"
            authority = base.authority
            target = path.hasPrefix(bytes: "/") ? String(path) : "/\(path)"
            try base.request(.get, target).validate()
        } catch {
            throw Self.invalid(cause: error)
        }
    }

    /// A WebSocket of a service.
    ///
    /// - Parameters:
    ///   - base: The service.
    ///   - target: The path behind its own, with its query, starting with a slash.
    /// - Throws: `TransportError` with `webSocketInvalidRequest`.
    public init(_ base: HTTPBaseURL, _ target: String) throws(TransportError) {
        try self.init("\(base)\(target)")
    }

    /// The host without brackets, and the port.
    package var endpoint: (host: String, port: Int) {
        let standard = isSecure ? 443 : 80
        if authority.hasPrefix("[") {
            let host = authority.dropFirst().prefix { $0 != "]" }
            return (Self.host(host), Int(authority.dropFirst(host.count + 3)) ?? standard)
        }
        let host = authority.prefix { $0 != ":" }
        return (String(host), Int(authority.dropFirst(host.count + 1)) ?? standard)
    }

    /// An IPv6 address as sockets take it. RFC 6874 writes the percent sign before a zone as `%25`; people do not.
    private static func host(_ text: Substring) -> String {
        guard let percent = text.firstIndex(byte: "%"), let zone = text[percent...].dropping(prefix: "%25"),
            !zone.isEmpty
        else { return String(text) }
        return "\(text[..<percent])%\(zone)"
    }

    /// The host and the port as they are told to the server: a zone means something on this machine alone (RFC 6874).
    package var hostField: String {
        guard authority.hasPrefix(bytes: "["), let zone = authority.firstIndex(byte: "%"),
            let end = authority.firstIndex(byte: "]"), zone < end
        else { return authority }
        return String(authority[..<zone] + authority[end...])
    }

    /// The address without its query, which may hold what must not be shown.
    public var description: String { "\(isSecure ? "wss" : "ws")://\(authority)\(target.prefix { $0 != "?" })" }

    private static func invalid(cause: (any Error)?) -> TransportError {
        let message = "The address of a WebSocket must look like ws://host:port/path or wss://host/path."
        return TransportError(.webSocketInvalidRequest, message, recovery: .openSettings(.server), cause: cause)
    }
}

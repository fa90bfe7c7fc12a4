// Riff
// SPDX-License-Identifier: Apache-2.0

public import HTTPTypes
public import RiffCore

/// The base of an HTTP service's URLs: scheme, host with an optional port, and a path in front of all its paths.
public struct HTTPBaseURL: Sendable, Hashable, CustomStringConvertible {
    /// `http` or `https`.
    public let scheme: String
    /// The host, with a port where it is not the scheme's own; an IPv6 address in brackets.
    public let authority: String
    /// The path before every other path: empty, or a slash and more, without one at the end.
    public let path: String

    /// Parses `https://host:port/prefix`; without a scheme it is `http`.
    ///
    /// - Throws: `TransportError` with `httpInvalidRequest` for another scheme, user information, a query, a fragment,
    ///   or a character that no address has; the message does not quote it, since it may hold a password.
    public init(_ text: String) throws(TransportError) {
        var rest = text[...]
        var scheme = "http"
        if let colon = rest.firstRange(of: "://") {
            scheme = rest[..<colon.lowerBound].lowercased()
            rest = rest[colon.upperBound...]
        }
        let slash = rest.firstIndex(byte: "/") ?? rest.endIndex
        var path = rest[slash...].droppingLast(byte: "/")
        if path.isSame(bytes: "/") { path = "" }
        self.scheme = scheme
        // The zone of an IPv6 address names an interface of this machine, and those are told apart by case.
        let zone = rest[..<slash].hasPrefix(bytes: "[") ? rest[..<slash].firstIndex(byte: "%") : nil
        authority = rest[..<(zone ?? slash)].lowercased() + rest[(zone ?? slash)..<slash]
        self.path = String(path)
        // A request makes blanks of control characters, and drops them at its ends: they are not seen there.
        let isVisible = text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        let isBad = path.contains { $0 == "?" || $0 == "#" } || !Self.isHostAndPort(authority) || !isVisible
        do {
            try request(.get, "/").validate()
        } catch {
            throw Self.invalid(cause: error)
        }
        if isBad { throw Self.invalid(cause: nil) }
    }

    /// A request to this service.
    ///
    /// - Parameters:
    ///   - method: What to do.
    ///   - path: The path, starting with a slash, with its query; percent-encoded by the caller.
    /// - Returns: The head without fields.
    public func request(_ method: HTTPRequest.Method, _ path: String) -> HTTPRequest {
        HTTPRequest(method: method, scheme: scheme, authority: authority, path: self.path + path)
    }

    /// The address as text.
    public var description: String { "\(scheme)://\(authority)\(path)" }

    /// Whether it is a host, in brackets if it is an IPv6 address, with or without a port of 1 to 65,535.
    static func isHostAndPort(_ authority: String) -> Bool {
        // Letters with accents behind a colon would make another Character of it.
        guard authority.utf8.allSatisfy({ $0 < 0x80 }) else { return false }
        let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]"[...] : authority.prefix { $0 != ":" }
        let port = authority.dropFirst(host.count)
        guard host.count > (host.hasPrefix("[") ? 2 : 0), !port.isEmpty else { return !host.isEmpty && port.isEmpty }
        return port.first == ":" && (Int(port.dropFirst()).map { (1...65_535).contains($0) } ?? false)
    }

    private static func invalid(cause: (any Error)?) -> TransportError {
        let message = "The server's address must look like http://host:port or https://host/path."
        return TransportError(.httpInvalidRequest, message, recovery: .openSettings(.server), cause: cause)
    }
}

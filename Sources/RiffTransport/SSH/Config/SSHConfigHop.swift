// Riff
// SPDX-License-Identifier: Apache-2.0

/// A hop of `ProxyJump`: `[user@]host[:port]`, or `ssh://[user@]host[:port]`.
package struct SSHConfigHop: Sendable, Hashable, CustomStringConvertible {
    /// The account; `nil` where the configuration of the hop says which.
    package let user: String?
    /// The name, which the configuration may know as an alias.
    package let host: String
    /// The port; `nil` where the configuration of the hop says which.
    package let port: Int?

    /// Reads a hop; `nil` for what names no host.
    package init?(_ text: String) {
        // Bytes: a combining character behind a sign would hide it.
        var rest = Array(text.utf8)[...]
        let scheme = Array("ssh://".utf8)
        if rest.starts(with: scheme) { rest = rest.dropFirst(scheme.count) }
        while rest.last == UInt8(ascii: "/") { rest = rest.dropLast() }
        if let at = rest.lastIndex(of: UInt8(ascii: "@")) {
            user = String(decoding: rest[..<at], as: UTF8.self)
            rest = rest[(at + 1)...]
        } else {
            user = nil
        }
        let name: ArraySlice<UInt8>
        if rest.first == UInt8(ascii: "["), let end = rest.firstIndex(of: UInt8(ascii: "]")) {
            name = rest[(rest.startIndex + 1)..<end]
            rest = rest[(end + 1)...]
        } else {
            name = rest.prefix { $0 != UInt8(ascii: ":") }
            rest = rest.dropFirst(name.count)
        }
        host = String(decoding: name, as: UTF8.self)
        if rest.isEmpty {
            port = nil
        } else {
            guard rest.first == UInt8(ascii: ":"), let port = SSHConfigHop.port(rest.dropFirst()) else { return nil }
            self.port = port
        }
        // What begins with a dash would be an option to a program that is given it.
        guard !host.isEmpty, !host.utf8.starts(with: "-".utf8) else { return nil }
        guard user != "", user?.utf8.starts(with: "-".utf8) != true else { return nil }
    }

    /// `[user@]host[:port]`.
    package var description: String {
        let name = host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host
        return (user.map { "\($0)@" } ?? "") + name + (port.map { ":\($0)" } ?? "")
    }

    /// A port number in decimal digits alone.
    static func port(_ digits: some Collection<UInt8>) -> Int? {
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        guard let port = Int(String(decoding: digits, as: UTF8.self)), (1...65535).contains(port) else { return nil }
        return port
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// The address of an SSH server: a name or an IP address, and a port.
public struct HostAddress: Sendable, Hashable, Codable {
    /// A DNS name, an IPv4 or an IPv6 address, without brackets, in lower case. An IPv6 address may end in a zone
    /// (`fe80::1%en0`), which names an interface of this machine as it is spelled.
    public let name: String
    /// The TCP port, 1 to 65,535.
    public let port: Int

    /// Creates an address from a name or an IP address, and a port.
    ///
    /// - Throws: ``CoreError`` with `invalidHost` for an empty name, white space, a control character, a leading `-` or
    ///   one of `/@[]*?!,|#"` (which known_hosts files and URLs give a meaning), and `invalidPort` for a port outside 1
    ///   to 65,535.
    public init(_ name: String, port: Int = 22) throws(CoreError) {
        let bare = name.hasPrefix("[") && name.hasSuffix("]") ? String(name.dropFirst().dropLast()) : name
        let isPlain = bare.unicodeScalars.allSatisfy {
            $0.value > 0x20 && $0.value != 0x7F && !$0.properties.isWhitespace
                && !"/@[]*?!,|#\"".unicodeScalars.contains($0)
        }
        guard !bare.isEmpty, isPlain, !bare.hasPrefix("-") else {
            let message = "\"\(name)\" is not a host name or an IP address."
            throw CoreError(.invalidHost, message, recovery: .openSettings(.host))
        }
        guard (1...65_535).contains(port) else {
            let message = "Port \(port) of \(bare) is not in 1 to 65535."
            throw CoreError(.invalidPort, message, recovery: .openSettings(.port))
        }
        // Interfaces are told apart by case (`enP2p1s0`).
        let zone = bare.contains(byte: ":") ? bare.utf8.firstIndex(of: UInt8(ascii: "%")) : nil
        self.name = zone.map { bare[..<$0].lowercased() + bare[$0...] } ?? bare.lowercased()
        self.port = port
    }

    /// Reads an address, with the same checks as ``init(_:port:)``.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let name = try container.decode(String.self, forKey: .name)
        try self.init(name, port: try container.decode(Int.self, forKey: .port))
    }
}

extension HostAddress: CustomStringConvertible {
    /// `name`, `name:2222` or `[::1]:2222`.
    public var description: String {
        guard port != 22 else { return name }
        return name.contains(byte: ":") ? "[\(name)]:\(port)" : "\(name):\(port)"
    }
}

extension CoreErrorCode {
    /// The text is not a host name or an address.
    public static let invalidHost = CoreError.Code(rawValue: "invalidHost")
    /// The number is not a TCP port.
    public static let invalidPort = CoreError.Code(rawValue: "invalidPort")
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// The name that a host key is pinned under: the address, and the chain of jump hosts that leads to it.
///
/// A name behind one jump host may be another machine behind the next one, so two routes make two pins.
public struct HostPin: Sendable, Hashable {
    /// The host whose key is pinned.
    public let address: HostAddress
    /// The jump hosts on the way, the first one dialed first; empty for a host that is dialed directly.
    public let via: [HostAddress]

    /// A pin of an address behind a chain of jump hosts.
    public init(address: HostAddress, via: [HostAddress] = []) {
        self.address = address
        self.via = via
    }

    /// A pin from its ``id``, for what a ``Recovery`` brings back.
    ///
    /// - Throws: ``CoreError`` with `invalidHost` or `invalidPort`.
    public init(id: String) throws(CoreError) {
        var hops: [HostAddress] = []
        for hop in id.split(byte: "/", omittingEmptySubsequences: false) {
            guard hop.hasPrefix("[") else {
                hops.append(try HostAddress(String(hop)))
                continue
            }
            guard let close = hop.firstIndex(of: "]"), hop[close...].hasPrefix(bytes: "]:"),
                let port = Int(hop[close...].dropFirst(2))
            else { throw CoreError(.invalidHost, "\"\(id)\" does not name a pinned host.") }
            hops.append(try HostAddress(String(hop[..<close].dropFirst()), port: port))
        }
        let address = hops.removeLast()
        self.init(address: address, via: hops)
    }

    /// The pin's name, the same in every release: each hop in known_hosts form (`name`, or `[name]:port` where the port
    /// is not 22), joined with `/`.
    ///
    /// A direct host's name is the one that OpenSSH uses, and any can be given to it as `HostKeyAlias`.
    public var id: String { (via + [address]).map(HostPin.knownHostsName).joined(separator: "/") }

    private static func knownHostsName(_ hop: HostAddress) -> String {
        hop.port == 22 ? hop.name : "[\(hop.name)]:\(hop.port)"
    }
}

extension HostPin: Codable {
    /// Reads a pin from its ``id``.
    public init(from decoder: any Decoder) throws {
        try self.init(id: try decoder.singleValueContainer().decode(String.self))
    }
    /// Writes the pin's ``id``.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(id)
    }
}

extension HostPin: CustomStringConvertible {
    /// The address as people write it, with the jump hosts where there are some.
    public var description: String {
        via.isEmpty ? "\(address)" : "\(address) (via \(via.map(\.description).joined(separator: ", ")))"
    }
}

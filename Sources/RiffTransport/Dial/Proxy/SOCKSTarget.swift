// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The address that a SOCKS proxy is to connect to.
package struct SOCKSTarget: Sendable, Hashable {
    package enum Host: Sendable, Hashable {
        /// Four bytes.
        case ipv4([UInt8])
        /// Sixteen bytes.
        case ipv6([UInt8])
        /// At most 255 bytes, which the proxy resolves.
        case name([UInt8])
    }

    package let host: Host
    /// As it is written, for SOCKS 4a, which knows names and IPv4 alone.
    package let text: [UInt8]
    package let port: UInt16

    /// Reads an address.
    ///
    /// - Throws: ``ProxyFailure`` with `refused` for what no proxy can be told.
    package init(_ address: HostAddress) throws(ProxyFailure) {
        guard !address.name.contains(byte: "%") else {
            throw .refused("an address with a zone means something on this machine alone")
        }
        text = Array(address.name.utf8)
        guard text.count <= 255 else { throw .refused("the name is longer than 255 bytes") }
        // HostAddress holds 1 to 65,535.
        port = UInt16(clamping: address.port)
        if let four = Self.bytes(of: address.name, AF_INET, count: 4) {
            host = .ipv4(four)
        } else if let sixteen = Self.bytes(of: address.name, AF_INET6, count: 16) {
            host = .ipv6(sixteen)
        } else {
            host = .name(text)
        }
    }

    /// The bytes of an address of a family, in the network's order.
    private static func bytes(of text: String, _ family: CInt, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return bytes.withUnsafeMutableBytes { inet_pton(family, text, $0.baseAddress) } == 1 ? bytes : nil
    }

    package var portBytes: [UInt8] { [UInt8(port >> 8), UInt8(port & 0xFF)] }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOPosix
package import RiffCore

/// The addresses that a name has, whatever the system's resolver says of it.
package struct FixedAddresses: Sendable {
    package var ipv6: [HostAddress]
    package var ipv4: [HostAddress]

    package init(ipv6: [HostAddress] = [], ipv4: [HostAddress] = []) {
        self.ipv6 = ipv6
        self.ipv4 = ipv4
    }
}

/// Answers each question with the same addresses, and with their ports.
final class FixedResolver: Resolver, Sendable {
    private let addresses: FixedAddresses
    private let loop: any EventLoop

    init(_ addresses: FixedAddresses, on loop: any EventLoop) {
        self.addresses = addresses
        self.loop = loop
    }

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { answer(addresses.ipv4) }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { answer(addresses.ipv6) }

    func cancelQueries() {}

    private func answer(_ list: [HostAddress]) -> EventLoopFuture<[SocketAddress]> {
        loop.submit { try list.map { try SocketAddress(ipAddress: $0.name, port: $0.port) } }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Network)
internal import Dispatch
internal import Foundation
internal import Network
public import RiffCore
public import RiffTransport

/// Opens connections by Network.framework, which brings up a VPN on demand where a socket of the system does not.
public struct NetworkFrameworkDialer: HostDialer {
    /// Creates a dialer.
    public init() {}

    /// Connects to a port of a host.
    ///
    /// - Throws: `TransportError` with `unreachable`, `hostNotFound`, `connectionRefused` or `timeout`;
    ///   `CancellationError`.
    public func dial(_ address: HostAddress, within limit: Duration) async throws -> any ByteChannel {
        let tcp = NWProtocolTCP.Options()
        tcp.noDelay = true
        tcp.enableKeepalive = true
        tcp.connectionTimeout = max(1, Int(limit.components.seconds))
        guard let port = UInt16(exactly: address.port) else {
            throw TransportError(.unreachable, "\(address.port) is no port.")
        }
        let connection = NWConnection(
            // Takes a zone as well: fe80::1%en0.
            host: NWEndpoint.Host(address.name),
            port: NWEndpoint.Port(integerLiteral: port),
            using: NWParameters(tls: nil, tcp: tcp)
        )
        let channel = NetworkFrameworkChannel(connection)
        do {
            try await withDeadline(limit, clock: ContinuousClock(), abandoning: { try await channel.open() })
        } catch is DeadlineExceeded {
            await channel.abort()
            let message = "\(address.name) did not answer in time."
            throw TransportError(.timeout, message, recovery: .checkNetwork)
        } catch {
            await channel.abort()
            throw error
        }
        return channel
    }
}
#endif

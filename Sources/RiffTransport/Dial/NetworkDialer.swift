// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// Opens sockets of the system, on SwiftNIO: the dialer unless another one is given.
///
/// IPv6 and IPv4 are tried beside each other (RFC 8305): where the first address does not answer, the next one is tried
/// 250 ms later, so that a dead one costs a quarter of a second and not the whole limit. An IPv6 address may have a
/// zone (`fe80::1%en0`).
public struct NetworkDialer: HostDialer {
    /// The addresses that replace the system's resolver, if they are set.
    package var addresses: FixedAddresses?

    /// Creates the dialer.
    public init() {}

    /// Connects a socket; see ``HostDialer/dial(_:within:)``.
    ///
    /// - Parameters:
    ///   - address: The host and the port.
    ///   - limit: How long it may take, the look-up of the name included.
    /// - Returns: The open connection, which the caller closes.
    /// - Throws: `TransportError` with `hostNotFound`, `connectionRefused`, `unreachable` (also past the limit), or
    ///   `dialerUnusable` where the system gives no socket; `CancellationError`.
    public func dial(_ address: HostAddress, within limit: Duration) async throws -> any ByteChannel {
        do {
            return try await SocketChannel.connect(to: .port(address, addresses), within: limit)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw TransportError.dialFailure(error, address: address, limit: limit)
        }
    }
}

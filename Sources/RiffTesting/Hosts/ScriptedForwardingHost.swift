// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport
internal import Synchronization

/// A host whose connections are opened by a closure; ports are forwarded for real.
public final class ScriptedForwardingHost: ForwardingHost {
    /// Opens a connection to an address.
    public typealias Opening = @Sendable (HostAddress) async throws -> any ByteChannel

    private let opening: Opening
    private let asked = Mutex<[HostAddress]>([])

    /// Creates a host that opens connections by a closure, such as one end of an ``InMemoryByteChannel`` pair.
    ///
    /// - Parameter opening: Opens a connection, or throws what a real host would.
    public init(_ opening: @escaping Opening) { self.opening = opening }

    /// The addresses that connections were asked to, in order.
    public var addresses: [HostAddress] { asked.withLock { $0 } }

    /// Opens a connection by the closure; the time is up to it.
    public func open(tcp address: HostAddress, timeout: Duration) async throws -> any ByteChannel {
        asked.withLock { $0.append(address) }
        return try await opening(address)
    }
}

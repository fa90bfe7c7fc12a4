// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

// sample: host: SSHHost
/// A port of this machine whose connections are carried to an address as a host sees it.
///
/// ```swift
/// let forward = try await host.forward(local: 0, to: HostAddress("127.0.0.1", port: 3000))
/// print("http://127.0.0.1:\(forward.port)")
/// for await state in forward.updates() {
///     if let failure = state.failures.last { print(failure.problem.message) }
/// }
/// await forward.shutdown()
/// ```
///
/// It outlives the host's connection: it listens on, connections that come in the meantime wait for the next one, and
/// those that were cut are reset and told as failures. A host that was shut down is not dialed for it. It ends with
/// ``shutdown()``, or when nobody holds it any more.
public final class PortForward: Sendable {
    /// The port that is listened on.
    public let port: Int
    /// The IP addresses that are listened on.
    public let addresses: [String]
    /// The address to which connections are carried.
    public let target: HostAddress
    private let carrier: PortForwardCarrier

    private init(_ listener: PortForwardListener, to target: HostAddress, _ carrier: PortForwardCarrier) {
        port = listener.port
        addresses = listener.addresses
        self.target = target
        self.carrier = carrier
    }

    deinit { carrier.stop() }

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - port: The local port; 0 takes a free one.
    ///   - target: The address, for the state.
    ///   - options: The interface, the bounds.
    ///   - open: Opens a connection to the target, within a time, for a local socket.
    /// - Returns: The forward.
    /// - Throws: `TransportError` with `portInUse` or `listenFailed`; `CancellationError`.
    static func start(
        local port: Int,
        to target: HostAddress,
        _ options: PortForwardOptions,
        open: @escaping PortForwardCarrier.Opening
    ) async throws -> PortForward {
        let carrier = PortForwardCarrier(options, open: open)
        let listener = try await PortForwardListener.start(port: port, on: options.interface) { carrier.accept($0) }
        carrier.start(listener)
        let forward = PortForward(listener, to: target, carrier)
        guard Task.isCancelled else { return forward }
        await forward.shutdown()
        throw CancellationError()
    }

    /// The state now.
    public var current: PortForwardState { carrier.state.current }

    /// The state now, then each change; ends with the forward.
    public func updates() -> AsyncStream<PortForwardState> { carrier.state.updates() }

    /// Closes the port and resets every connection. Returns when all of it is over; may be called more than once.
    public func shutdown() async { await carrier.shutdown() }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension LocalHostSession: ForwardingHost {
    /// Opens a TCP connection from this machine.
    public func open(tcp address: HostAddress, timeout: Duration) async throws -> any ByteChannel {
        try await Self.open(.port(address), "\(address.name), port \(address.port)", within: timeout)
    }

    /// Opens a connection to a unix socket of this machine.
    public func open(unix path: String, timeout: Duration) async throws -> any ByteChannel {
        try await Self.open(.unixSocket(path), InertText.quote(path), within: timeout)
    }

    private static func open(
        _ target: SocketDial.Target,
        _ name: String,
        within limit: Duration
    ) async throws -> SocketChannel {
        do {
            return try await SocketChannel.connect(to: target, within: limit)
        } catch let error as CancellationError {
            throw error
        } catch {
            throw TransportError.openFailure(error, of: name, limit: limit)
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension LocalHostSession: ForwardingHost {
    /// Opens a TCP connection from this machine.
    public func open(tcp address: HostAddress, timeout: Duration) async throws -> any ByteChannel {
        try await ForwardSocket.connect(to: address, within: timeout)
    }

    /// Opens a connection to a unix socket of this machine.
    public func open(unix path: String, timeout: Duration) async throws -> any ByteChannel {
        try await ForwardSocket.connect(toUnixSocket: path, within: timeout)
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A seam: a host that opens byte connections to what it can reach, and over which local ports are forwarded.
///
/// ``SSHHost`` is one over SSH, ``LocalHostSession`` is this machine. It stands apart from ``TerminalHost``: a
/// connection of a front end's own need not be able to do this, and what needs a connection to a service on a host (a
/// gateway, a database, a page) needs no terminal of it.
///
/// To the implementer: a channel carries 8-bit clean bytes, in order and with back-pressure both ways.
/// ``ByteChannel/finishWriting()`` ends one way and leaves the other open; the channel's `output` ends when the peer
/// ends its way, and throws `connectionLost` if the host is lost. `exitStatus()` returns `nil` once the peer has
/// closed. `diagnostics` ends at once.
public protocol ForwardingHost: Sendable {
    /// Opens a TCP connection from the host to an address, as the host sees it (`ssh -W`).
    ///
    /// - Parameters:
    ///   - address: The address; a name is looked up on the host, and `localhost` is the host itself.
    ///   - timeout: The time that it may take altogether, connecting to the host included.
    /// - Returns: The open channel; close it.
    /// - Throws: `TransportError` with `forwardingProhibited` if the host does not let this account connect there,
    ///   `forwardingFailed` if the host could not connect, `timeout`, or the reason that the host cannot be reached;
    ///   `CancellationError`.
    func open(tcp address: HostAddress, timeout: Duration) async throws -> any ByteChannel

    /// Opens a connection to a unix socket on the host.
    ///
    /// - Parameters:
    ///   - path: The absolute path of the socket.
    ///   - timeout: The time that it may take altogether, connecting to the host included.
    /// - Returns: The open channel; close it.
    /// - Throws: `TransportError` with `unsupported` if this kind of host cannot; otherwise as
    ///   ``open(tcp:timeout:)``.
    func open(unix path: String, timeout: Duration) async throws -> any ByteChannel

    /// Listens on a port of this machine, and carries each connection to an address as the host sees it (`ssh -L`).
    ///
    /// - Parameters:
    ///   - port: The local port; 0 takes a free one, which ``PortForward/port`` tells.
    ///   - target: The address, as the host sees it.
    ///   - options: The interface, the bounds.
    /// - Returns: The forward, which listens. It lives until ``PortForward/shutdown()``, and no longer than somebody
    ///   holds it.
    /// - Throws: `TransportError` with `portInUse` or `listenFailed`, or the reason that the host cannot be reached;
    ///   `CancellationError`.
    func forward(local port: Int, to target: HostAddress, options: PortForwardOptions) async throws -> PortForward

    /// Listens on a port of the host, and carries each connection to an address as this machine sees it (`ssh -R`).
    ///
    /// - Parameters:
    ///   - port: The port on the host; 0 takes a free one.
    ///   - target: The address, as this machine sees it.
    ///   - options: The interface, the bounds.
    /// - Returns: The forward.
    /// - Throws: `TransportError` with `unsupported` if this kind of host cannot; otherwise as
    ///   ``forward(local:to:options:)``.
    func forward(remote port: Int, to target: HostAddress, options: PortForwardOptions) async throws -> PortForward
}

extension ForwardingHost {
    /// Opens a TCP connection from the host to an address, within 30 seconds.
    public func open(tcp address: HostAddress) async throws -> any ByteChannel {
        try await open(tcp: address, timeout: .seconds(30))
    }

    /// Opens a connection to a unix socket on the host, within 30 seconds.
    public func open(unix path: String) async throws -> any ByteChannel {
        try await open(unix: path, timeout: .seconds(30))
    }

    /// Throws `unsupported`: for hosts that cannot.
    public func open(unix path: String, timeout: Duration) async throws -> any ByteChannel {
        throw TransportError.unsupportedForwarding("connect to unix sockets on a host")
    }

    /// Listens on a port of this machine, with the standard options or others.
    public func forward(local port: Int = 0, to target: HostAddress) async throws -> PortForward {
        try await forward(local: port, to: target, options: PortForwardOptions())
    }

    /// Listens on a port of this machine, and opens a connection of the host for each one that is accepted.
    public func forward(
        local port: Int,
        to target: HostAddress,
        options: PortForwardOptions
    ) async throws -> PortForward {
        try await PortForward.start(local: port, to: target, options) { try await open(tcp: target, timeout: $1) }
    }

    /// Throws `unsupported`: for hosts that cannot.
    public func forward(
        remote port: Int,
        to target: HostAddress,
        options: PortForwardOptions = PortForwardOptions()
    ) async throws -> PortForward {
        throw TransportError.unsupportedForwarding("listen on a host for connections to this machine")
    }

    /// Forwards a local port for the length of a piece of work.
    ///
    /// - Parameters:
    ///   - port: The local port; 0 takes a free one.
    ///   - target: The address, as the host sees it.
    ///   - options: The interface, the bounds.
    ///   - body: The work; the forward ends with it.
    /// - Returns: The result of the body.
    /// - Throws: As ``forward(local:to:options:)``; what the body throws.
    public func withForward<Result>(
        local port: Int = 0,
        to target: HostAddress,
        options: PortForwardOptions = PortForwardOptions(),
        _ body: (PortForward) async throws -> Result
    ) async throws -> Result {
        let forward = try await forward(local: port, to: target, options: options)
        do {
            let result = try await body(forward)
            await forward.shutdown()
            return result
        } catch {
            await forward.shutdown()
            throw error
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension SSHHost: ForwardingHost {
    /// Opens a TCP connection from the host to an address, as the host sees it (`ssh -W`).
    ///
    /// - Parameters:
    ///   - address: The address; a name is looked up on the host, and `localhost` is the host itself.
    ///   - timeout: The time that it may take altogether, connecting to the host included.
    /// - Returns: The open channel; close it.
    /// - Throws: `TransportError` with `forwardingProhibited` if the host does not let this account connect there,
    ///   `forwardingFailed` if the host could not connect, `timeout`, or the reason that the host cannot be reached;
    ///   `CancellationError`.
    public func open(tcp address: HostAddress, timeout: Duration) async throws -> any ByteChannel {
        try await open(address.tunnelTarget, dials: true, within: timeout)
    }

    /// Opens a connection to a unix socket on the host (`direct-streamlocal@openssh.com`: OpenSSH).
    ///
    /// - Parameters:
    ///   - path: The absolute path of the socket.
    ///   - timeout: The time that it may take altogether, connecting to the host included.
    /// - Returns: The open channel; close it.
    /// - Throws: As ``open(tcp:timeout:)``; `channelRefused` by a server that knows no unix sockets.
    public func open(unix path: String, timeout: Duration) async throws -> any ByteChannel {
        try await open(.unix(path: path), dials: true, within: timeout)
    }

    /// Listens on a port of this machine, and carries each connection to an address as the host sees it (`ssh -L`).
    ///
    /// The host is connected to first. Afterwards it is not dialed for the forward: while it is lost, connections wait
    /// for it; once it was shut down or is in the background, they are reset, and told.
    ///
    /// - Parameters:
    ///   - port: The local port; 0 takes a free one, which ``PortForward/port`` tells.
    ///   - target: The address, as the host sees it.
    ///   - options: The interface, the bounds.
    /// - Returns: The forward, which listens.
    /// - Throws: `TransportError` with `portInUse` or `listenFailed`, or the reason that the host cannot be reached;
    ///   `CancellationError`.
    public func forward(
        local port: Int,
        to target: HostAddress,
        options: PortForwardOptions
    ) async throws -> PortForward {
        try await connect()
        return try await PortForward.start(local: port, to: target, options) {
            try await open(target.tunnelTarget, dials: false, hooks: $0.hooks, within: $1)
        }
    }

    private func open(
        _ target: SSHTunnelTarget,
        dials: Bool,
        hooks: SSHTunnelHooks? = nil,
        within limit: Duration
    ) async throws -> any ByteChannel {
        let link = link
        let opened = EventualValue<SSHChannelHandle>()
        do {
            return try await withDeadline(limit, clock: link.clock) {
                let handle = try await link.open(target, dials: dials, hooks: hooks, within: limit)
                opened.resolve(handle)
                return SSHTunnelChannel(handle, isHooked: hooks != nil)
            }
        } catch {
            // Opened too late.
            await opened.current?.close()
            guard error is DeadlineExceeded else { throw error }
            let message = "\(configuration.address) opened no connection to \(target.words) in \(limit)."
            throw TransportError(.timeout, message, recovery: .retry)
        }
    }
}

extension HostAddress {
    /// The address as the target of a channel.
    var tunnelTarget: SSHTunnelTarget { .tcp(host: name, port: port) }
}

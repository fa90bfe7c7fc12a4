// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension SSHHost {
    // sample: host: SSHHost
    /// Connects from this host on, over its SSH connection (RFC 4254 section 7.2): to what listens on the host itself,
    /// or on machines that only it reaches. The host connects first where it does not stand.
    ///
    /// ```swift
    /// let channel = try await host.dialer.dial(HostAddress("127.0.0.1", port: 3460), within: .seconds(10))
    /// await channel.close()
    /// ```
    public var dialer: any HostDialer { SSHHostDialer(link: link) }
}

/// Opens channels of a host's connection that lead on from there.
struct SSHHostDialer: HostDialer {
    let link: HostLink

    func dial(_ address: HostAddress, within limit: Duration) async throws -> any ByteChannel {
        do {
            // What the link begins for others is theirs, too: it is left to itself.
            return try await BoundedDial.run(within: limit) { [link] in
                SSHExecChannel(handle: try await link.openTunnel(to: address, hooks: nil))
            }
        } catch is DeadlineExceeded {
            let message = "\(link.configuration.address) did not connect to \(address.endpoint) within \(limit)."
            throw TransportError(.timeout, message, recovery: .retry)
        }
    }
}

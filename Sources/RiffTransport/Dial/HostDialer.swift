// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

// sample: address: HostAddress
/// A seam: who opens the connection to a port of a host.
///
/// Sockets of the system are the default (``NetworkDialer``). Others go by a proxy (``SOCKSDialer``,
/// ``HTTPConnectDialer``), by a command (``CommandDialer``), through another host (``SSHHost/dialer``), or are a front
/// end's own: Network.framework on a phone, a private network inside the app. They can be put over each other:
///
/// ```swift
/// let office = HTTPConnectDialer(proxy: try HostAddress("proxy.example.com", port: 3128))
/// let dialer = SOCKSDialer(proxy: try HostAddress("127.0.0.1", port: 1080), over: office)
/// let channel = try await dialer.dial(address, within: .seconds(10))
/// await channel.close()
/// ```
///
/// To the implementer of an own dialer:
///
/// - **What is dialed.** The name is a DNS name, an IPv4 address, or an IPv6 address without brackets that may end in a
///   zone (`fe80::1%en0`). Resolving it is the dialer's work; a proxy resolves at its own end. Where a name has several
///   addresses, try IPv6 and IPv4 beside each other (RFC 8305). One call makes one connection; many may run at once.
/// - **Success.** Return when bytes can go both ways, not before: what is said to be connected and is not shows as a
///   timeout of the protocol above. The caller owns the channel, and closes it.
/// - **Time.** Give up after `limit`, with `timeout` or `unreachable`.
/// - **Cancellation.** Throw `CancellationError` soon after the calling task is cancelled. What was begun is closed,
///   also where it comes up later.
/// - **Failure.** Throw a `TransportError`: `hostNotFound`, `connectionRefused`, `unreachable`, `timeout`, or one of
///   the `proxy...` codes, and say in the message which hop failed. `proxyNotAuthorized` is not tried again by itself.
/// - **Bytes.** A byte counts as taken when ``ByteChannel/write(_:)`` returns. It must suspend while the peer takes
///   nothing and a bounded number of bytes (say 256 KiB) wait; a cancelled write sends none of its bytes.
/// - **Half close.** ``ByteChannel/finishWriting()`` ends the outgoing way after what was written (TCP's FIN), and the
///   incoming one stays open.
/// - **The end.** `output` ends where the peer closed in order, and throws `connectionLost` where the connection was
///   lost. ``ByteChannel/close()`` lets what was written go on its way; ``ByteChannel/abort()`` drops it: keys that
///   were typed into a dead connection must not arrive after those of the next one.
/// - **Words.** `diagnostics` is for what the way itself says, such as a command's standard error; it is shown where
///   the connection fails. ``ByteChannel/exitStatus()`` is `nil` where there is no command.
///
/// The conformance checks of RiffTesting (`HostDialerConformance`) try all of this.
public protocol HostDialer: Sendable {
    /// Connects to a port of a host.
    ///
    /// - Parameters:
    ///   - address: The host and the port.
    ///   - limit: How long it may take.
    /// - Returns: The open connection, which the caller closes.
    /// - Throws: `TransportError` as above; `CancellationError`.
    func dial(_ address: HostAddress, within limit: Duration) async throws -> any ByteChannel
}

extension HostDialer where Self == NetworkDialer {
    /// Sockets of the system.
    public static var network: NetworkDialer { NetworkDialer() }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// The interface and the bounds of a forwarded port.
public struct PortForwardOptions: Sendable, Hashable {
    /// The local interface that is listened on.
    public enum Interface: Sendable, Hashable {
        /// 127.0.0.1, and ::1 where this machine has it: programs of this machine alone can connect, of any account.
        case loopback
        /// One address of this machine, an IP address. Other machines may be able to connect.
        case address(String)
    }

    /// The local interface that is listened on; the loopback one unless it is asked for another.
    public var interface = Interface.loopback
    /// The most connections that are open at once, those that are being opened included; one more is reset, and told.
    public var maximumConnections = 128
    /// The time that each connection may take to open, a reconnect of the host included; one that takes longer is
    /// reset, and told.
    public var openTimeout = Duration.seconds(30)

    /// Creates the standard options.
    public init() {}
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// Where a host's link stands, for a front end to show.
public struct HostLinkState: Sendable {
    /// Connecting, connected, waiting for the next attempt, or over.
    public var connection: ConnectionState
    /// Why the last attempt or the last connection ended; `nil` once connected.
    public var problem: (any RiffError)?
    /// How many SSH connections are open; more than one where the server allows few sessions on each.
    public var connectionCount: Int
    /// How many session channels the server opens on one connection, once a refusal told it (MaxSessions).
    public var channelsPerConnection: Int?

    package init(connection: ConnectionState) {
        self.connection = connection
        connectionCount = 0
    }
}

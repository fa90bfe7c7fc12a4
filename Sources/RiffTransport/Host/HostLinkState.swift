// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// Where a host's link stands, for a front end to show.
public struct HostLinkState: Sendable {
    /// Connecting, connected, waiting for the next attempt, or over.
    public var connection: ConnectionState
    /// Why the last attempt or the last connection ended; `nil` once connected.
    public var problem: (any RiffError)?
    /// How many SSH connections are open; more than one where the server allows few sessions on each, or ports are
    /// forwarded.
    public var connectionCount: Int
    /// How many session channels the server opens on one connection, once a refusal told it (MaxSessions).
    package var channelsPerConnection: Int?

    /// Creates a state, for a ``TerminalHost`` of a front end's own.
    ///
    /// - Parameters:
    ///   - connection: The state of the connection.
    ///   - problem: The reason that the last attempt or the last connection ended.
    public init(connection: ConnectionState, problem: (any RiffError)? = nil) {
        self.connection = connection
        self.problem = problem
        connectionCount = connection == .connected ? 1 : 0
    }
}

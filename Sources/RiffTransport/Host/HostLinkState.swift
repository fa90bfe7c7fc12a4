// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The state of a host's link, for a front end to show.
public struct HostLinkState: Sendable {
    /// Connecting, connected, waiting for the next attempt, or over.
    public var connection: ConnectionState
    /// Why the last attempt or the last connection ended; `nil` once connected.
    public var problem: (any RiffError)?
    /// The number of SSH connections that are open; more than one if the server allows few sessions on each, or ports
    /// are forwarded.
    public var connectionCount: Int
    /// The number of session channels that the server opens on one connection, once a refusal showed it (MaxSessions).
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

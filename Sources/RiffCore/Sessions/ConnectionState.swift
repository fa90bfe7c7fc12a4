// Riff
// SPDX-License-Identifier: Apache-2.0

/// The state of a host's connection, for a person.
public enum ConnectionState: Sendable, Hashable {
    /// The connection was not asked for yet.
    case idle
    /// The first connection is being made.
    case connecting
    /// It is there.
    case connected
    /// It was lost, and comes back by itself: the number of the attempt, from 1, and how long is waited before it;
    /// `nil` while the attempt is being made.
    case reconnecting(attempt: Int, delay: Duration?)
    /// It is not there and does not come back by itself.
    case disconnected(ConnectionEnd)

    /// Whether a connection is being made or waited for: what a busy signal follows.
    package var isUnderWay: Bool {
        switch self {
        case .connecting, .reconnecting: true
        case .idle, .connected, .disconnected: false
        }
    }
}

/// Why a connection is not there.
public enum ConnectionEnd: Sendable, Hashable {
    /// It was ended on purpose.
    case deliberate
    /// The app was suspended; coming to the foreground brings it back.
    case suspended
    /// It could not be made; trying again is up to the person. The owner keeps the error.
    case failed
}

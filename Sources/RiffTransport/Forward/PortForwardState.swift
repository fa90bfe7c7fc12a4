// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The state of a forwarded port.
public struct PortForwardState: Sendable, Hashable {
    /// A connection that was not carried to its end.
    public struct Failure: Sendable, Hashable {
        /// The number of the connection; the first one that was accepted is 1.
        public let connection: Int
        /// Whether it was open when it failed; otherwise nothing was sent to its target.
        public let wasOpen: Bool
        /// The reason: `transport.forwardingProhibited`, `transport.forwardingFailed`, `transport.connectionLost` and
        /// others.
        public let problem: Problem

        /// Creates a failure from its parts, for previews and tests.
        public init(connection: Int, wasOpen: Bool, problem: Problem) {
            self.connection = connection
            self.wasOpen = wasOpen
            self.problem = problem
        }
    }

    /// The number of failures that are kept.
    static let keptFailures = 32

    /// Whether connections are accepted.
    public internal(set) var isListening = true
    /// The number of connections that are open or being opened.
    public internal(set) var openConnections = 0
    /// The number of connections that were accepted so far.
    public internal(set) var acceptedConnections = 0
    /// The number of connections that failed so far. One that a local program or its target ended is none.
    public internal(set) var failedConnections = 0
    /// The newest failures, oldest first; at most 32.
    public internal(set) var failures: [Failure] = []

    init() {}

    /// Notes a failure.
    mutating func note(_ failure: Failure) {
        failedConnections += 1
        if failures.count == Self.keptFailures { failures.removeFirst() }
        failures.append(failure)
    }
}

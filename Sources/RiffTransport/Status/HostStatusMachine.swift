// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The rules of a host's status: what the link says comes first, then what the host answers.
///
/// A host on this machine is always connected. One answer that fails to come is `degraded`, two in a row are an
/// `error`, unless the link itself knows better.
package struct HostStatusMachine: Sendable {
    /// The number of unanswered probes in a row that is an error.
    package static let patience = 2

    private let isLocal: Bool
    private var connection: ConnectionState
    private var problem: Problem?
    private var beat: ProbeResult?
    private var silences = 0

    /// A host whose link has not said anything yet.
    ///
    /// - Parameter isLocal: Whether it is this machine.
    package init(isLocal: Bool) {
        self.isLocal = isLocal
        connection = isLocal ? .connected : .idle
    }

    /// The link has another state. What the host answered over an earlier connection counts no more.
    package mutating func link(_ connection: ConnectionState, problem: (any RiffError)?) {
        if connection != self.connection, connection != .connected {
            beat = nil
            silences = 0
        }
        self.connection = connection
        self.problem = problem.map { Problem($0) }
    }

    /// The host was asked how it is.
    package mutating func take(_ beat: ProbeResult) {
        self.beat = beat
        if case .unanswered = beat { silences += 1 } else { silences = 0 }
    }

    /// The status, by all that is known.
    package var status: HostStatus {
        if isLocal {
            guard case .healthy(let time)? = beat else { return .connected }
            return HostStatus(.connected, answerTime: time)
        }
        switch connection {
        case .idle: return HostStatus(.connecting)
        case .connecting, .reconnecting: return HostStatus(.connecting, cause: problem)
        case .disconnected(let end): return HostStatus(.error, cause: problem ?? Self.cause(of: end))
        case .connected: break
        }
        switch beat {
        case nil: return .connected
        case .healthy(let time)?: return HostStatus(.connected, answerTime: time)
        case .degraded(let cause, let time)?: return HostStatus(.degraded, cause: cause, answerTime: time)
        case .unanswered(let cause)?: return HostStatus(silences < Self.patience ? .degraded : .error, cause: cause)
        }
    }

    private static func cause(of end: ConnectionEnd) -> Problem {
        switch end {
        case .deliberate: .init(code: "transport.closed", message: "The connection was ended on this side.")
        case .suspended: .init(code: "transport.suspended", message: "The connection rests while the app is away.")
        case .failed: .init(code: "transport.notConnected", message: "There is no connection.", recovery: .retry)
        }
    }
}

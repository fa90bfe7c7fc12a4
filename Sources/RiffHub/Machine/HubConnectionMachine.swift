// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// Keeps one WebSocket: when to connect, when it counts as dead, how long to wait. A value without clock or I/O; times
/// are since any beginning.
///
/// Everything that comes from a socket names it: what an old one still says changes nothing.
package struct HubConnectionMachine: Sendable, Hashable {
    /// An event on the connection.
    package enum Event: Sendable, Hashable {
        /// The client starts.
        case start
        /// A connection is open.
        case opened(socket: Int)
        /// Something came over it.
        case heard(socket: Int)
        /// It ended, or could not be made.
        case closed(socket: Int)
        /// The app is visible again.
        case foreground
        /// The app is not visible: what ends now stays so until it is.
        case background
        /// A deadline may have passed.
        case tick
        /// End for good.
        case stop
    }

    /// An effect for the caller to carry out.
    package enum Effect: Sendable, Hashable {
        /// Connect, and call the connection this.
        case connect(socket: Int)
        /// Close this one, whatever it is doing.
        case drop(socket: Int)
    }

    private enum Stage: Sendable, Hashable {
        case idle
        case connecting(Int)
        case connected(Int, since: Duration)
        case waiting(until: Duration)
        case stopped
    }

    /// The time without any message after which the connection counts as lost: the hub pings every 30 seconds.
    package static let silence = Duration.seconds(60)
    /// The time that a connection must be open before the delays begin again.
    package static let proof = Duration.seconds(30)

    /// The number of attempts that failed since a connection last proved itself: it survives connections that are open
    /// for a moment.
    package private(set) var failures = 0
    private let policy: ReconnectPolicy
    private var stage = Stage.idle
    private var isInBackground = false
    /// When something came over the newest connection.
    private(set) var lastHeard = Duration.zero
    private var lastSocket = 0

    /// A connection that was not begun.
    ///
    /// - Parameter policy: The waits; 1, 2, 4, 8 and then 15 seconds unless said otherwise.
    package init(policy: ReconnectPolicy = .standard) { self.policy = policy }

    /// The status of the connection.
    package var status: HubSnapshot.Connection {
        switch stage {
        case .connecting: .connecting
        case .connected: .connected
        case .idle, .waiting, .stopped: .disconnected
        }
    }

    /// The socket that is open; `nil` if there is none.
    package var socket: Int? { if case .connected(let socket, _) = stage { socket } else { nil } }

    /// When a `tick` is due.
    package var deadline: Duration? {
        switch stage {
        case .connected: lastHeard + Self.silence
        case .waiting(let until): isInBackground ? nil : until
        case .idle, .connecting, .stopped: nil
        }
    }

    /// Takes what happened.
    package mutating func handle(_ event: Event, at now: Duration) -> [Effect] {
        switch event {
        case .start:
            guard case .idle = stage else { return [] }
            return connect()
        case .opened(let socket):
            guard stage == .connecting(socket) else { return [.drop(socket: socket)] }
            (stage, lastHeard) = (.connected(socket, since: now), now)
            return []
        case .heard(let socket):
            guard socket == self.socket else { return [] }
            lastHeard = now
            if case .connected(_, let since) = stage, now - since >= Self.proof { failures = 0 }
            return []
        case .closed(let socket):
            guard stage == .connecting(socket) || socket == self.socket else { return [] }
            wait(from: now)
            return []
        case .foreground:
            isInBackground = false
            if case .waiting = stage { return connect() }
            return expire(now)
        case .background:
            isInBackground = true
            return []
        case .tick:
            if case .waiting(let until) = stage, until <= now, !isInBackground { return connect() }
            return expire(now)
        case .stop:
            defer { stage = .stopped }
            switch stage {
            case .connecting(let socket), .connected(let socket, _): return [.drop(socket: socket)]
            case .idle, .waiting, .stopped: return []
            }
        }
    }

    /// A connection over which nothing came for too long is dead, whatever the system thinks.
    private mutating func expire(_ now: Duration) -> [Effect] {
        guard let socket, now >= lastHeard + Self.silence else { return [] }
        wait(from: now)
        return [.drop(socket: socket)]
    }

    private mutating func wait(from now: Duration) {
        failures += 1
        stage = .waiting(until: now + policy.delay(beforeAttempt: failures))
    }

    private mutating func connect() -> [Effect] {
        lastSocket += 1
        stage = .connecting(lastSocket)
        return [.connect(socket: lastSocket)]
    }
}

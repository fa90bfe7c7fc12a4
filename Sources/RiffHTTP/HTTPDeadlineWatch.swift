// Riff
// SPDX-License-Identifier: Apache-2.0

package import HTTPTypes
internal import RiffCore
package import RiffTransport
internal import Synchronization

/// Keeps the idle and the total deadline of one exchange: it receives the events, and throws when one has passed.
package final class HTTPDeadlineWatch: Sendable {
    private struct State {
        var isConnected = false
        /// Since the start, on the transport's clock.
        var lastActivity: Duration = .zero
        /// Whether the peer is who is waited for; not while the caller reads slowly.
        var waitsForPeer = true
    }

    private let request: HTTPRequest
    private let deadlines: HTTPDeadlines
    private let seesConnections: Bool
    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private let state = Mutex(State())

    /// A watch that starts now.
    ///
    /// - Parameters:
    ///   - request: What errors are about.
    ///   - deadlines: How long the parts may take.
    ///   - seesConnections: Whether ``connected()`` is called for every connection, when it is there. Otherwise silence
    ///     from the start on counts, for the connect and the idle deadline together, and nobody can say that a peer
    ///     was never reached.
    ///   - clock: What counts the time.
    package init(
        _ request: HTTPRequest,
        deadlines: HTTPDeadlines,
        seesConnections: Bool,
        clock: any Clock<Duration>
    ) {
        self.request = request
        self.deadlines = deadlines
        self.seesConnections = seesConnections
        self.clock = clock
        elapsed = Self.stopwatch(clock)
    }

    /// Whether a connection was seen.
    package var isConnected: Bool { state.withLock { $0.isConnected } }

    /// There is a connection.
    package func connected() {
        let now = elapsed()
        state.withLock { state in
            state.isConnected = true
            state.lastActivity = now
        }
    }

    /// Bytes moved, either way.
    package func active() {
        let now = elapsed()
        state.withLock { $0.lastActivity = now }
    }

    /// Says who is waited for: the peer, or the caller, who may take as long as they like.
    package func setWaitingForPeer(_ isWaiting: Bool) {
        let now = elapsed()
        state.withLock { state in
            if isWaiting, !state.waitsForPeer { state.lastActivity = now }
            state.waitsForPeer = isWaiting
        }
    }

    /// Sleeps until a deadline has passed; returns where there is none. The connect deadline is the transport's own.
    ///
    /// - Throws: `TransportError` with `timeout` or `httpNeverConnected`; `CancellationError`.
    package func run() async throws {
        while true {
            let now = elapsed()
            let state = state.withLock(\.self)
            if let total = deadlines.total, now >= total {
                let mayHaveReached = state.isConnected || !seesConnections
                throw passed("total", total, mayHaveReached ? .timeout : .httpNeverConnected)
            }
            let idleSince = idleSince(state, now)
            if let idle = deadlines.idle, now >= idleSince + idle { throw passed("idle", idle, .timeout) }
            // Before the connection the idle time may begin at any moment: it is looked at again no later than it
            // lasts.
            let next = [deadlines.total, deadlines.idle.map { min(idleSince, now) + $0 }].compactMap(\.self).min()
            guard let next else { return }
            try await clock.sleep(for: next - now)
        }
    }

    private func idleSince(_ state: State, _ now: Duration) -> Duration {
        if state.isConnected { return state.waitsForPeer ? state.lastActivity : now }
        return seesConnections ? now : deadlines.connect ?? now
    }

    private func passed(_ name: String, _ limit: Duration, _ code: TransportError.Code) -> TransportError {
        TransportError(code, "\(request.logLine) took longer than its \(name) deadline of \(limit).", recovery: .retry)
    }

    private static func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}

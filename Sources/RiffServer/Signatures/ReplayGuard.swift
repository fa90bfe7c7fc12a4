// Riff
// SPDX-License-Identifier: Apache-2.0

internal import DequeModule
internal import Synchronization

/// Takes each signed request once: its time must be near this clock's, and its nonce must be new.
///
/// What is remembered is what can still come in time, and no more than a limit: only those who know the secret can fill
/// it, and beyond it requests are put off.
final class ReplayGuard: Sendable {
    enum Verdict: Sendable, Hashable {
        case fresh
        /// Signed too long ago, in the future, or before this server began: whose clock is wrong cannot be told.
        case stale
        case replayed
        /// Too many to remember; try again.
        case full
    }

    private struct State {
        var nonces: Set<String> = []
        var order: Deque<(nonce: String, time: Double)> = []
    }

    private let window: Double
    private let begin: Double
    private let limit: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - window: How far a request's time may be from this clock's, in seconds.
    ///   - begin: When the server began: what was signed before may have been taken by the one before it.
    ///   - limit: The most nonces.
    init(window: Duration, begin: Double, limit: Int = 200_000) {
        self.window = Double(window.components.seconds) + Double(window.components.attoseconds) / 1e18
        // Times are whole seconds.
        self.begin = begin.rounded(.down)
        self.limit = limit
    }

    /// Takes a request whose signature is right.
    func take(_ nonce: String, signedAt time: Double, now: Double) -> Verdict {
        guard abs(now - time) <= window, time >= begin else { return .stale }
        return state.withLock { state in
            while let first = state.order.first, now - first.time > window {
                state.nonces.remove(first.nonce)
                state.order.removeFirst()
            }
            guard !state.nonces.contains(nonce) else { return .replayed }
            guard state.order.count < limit else { return .full }
            state.nonces.insert(nonce)
            // In the order of their end: a time in the future is remembered longer.
            state.order.append((nonce, max(time, now)))
            return .fresh
        }
    }
}

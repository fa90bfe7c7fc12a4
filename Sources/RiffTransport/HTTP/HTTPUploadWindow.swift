// Riff
// SPDX-License-Identifier: Apache-2.0

#if HTTPClient
internal import Synchronization

/// How much of a request's body may be between the caller and the network.
///
/// AsyncHTTPClient takes pieces as fast as they come until its event loop gets to say that the socket is full; on a busy
/// machine that can be tens of megabytes later. This counts what was taken and not yet written, and keeps it below what
/// makes the socket count as full (64 KiB): the client then never waits for it to empty, which it would do for good where the
/// whole answer comes before the body was sent (413), keeping request and connection in memory (1.37).
final class HTTPUploadWindow: Sendable {
    private struct State {
        var inFlight = 0
        var isClosed = false
        var waiter: CheckedContinuation<Void, Never>?
    }

    private static let limit = 32 * 1024
    /// The most bytes that may be taken at once.
    static let piece = 16 * 1024
    private let state = Mutex(State())

    /// Suspends while the window is full. One caller at a time.
    func room() async {
        await withCheckedContinuation { continuation in
            let mustWait = state.withLock { state in
                guard state.inFlight >= Self.limit, !state.isClosed else { return false }
                precondition(state.waiter == nil, "A request's body has one reader.")
                state.waiter = continuation
                return true
            }
            if !mustWait { continuation.resume() }
        }
    }

    /// Bytes were handed to the client.
    func took(_ count: Int) { state.withLock { $0.inFlight += count } }

    /// Bytes were handed to the network.
    func wrote(_ count: Int) { release { $0.inFlight -= count } }

    /// Nothing will be written any more; whoever waits goes on.
    func close() { release { $0.isClosed = true } }

    private func release(_ change: (inout State) -> Void) {
        let waiter = state.withLock { state in
            change(&state)
            guard state.inFlight < Self.limit || state.isClosed else { return nil as CheckedContinuation<Void, Never>? }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume()
    }
}
#endif

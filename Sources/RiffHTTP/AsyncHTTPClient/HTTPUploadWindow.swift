// Riff
// SPDX-License-Identifier: Apache-2.0

#if HTTPClient
internal import RiffCore
internal import Synchronization

/// The amount of a request's body that may be between the caller and the network.
///
/// AsyncHTTPClient takes pieces as fast as they come until its event loop gets to say that the socket is full; on a
/// busy machine that can be tens of megabytes later. This counts what was taken and not yet written, and keeps it below
/// what makes the socket count as full (64 KiB).
///
/// A piece that the client is given while it does not want one waits for good where the whole answer comes before the
/// body was sent (413), and keeps request and connection in memory (1.37). It wants none while the socket is full, and
/// from the head of an answer of 300 or more on. So nothing is handed over any more before the client sees that head,
/// and the head waits for pieces that are on their way to the connection.
final class HTTPUploadWindow: Sendable {
    private struct State {
        var inFlight = 0
        /// Of these, pieces that the connection has not seen.
        var handedOver = 0
        var isOnHold = false
        var isClosed = false
        var waiters = WaitList()

        var hasRoom: Bool { isClosed || inFlight < HTTPUploadWindow.limit && !isOnHold }
    }

    private static let limit = 32 * 1024
    /// The most bytes that may be taken at once.
    static let piece = 16 * 1024
    private let state = Mutex(State())

    /// Suspends while the window is full or on hold. One caller at a time.
    func room() async {
        await state.waitEvenIfCancelled(in: \.waiters) { state in
            precondition(state.waiters.isEmpty, "A request's body has one reader.")
            return !state.hasRoom
        }
    }

    /// A piece is handed to the client, if this says so: while the window is on hold it is not.
    ///
    /// - Throws: `CancellationError` once the window is closed.
    func take(_ count: Int) throws -> Bool {
        let (isTaken, isClosed) = state.withLock { state in
            guard !state.isOnHold, !state.isClosed else { return (false, state.isClosed) }
            state.inFlight += count
            state.handedOver += 1
            return (true, false)
        }
        if isClosed { throw CancellationError() }
        return isTaken
    }

    /// A piece has come to the connection.
    func arrived() { state.withLock { $0.handedOver -= 1 } }

    /// Whether pieces are on their way to the connection.
    var isHandingOver: Bool { state.withLock { $0.handedOver > 0 } }

    /// Bytes were handed to the network.
    func wrote(_ count: Int) { release { $0.inFlight -= count } }

    /// Nothing is to be taken until the window is closed.
    func hold() { state.withLock { $0.isOnHold = true } }

    /// Closes the window: no bytes will be taken any more, and ``take(_:)`` reports that to its waiters.
    func close() { release { $0.isClosed = true } }

    private func release(_ change: (inout State) -> Void) {
        let waiters = state.withLock { state in
            change(&state)
            return state.hasRoom ? state.waiters.take() : WaitList()
        }
        waiters.wake()
    }
}
#endif

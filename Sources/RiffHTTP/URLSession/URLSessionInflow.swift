// Riff
// SPDX-License-Identifier: Apache-2.0

#if URLSession
internal import Foundation
internal import RiffCore
internal import RiffTransport
internal import Synchronization

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// The response's body between a task that pushes and a reader that pulls: the task is suspended while the reader is
/// behind, and what comes all the same has a limit.
final class URLSessionInflow: Sendable {
    /// The queue on which the session reports its events, one after the other.
    let queue: OperationQueue
    let pipe: BytePipe
    private let valve: Valve
    private let watch: HTTPDeadlineWatch
    private let limit: Int
    private let count = Mutex((received: 0, expected: 0))

    init(watch: HTTPDeadlineWatch, limit: Int) {
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let valve = Valve(watch: watch)
        // On the queue, behind what closed the valve. If it closed again meanwhile, the next bytes close it once more.
        pipe = BytePipe(onDrain: { queue.addOperation { valve.open() } })
        self.queue = queue
        self.valve = valve
        self.watch = watch
        self.limit = limit
    }

    /// The task that is made to wait.
    func flow(from task: URLSessionTask) { valve.attach(task) }

    /// Says how many bytes must come, at least.
    func expect(_ bytes: Int) { count.withLock { $0.expected = bytes } }

    /// Whether as much came as was announced.
    var isComplete: Bool { count.withLock { $0.received >= $0.expected } }

    /// Takes what came.
    ///
    /// - Throws: `TransportError` with `outputTooLarge` where more is unread than may be held.
    func receive(_ data: Data) throws(TransportError) {
        count.withLock { $0.received += data.count }
        watch.active()
        if !pipe.offer(Array(data)) { valve.close() }
        guard pipe.heldBytes > limit else { return }
        let message = "More than \(limit) bytes of an answer came that nobody has read."
        throw TransportError(.outputTooLarge, message)
    }

    /// Suspends and resumes the task, where that stops the peer.
    private final class Valve: Sendable {
        private let state = Mutex((task: nil as URLSessionTask?, isClosed: false))
        private let watch: HTTPDeadlineWatch

        init(watch: HTTPDeadlineWatch) { self.watch = watch }

        func attach(_ task: URLSessionTask) { state.withLock { $0.task = task } }
        func open() { turn(closing: false)?.resume() }
        func close() { turn(closing: true)?.suspend() }

        private func turn(closing: Bool) -> URLSessionTask? {
            watch.setWaitingForPeer(!closing)
            return state.withLock { state in
                guard state.isClosed != closing else { return nil }
                state.isClosed = closing
                return URLSessionTransport.capabilities.contains(.responseBackPressure) ? state.task : nil
            }
        }
    }
}
#endif

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

/// Carries the connections that a forward's listener accepts, each to a channel that is opened for it.
///
/// One task runs them all as its children; what is accepted reaches it through a sequence that holds as many as are
/// counted as open, and those are bounded.
final class PortForwardCarrier: Sendable {
    /// Opens a channel within a time, for a socket that may take over its pipes.
    typealias Opening = @Sendable (SocketChannel, Duration) async throws -> any ByteChannel

    private struct Accepted: Sendable {
        let number: Int
        let socket: SocketChannel
    }

    private struct Running {
        var snapshot = PortForwardState()
        var listener: PortForwardListener?
        var task: Task<Void, Never>?
        var isStopped = false
        /// The connections that were accepted and are not carried yet.
        var waiting: [Int: SocketChannel] = [:]
    }

    let state = StateSource(PortForwardState())
    private let options: PortForwardOptions
    private let open: Opening
    private let accepted: AsyncStream<Accepted>
    private let handOver: AsyncStream<Accepted>.Continuation
    private let running = Mutex(Running())

    init(_ options: PortForwardOptions, open: @escaping Opening) {
        self.options = options
        self.open = open
        // Bounded by `maximumConnections`: what is counted as open is handed over once.
        (accepted, handOver) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    private func change<Result>(_ body: (inout sending Running) -> sending Result) -> sending Result {
        let result = running.withLock(body)
        // The newest one, whoever is faster.
        state.update { _ in running.withLock(\.snapshot) }
        return result
    }

    /// A connection was accepted; on its event loop.
    func accept(_ socket: SocketChannel) {
        let number = change { running -> Int? in
            guard !running.isStopped else { return nil }
            running.snapshot.acceptedConnections += 1
            let number = running.snapshot.acceptedConnections
            guard running.snapshot.openConnections < options.maximumConnections else {
                running.snapshot.note(tooMany(number))
                return nil
            }
            running.snapshot.openConnections += 1
            running.waiting[number] = socket
            return number
        }
        guard let number else { return socket.reset() }
        // If it ended in the meantime, what waits is dropped there.
        handOver.yield(Accepted(number: number, socket: socket))
    }

    private func tooMany(_ number: Int) -> PortForwardState.Failure {
        let message =
            "\(options.maximumConnections) connections are open over this port, as many as it carries at once; one more was "
            + "reset."
        let error = TransportError(.tooManyConnections, message, recovery: .retry)
        return PortForwardState.Failure(connection: number, wasOpen: false, problem: Problem(error))
    }

    /// Begins to carry what the listener accepts.
    func start(_ listener: PortForwardListener) {
        let task = Task { [self, accepted, open, options] in
            await withDiscardingTaskGroup { group in
                for await connection in accepted {
                    running.withLock { _ = $0.waiting.removeValue(forKey: connection.number) }
                    group.addTask {
                        let failure = await Self.carry(connection.socket, within: options.openTimeout, open)
                        // What ends with the forward has not failed.
                        self.ended(connection.number, Task.isCancelled ? nil : failure)
                    }
                }
                group.cancelAll()
            }
            dropWaiting()
            state.finish()
        }
        running.withLock { running in
            running.listener = listener
            running.task = task
        }
        listener.whenClosed { [weak self] in self?.change { $0.snapshot.isListening = false } }
    }

    private func ended(_ number: Int, _ failure: Failure?) {
        change { running in
            running.snapshot.openConnections -= 1
            guard let failure else { return }
            running.snapshot.note(
                PortForwardState.Failure(
                    connection: number,
                    wasOpen: failure.wasOpen,
                    problem: Problem(failure.error)
                )
            )
        }
    }

    /// Resets the connections that will not be carried any more.
    private func dropWaiting() {
        let dropped = change { running -> [SocketChannel] in
            let dropped = Array(running.waiting.values)
            running.waiting = [:]
            running.snapshot.openConnections -= dropped.count
            return dropped
        }
        for socket in dropped { socket.reset() }
    }

    /// Ends everything soon: for who cannot wait.
    func stop() {
        let (listener, task) = change { running in
            running.isStopped = true
            running.snapshot.isListening = false
            return (running.listener, running.task)
        }
        listener?.closeSoon()
        handOver.finish()
        task?.cancel()
    }

    func shutdown() async {
        stop()
        let (listener, task) = running.withLock { ($0.listener, $0.task) }
        await listener?.close()
        await task?.value
    }

    // MARK: One connection

    private struct Failure {
        let wasOpen: Bool
        let error: any Error
    }

    /// Carries one connection to its end.
    ///
    /// - Returns: The failure, unless one of its two ends ended it or the forward is over.
    private static func carry(
        _ socket: SocketChannel,
        within limit: Duration,
        _ open: @escaping Opening
    ) async -> Failure? {
        let channel: any ByteChannel
        do {
            channel = try await openWhileWanted(socket, within: limit, open)
        } catch {
            // A reset, since an end would look as if the target had answered with nothing.
            socket.reset()
            return error is CancellationError ? nil : Failure(wasOpen: false, error: error)
        }
        let cut = await ForwardedConnection(socket, channel).run()
        return cut.map { Failure(wasOpen: true, error: $0) }
    }

    /// Opens the channel; gives up when the local program has gone in the meantime.
    private static func openWhileWanted(
        _ socket: SocketChannel,
        within limit: Duration,
        _ open: @escaping Opening
    ) async throws -> any ByteChannel {
        try await withThrowingTaskGroup(of: (any ByteChannel)?.self) { group in
            group.addTask { try await open(socket, limit) }
            group.addTask {
                // However it ended.
                _ = try? await socket.waitUntilClosed()
                return nil
            }
            let first = try await group.next() ?? nil
            group.cancelAll()
            if let first { return first }
            // It may have been opened all the same.
            while let late = await group.nextResult() {
                if case .success(let channel?) = late { await channel.close() }
            }
            throw CancellationError()
        }
    }
}

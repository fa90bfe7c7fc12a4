// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

/// Carries the connections that a forward's listener accepts, each to a channel that is opened for it.
///
/// One task runs them all as its children; what is accepted reaches it through a sequence that holds as many as are
/// counted as open, and those are bounded.
final class PortForwardCarrier: Sendable {
    private struct Accepted: Sendable {
        let number: Int
        let socket: ForwardSocket
    }

    private struct Running {
        var listener: PortForwardListener?
        var task: Task<Void, Never>?
    }

    let state = StateSource(PortForwardState())
    private let options: PortForwardOptions
    private let open: @Sendable (Duration) async throws -> any ByteChannel
    private let accepted: AsyncStream<Accepted>
    private let handOver: AsyncStream<Accepted>.Continuation
    private let running = Mutex(Running())

    init(_ options: PortForwardOptions, open: @escaping @Sendable (Duration) async throws -> any ByteChannel) {
        self.options = options
        self.open = open
        // Bounded by `maximumConnections`: what is counted as open is handed over once.
        (accepted, handOver) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    /// A connection was accepted; on its event loop.
    func accept(_ socket: ForwardSocket) {
        var number = 0
        var isWelcome = false
        state.update { state in
            var state = state
            guard state.isListening else { return nil }
            state.acceptedConnections += 1
            number = state.acceptedConnections
            isWelcome = state.openConnections < options.maximumConnections
            if isWelcome { state.openConnections += 1 } else { state.note(tooMany(number)) }
            return state
        }
        guard isWelcome, case .enqueued = handOver.yield(Accepted(number: number, socket: socket)) else {
            return socket.reset()
        }
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
        let task = Task { [state, accepted, open, options] in
            await withDiscardingTaskGroup { group in
                for await connection in accepted {
                    group.addTask {
                        let failure = await Self.carry(connection.socket, within: options.openTimeout, open)
                        // What ends with the forward has not failed.
                        let isStopped = Task.isCancelled
                        state.update { state in
                            var state = state
                            state.openConnections -= 1
                            if let failure, !isStopped {
                                state.note(
                                    PortForwardState.Failure(
                                        connection: connection.number,
                                        wasOpen: failure.wasOpen,
                                        problem: Problem(failure.error)
                                    )
                                )
                            }
                            return state
                        }
                    }
                }
                group.cancelAll()
            }
            state.finish()
        }
        running.withLock { running in
            running.listener = listener
            running.task = task
        }
        listener.whenClosed { [weak self] in self?.stopListening() }
    }

    /// What is open goes on.
    private func stopListening() {
        state.update { state in
            var state = state
            guard state.isListening else { return nil }
            state.isListening = false
            return state
        }
    }

    /// Ends everything soon: for who cannot wait.
    func stop() {
        let (listener, task) = running.withLock { ($0.listener, $0.task) }
        stopListening()
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
        _ socket: ForwardSocket,
        within limit: Duration,
        _ open: @escaping @Sendable (Duration) async throws -> any ByteChannel
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
        _ socket: ForwardSocket,
        within limit: Duration,
        _ open: @escaping @Sendable (Duration) async throws -> any ByteChannel
    ) async throws -> any ByteChannel {
        try await withThrowingTaskGroup(of: (any ByteChannel)?.self) { group in
            group.addTask { try await open(limit) }
            group.addTask {
                await socket.waitUntilClosed()
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

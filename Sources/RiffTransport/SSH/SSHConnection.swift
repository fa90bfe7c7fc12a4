// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import RiffCore

/// One authenticated SSH connection with many channels: drives an engine on an event loop.
///
/// The actor's executor is the event loop, so the engine is confined by the compiler and what the loop hands in costs
/// no hop. Nothing here waits: operations are begun, the engine is pumped, continuations are resumed.
package actor SSHConnection {
    nonisolated let loop: any EventLoop
    private nonisolated let executor: any SerialExecutor
    package nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The host this is a connection to, for messages.
    nonisolated let pin: HostPin
    /// Why the connection ended.
    nonisolated let end = EventualValue<TransportError>()

    let engine: any SSHEngine
    private let boundWire: NIOLoopBound<any SSHWire>
    private var wire: any SSHWire { boundWire.value }
    private var keepAliveTask: RepeatedTask?
    /// The number of times anything came, and whether since the last keepalive; the number of keepalives that passed
    /// without.
    private var receivedCount = 0
    private var hasReceived = false
    private var silentIntervals = 0
    /// Whether commands wait for the server's answer (``SSHCommandGate``).
    var gatesCommands = false
    /// When keys were last sent.
    var lastKey = NIODeadline.uptimeNanoseconds(0)
    /// The conversation with the person; from the host key's verification until the user is let in.
    var talk: SSHLoginTalk?
    /// The server's words that were not passed on yet.
    var heldWords: [SSHEngineWords] = []
    /// Whether the server named a page to sign in on.
    var hasHeardLink = false
    /// Gives the step of the login that is under way more time.
    var extendLogin: ((Duration) -> Void)?

    /// Must be called on `loop`.
    init(
        engine: any SSHEngine,
        wire: NIOLoopBound<any SSHWire>,
        loop: any EventLoop,
        pin: HostPin
    ) {
        self.engine = engine
        self.boundWire = wire
        self.loop = loop
        self.executor = loop.executor
        self.pin = pin
    }

    // MARK: Bytes

    func receive(_ bytes: UnsafeRawBufferPointer) {
        hasReceived = true
        receivedCount &+= 1
        engine.receive(bytes)
        pump()
    }

    func receive(_ bytes: [UInt8]) { bytes.withUnsafeBytes { receive($0) } }

    func receiveEnd() {
        engine.receiveEnd()
        pump()
    }

    /// The way to the peer is lost, for a reason that it has words for.
    func lose(_ error: TransportError) {
        guard end.current == nil else { return }
        engine.disconnect(error)
        // There is no way for a good-bye.
        _ = engine.takeOutput()
        finish(error)
    }

    func pump() {
        engine.pump(isWritable: wire.isWritable)
        let output = engine.takeOutput()
        if !output.isEmpty { wire.send(output) }
        let words = engine.takeWords()
        if !words.isEmpty { hear(words) }
        if let failure = engine.failure { finish(failure) }
    }

    /// Pumps soon, from any thread.
    nonisolated func schedulePump() {
        loop.execute { self.assumeIsolated { $0.pump() } }
    }

    private func finish(_ error: TransportError) {
        guard end.resolve(error) else { return }
        keepAliveTask?.cancel()
        let isTakenForDead = error.code == .connectionLost || error.code == .timeout
        if isTakenForDead { wire.abort() } else { wire.close() }
    }

    /// Says good-bye and ends every channel with `error`.
    package func close(_ error: TransportError = TransportError(.closed, "The connection was closed on this side.")) {
        guard end.current == nil else { return }
        engine.disconnect(error)
        let output = engine.takeOutput()
        if !output.isEmpty { wire.send(output) }
        finish(error)
    }

    /// Closes soon, from any thread.
    nonisolated func scheduleClose() {
        loop.execute { self.assumeIsolated { $0.close() } }
    }

    // MARK: Operations

    /// Begins an operation of the engine and waits for its outcome.
    ///
    /// The caller gets `timeout` or `CancellationError` at once; the engine finishes what it began, and what comes of
    /// it is given to `discard`. An operation that keeps others waiting takes the connection down when it is late and
    /// nothing else came meanwhile. A step of the login can be given a person's time while it is under way.
    func perform<Value: Sendable>(
        _ what: String,
        within limit: Duration,
        endsConnectionWhenLate: Bool = true,
        isLogin: Bool = false,
        discard: @escaping (Value) -> Void = { _ in },
        begin: (any SSHEngine, @escaping (Result<Value, TransportError>) -> Void) -> Void
    ) async throws -> Value {
        if let error = end.current { throw error }
        try Task.checkCancellation()
        let pending = PendingOperation<Value>()
        let bound = NIOLoopBound(pending, eventLoop: loop)
        let loop = loop
        if isLogin {
            extendLogin = { self.watch(bound, what, within: $0, endsConnectionWhenLate, isPersonLate: true) }
        }
        defer { if isLogin { extendLogin = nil } }
        return try await withTaskCancellationHandler {
            watch(bound, what, within: limit, endsConnectionWhenLate)
            begin(engine) { result in
                if pending.isFinished, case .success(let value) = result {
                    discard(value)
                } else {
                    pending.finish(result.mapError { $0 })
                }
            }
            pump()
            return try await pending.outcome.value().get()
        } onCancel: {
            loop.execute { bound.value.finish(.failure(CancellationError())) }
        }
    }

    /// Ends an operation with `timeout` when it is late; the time begins again if it is watched already.
    private func watch<Value: Sendable>(
        _ bound: NIOLoopBound<PendingOperation<Value>>,
        _ what: String,
        within limit: Duration,
        _ endsConnectionWhenLate: Bool,
        isPersonLate: Bool = false
    ) {
        let pending = bound.value
        guard !pending.isFinished else { return }
        let before = receivedCount
        pending.deadline?.cancel()
        pending.deadline = loop.assumeIsolated().scheduleTask(in: TimeAmount(limit)) {
            self.assumeIsolated {
                // A peer that sends other things meanwhile is busy, not dead.
                let isSilent = $0.receivedCount == before
                let error = $0.lateness(of: what, limit, isPersonLate: isPersonLate)
                $0.expire(bound.value, error, endsConnectionWhenLate && isSilent)
            }
        }
    }

    private func lateness(of what: String, _ limit: Duration, isPersonLate: Bool) -> TransportError {
        if isPersonLate {
            let message = "\(pin) needs a person to log in, and nobody did it in \(limit). Try again."
            return TransportError(.personAbsent, message, recovery: .retry)
        }
        let words = talk?.unshownWords.map { " The server said: \($0)" } ?? ""
        return TransportError(.timeout, "\(what) on \(pin) did not end in \(limit).\(words)", recovery: .retry)
    }

    private func expire<Value: Sendable>(
        _ pending: PendingOperation<Value>,
        _ error: TransportError,
        _ endsConnection: Bool
    ) {
        guard !pending.isFinished else { return }
        pending.finish(.failure(error))
        if endsConnection { close(error) }
    }

    /// Gives the login a person's time from now on.
    func giveTime(to plan: Plan) { extendLogin?(plan.personLimit) }

    // MARK: Liveness

    /// Starts to watch the peer: in each interval without a byte from it, a sign of life is asked for, which also holds
    /// the state of routers on the way; a second silent interval is the end. So a dead peer is found out within three.
    func startKeepAlive(every interval: Duration) {
        keepAliveTask = loop.scheduleRepeatedTask(
            initialDelay: TimeAmount(interval),
            delay: TimeAmount(interval)
        ) { [weak self] _ in
            self?.assumeIsolated { $0.watch(interval) }
        }
    }

    private func watch(_ interval: Duration) {
        defer { hasReceived = false }
        silentIntervals = hasReceived ? 0 : silentIntervals + 1
        switch silentIntervals {
        case 0: break
        case 1:
            engine.probe { _ in }  // any answer counts as received
            pump()
        default:
            let message = "\(pin) has not answered for \(interval * 2); the connection is taken for dead."
            close(TransportError(.connectionLost, message, recovery: .retry))
        }
    }

    /// Asks the peer for a sign of life; ends the connection when none comes in time. Anything that it sends is one:
    /// behind a full window of output on a slow line the answer itself comes late.
    package func probe(within limit: Duration) async throws {
        let before = receivedCount
        do {
            try await perform("A sign of life", within: limit) {
                (engine, done: @escaping (Result<Void, TransportError>) -> Void) in
                engine.probe(completion: done)
            }
        } catch let error as TransportError where error.code == .timeout {
            if receivedCount == before { throw error }
        }
    }
}

/// A caller that waits for an operation; on the event loop only. Resumed exactly once.
final class PendingOperation<Value: Sendable> {
    let outcome = EventualValue<Result<Value, any Error>>()
    var deadline: Scheduled<Void>?
    private(set) var isFinished = false

    func finish(_ result: Result<Value, any Error>) {
        guard !isFinished else { return }
        isFinished = true
        deadline?.cancel()
        outcome.resolve(result)
    }
}

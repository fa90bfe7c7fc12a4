// Riff
// SPDX-License-Identifier: Apache-2.0

#if HTTPClient
internal import AsyncHTTPClient
internal import HTTPTypes
internal import NIOCore
internal import RiffCore
internal import Synchronization

/// One request and its response: the task that sends, receives and keeps the deadlines, and what is known meanwhile.
final class HTTPExchange: Sendable {
    private struct State {
        var isConnected = false
        /// Since the start, on the transport's clock.
        var lastActivity: Duration = .zero
        /// Whether the peer is who is waited for; not while the caller reads slowly.
        var waitsForPeer = true
        var head: Result<HTTPResponse, any Error>?
        var waiter: CheckedContinuation<HTTPResponse, any Error>?
        var task: Task<Void, Never>?
    }

    let id: UInt64
    let body = BytePipe()
    let window = HTTPUploadWindow()
    private let request: HTTPRequest
    private let deadlines: HTTPDeadlines
    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration
    private let state = Mutex(State())

    init(id: UInt64, request: HTTPRequest, deadlines: HTTPDeadlines, clock: any Clock<Duration>) {
        self.id = id
        self.request = request
        self.deadlines = deadlines
        self.clock = clock
        self.elapsed = Self.stopwatch(clock)
    }

    /// Starts the task; `onEnd` is its last act.
    func start(_ client: HTTPClient, _ outbound: HTTPOutbound, onEnd: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.task = Task { @concurrent in
                await self.run(client, outbound)
                onEnd()
            }
        }
    }

    /// The response's head. Cancelling the caller ends the exchange.
    func head() async throws -> HTTPResponse {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let known = state.withLock { state in
                    if state.head == nil { state.waiter = continuation }
                    return state.head
                }
                if let known { continuation.resume(with: known) }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Closes the connection unless the response was read to its end.
    func cancel() { state.withLock { $0.task }?.cancel() }

    /// Returns when the task has ended.
    func join() async { await state.withLock { $0.task }?.value }

    // MARK: From the wire

    /// The head is being written to an established connection.
    func connected() {
        let now = elapsed()
        state.withLock { state in
            state.isConnected = true
            state.lastActivity = now
        }
    }

    /// Bytes moved, either way.
    func active() {
        let now = elapsed()
        state.withLock { $0.lastActivity = now }
    }

    // MARK: The task

    private enum Part { case watch, upload, download }

    private func run(_ client: HTTPClient, _ outbound: HTTPOutbound) async {
        var verdict: (any Error)?
        do {
            try await withThrowingTaskGroup(of: Part.self) { group in
                group.addTask { try await self.watch() }
                if let source = outbound.source {
                    group.addTask { try await Self.upload(source, into: outbound.pipe) }
                }
                group.addTask { try await self.download(client, outbound.request) }
                defer { group.cancelAll() }
                while let part = try await group.next(), part != .download {}
            }
        } catch {
            verdict = failure(from: error)
        }
        // The client may still wait for a piece of the body in a task of its own; this lets it go.
        outbound.pipe.finish(throwing: CancellationError())
        window.close()
        answer(.failure(verdict ?? CancellationError()))
        body.finish(throwing: verdict)
    }

    private static func upload(
        _ source: any AsyncSequence<[UInt8], any Error> & Sendable,
        into pipe: BytePipe
    ) async throws -> Part {
        do {
            for try await chunk in source { try await pipe.send(chunk) }
        } catch let error where !(error is CancellationError) {
            throw UploadFailure(cause: error)
        }
        pipe.finish()
        return .upload
    }

    private func download(_ client: HTTPClient, _ request: HTTPClientRequest) async throws -> Part {
        let response = try await client.execute(request, deadline: .distantFuture)
        answer(.success(HTTPResponse(response)))
        var chunks = response.body.makeAsyncIterator()
        while let chunk = try await chunks.next() {
            state.withLock { $0.waitsForPeer = false }
            try await body.send(Array(chunk.readableBytesView))
            let now = elapsed()
            state.withLock { state in
                state.waitsForPeer = true
                state.lastActivity = now
            }
        }
        return .download
    }

    private func answer(_ head: Result<HTTPResponse, any Error>) {
        let waiter = state.withLock { state in
            guard state.head == nil else { return nil as CheckedContinuation<HTTPResponse, any Error>? }
            state.head = head
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(with: head)
    }

    /// Sleeps until a deadline has passed, and throws it. The connect deadline is the client's own.
    private func watch() async throws -> Part {
        while true {
            let now = elapsed()
            let (connected, idleSince) = state.withLock { state in
                (state.isConnected, state.isConnected && state.waitsForPeer ? state.lastActivity : now)
            }
            if let total = deadlines.total, now >= total {
                let code: TransportError.Code = connected ? .timeout : .httpNeverConnected
                throw deadline("total", total, code)
            }
            if let idle = deadlines.idle, now >= idleSince + idle { throw deadline("idle", idle, .timeout) }
            let next = [deadlines.total, deadlines.idle.map { idleSince + $0 }].compactMap(\.self).min()
            guard let next else { return .watch }
            try await clock.sleep(for: next - now)
        }
    }

    private func deadline(_ name: String, _ limit: Duration, _ code: TransportError.Code) -> TransportError {
        TransportError(code, "\(request.logLine) took longer than its \(name) deadline of \(limit).", recovery: .retry)
    }

    private func failure(from error: any Error) -> any Error {
        if let upload = error as? UploadFailure { return upload.cause }
        if error is CancellationError || error is TransportError { return error }
        let isConnected = state.withLock { $0.isConnected }
        return TransportError(http: error, request: request, isConnected: isConnected, deadlines: deadlines)
    }

    private static func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }
}

/// What the caller's body threw, kept apart from what the connection throws.
private struct UploadFailure: Error {
    let cause: any Error
}
#endif

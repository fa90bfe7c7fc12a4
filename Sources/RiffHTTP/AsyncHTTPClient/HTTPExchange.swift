// Riff
// SPDX-License-Identifier: Apache-2.0

#if HTTPClient
internal import AsyncHTTPClient
internal import HTTPTypes
internal import NIOCore
internal import RiffCore
internal import RiffTransport
internal import Synchronization

/// One request and its response: the task that sends, receives and keeps the deadlines, and what is known meanwhile.
final class HTTPExchange: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var cut: (any Error)?
        var greeting: PeerGreeting?
    }

    let id: UInt64
    let body = BytePipe()
    private let answer = EventualValue<Result<HTTPResponse, any Error>>()
    let window = HTTPUploadWindow()
    private let request: HTTPRequest
    private let deadlines: HTTPDeadlines
    private let watch: HTTPDeadlineWatch
    private let state = Mutex(State())

    init(id: UInt64, request: HTTPRequest, deadlines: HTTPDeadlines, clock: any Clock<Duration>) {
        self.id = id
        self.request = request
        self.deadlines = deadlines
        watch = HTTPDeadlineWatch(request, deadlines: deadlines, seesConnections: true, clock: clock)
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
            try await answer.value().get()
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
    func connected() { watch.connected() }

    /// Bytes moved, either way.
    func active() { watch.active() }

    /// Notes that the first bytes on the connection are no HTTP.
    func greeted(_ greeting: PeerGreeting) { state.withLock { $0.greeting = greeting } }

    /// The connection ended inside the answer, which ends now as if it were whole.
    func cutOff(by error: any Error) { state.withLock { $0.cut = error } }

    // MARK: The task

    private enum Part { case watch, upload, download }

    private func run(_ client: HTTPClient, _ outbound: HTTPOutbound) async {
        var verdict: (any Error)?
        do {
            try await withThrowingTaskGroup(of: Part.self) { group in
                group.addTask {
                    try await self.watch.run()
                    return .watch
                }
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
        answer.resolve(.failure(verdict ?? CancellationError()))
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
        answer.resolve(.success(HTTPResponse(response)))
        var chunks = response.body.makeAsyncIterator()
        while let chunk = try await chunks.next() {
            watch.setWaitingForPeer(false)
            try await body.send(Array(chunk.readableBytesView))
            watch.setWaitingForPeer(true)
        }
        if let cut = state.withLock({ $0.cut }) { throw cut }
        return .download
    }

    private func failure(from error: any Error) -> any Error {
        if let upload = error as? UploadFailure { return upload.cause }
        if error is CancellationError || error is TransportError { return error }
        return TransportError(
            http: error,
            request: request,
            isConnected: watch.isConnected,
            greeting: state.withLock(\.greeting),
            deadlines: deadlines
        )
    }
}

/// The error that the caller's body threw, kept apart from those of the connection.
private struct UploadFailure: Error {
    let cause: any Error
}
#endif

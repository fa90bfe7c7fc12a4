// Riff
// SPDX-License-Identifier: Apache-2.0

#if URLSession
internal import Foundation
internal import HTTPTypes
internal import RiffCore
internal import RiffTransport
internal import Synchronization

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

/// One request and its response, in a session of its own: the task that sends, receives and keeps the deadlines, and
/// what the session tells meanwhile (see `URLSessionExchange+Delegate.swift`).
final class URLSessionExchange: NSObject, Sendable {
    let request: HTTPRequest
    let head = EventualValue<Result<HTTPResponse, any Error>>()
    /// The way that URLSession's task ended.
    let end = EventualValue<Result<Void, any Error>>()
    let watch: HTTPDeadlineWatch
    let inflow: URLSessionInflow
    let trust: URLSessionTrust
    private let configuration: URLSessionTransport.Configuration
    private let task = Mutex<Task<Void, Never>?>(nil)
    private let upload = Mutex<URLSessionUpload?>(nil)

    init(
        _ request: HTTPRequest,
        _ deadlines: HTTPDeadlines,
        _ configuration: URLSessionTransport.Configuration,
        _ trust: URLSessionTrust,
        _ clock: any Clock<Duration>
    ) {
        self.request = request
        self.configuration = configuration
        self.trust = trust
        watch = HTTPDeadlineWatch(request, deadlines: deadlines, seesConnections: false, clock: clock)
        inflow = URLSessionInflow(watch: watch, limit: configuration.heldBodyBytes)
    }

    /// The response's body.
    var body: BytePipe { inflow.pipe }

    /// Starts the task; `onEnd` is its last act.
    func start(_ body: HTTPBody, onEnd: @escaping @Sendable () -> Void) {
        task.withLock { task in
            task = Task { @concurrent in
                await self.run(body)
                onEnd()
            }
        }
    }

    /// The response's head. Cancelling the caller ends the exchange.
    func response() async throws -> HTTPResponse {
        do {
            return try await head.cancellableValue().get()
        } catch let error as CancellationError {
            cancel()
            throw error
        }
    }

    /// Closes the connection unless the response was read to its end.
    func cancel() { task.withLock(\.self)?.cancel() }

    /// Returns when the task has ended.
    func join() async { await task.withLock(\.self)?.value }

    /// The session is gone, and with it who read the request's body.
    func invalidated() { upload.withLock { $0.take() }?.release() }

    private enum Part { case watch, upload, transfer }

    private func run(_ body: HTTPBody) async {
        var verdict: (any Error)?
        do {
            try await withThrowingTaskGroup(of: Part.self) { group in
                group.addTask {
                    try await self.watch.run()
                    return .watch
                }
                group.addTask { try await self.transfer(body) }
                defer { group.cancelAll() }
                while let part = try await group.next(), part != .transfer {}
            }
        } catch {
            verdict = error
        }
        head.resolve(.failure(verdict ?? CancellationError()))
        inflow.pipe.finish(throwing: verdict)
    }

    private func transfer(_ body: HTTPBody) async throws -> Part {
        var outbound = try URLRequest(request)
        let upload = try await URLSessionUpload(body, of: request, into: &outbound, limit: configuration.heldBodyBytes)
        self.upload.withLock { $0 = upload }
        let session = URLSession(
            configuration: configuration.session(),
            delegate: self,
            delegateQueue: inflow.queue
        )
        // The session keeps this object until then, and the connection with it.
        defer { session.invalidateAndCancel() }
        let task = session.dataTask(with: outbound)
        inflow.flow(from: task)
        task.resume()
        return try await withThrowingTaskGroup(of: Part.self) { group in
            group.addTask {
                try await upload.run()
                return .upload
            }
            group.addTask {
                try await self.end.cancellableValue().get()
                return .transfer
            }
            defer { group.cancelAll() }
            while let part = try await group.next(), part != .transfer {}
            return .transfer
        }
    }
}
#endif

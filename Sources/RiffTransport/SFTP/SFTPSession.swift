// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import Synchronization

/// Requests and answers over one byte channel: numbers them, sends them in order, and matches the answers, which may
/// come in any order. It knows nothing of files.
///
/// Every packet goes out whole and by one task, so a caller that is cancelled leaves the protocol in step; its answer
/// is thrown away when it comes, and a handle in it is closed.
package final class SFTPSession: Sendable {
    private typealias Waiter = EventualValue<Result<SFTPResponse, any Error>>

    private struct State {
        var table = SFTPRequestTable<Waiter>()
        var failure: (any Error)?
        var tasks: [Task<Void, Never>] = []
    }

    /// The features of the server.
    package let features: SFTPFeatures
    private let channel: any ByteChannel
    /// Packets on their way to the channel. Every caller limits what it has under way, so this is bounded by them.
    private let outbound = BytePipe(highWater: .max)
    private let state = Mutex(State())

    /// Greets the server and returns when it has answered. The channel is closed when this throws.
    ///
    /// - Throws: `TransportError` with `sftpUnavailable` or `sftpMalformed`, what the channel throws;
    ///   `CancellationError`.
    package static func open(over channel: any ByteChannel) async throws -> SFTPSession {
        do {
            try await channel.write(SFTPRequest.initialPacket)
            var parser = SFTPPacketParser()
            for try await bytes in channel.output {
                parser.append(bytes)
                guard let packet = try parser.next() else { continue }
                let session = SFTPSession(channel: channel, features: try SFTPFeatures.decode(packet))
                session.run(parser)
                return session
            }
            try Task.checkCancellation()
            throw TransportError(
                .sftpUnavailable,
                "The host ended its file service before it began. Check that its SSH server has the sftp subsystem."
            )
        } catch {
            await channel.close()
            throw error
        }
    }

    private init(channel: any ByteChannel, features: SFTPFeatures) {
        self.channel = channel
        self.features = features
    }

    // MARK: Requests

    /// Sends a request. Its answer must be asked for with `response(to:)` or given up with `abandon(_:)`.
    ///
    /// - Throws: What ended the session.
    package func submit(_ request: SFTPRequest) throws -> UInt32 {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            let id = state.table.issue()
            // Under the lock, so that packets leave in the order of their ids.
            outbound.offer(request.packet(id: id))
            return id
        }
    }

    /// The answer to a request. A cancelled caller gets `CancellationError`, and the request is given up.
    package func response(to id: UInt32) async throws -> SFTPResponse {
        try await withTaskCancellationHandler {
            let answer = Waiter()
            let outcome: Result<SFTPResponse, any Error>? = state.withLock { state in
                if let failure = state.failure { return .failure(failure) }
                return state.table.await(id, answer).map { .success($0) }
            }
            if let outcome { return try outcome.get() }
            if Task.isCancelled { abandon(id) }
            return try await answer.value().get()
        } onCancel: {
            abandon(id)
        }
    }

    /// Sends a request and waits for its answer.
    package func perform(_ request: SFTPRequest) async throws -> SFTPResponse {
        try Task.checkCancellation()
        return try await response(to: submit(request))
    }

    /// Sends a request whose answer does not matter; works in a cancelled task, which is what cleanup needs.
    package func dispatch(_ request: SFTPRequest) {
        // A session that has ended has nothing to clean up: the server closes what it has open for us.
        if let id = try? submit(request) { abandon(id) }
    }

    /// Gives a request up; its waiter gets `CancellationError`.
    package func abandon(_ id: UInt32) {
        let (waiter, answer) = state.withLock { $0.table.abandon(id) }
        waiter?.resolve(.failure(CancellationError()))
        if let answer { discard(answer) }
    }

    /// Whether it has ended, so that every further call fails.
    package var isOver: Bool { state.withLock { $0.failure != nil } }

    /// The number of answers that are still to come.
    package var outstanding: Int { state.withLock { $0.table.outstanding } }

    private func discard(_ answer: SFTPResponse) {
        if case .handle(let handle) = answer { dispatch(.close(handle)) }
    }

    // MARK: Lifetime

    /// Ends the session and its channel; all that wait get `closed`. Returns when nothing of it runs any more.
    package func close() async {
        fail(TransportError(.closed, "The file service of the host was closed by this side."))
        await channel.close()
        let tasks = state.withLock { state in
            defer { state.tasks = [] }
            return state.tasks
        }
        for task in tasks {
            task.cancel()
            await task.value
        }
    }

    private func run(_ parser: SFTPPacketParser) {
        let reading = Task { await read(parser) }
        let writing = Task { await write() }
        state.withLock { $0.tasks = [reading, writing] }
    }

    private func read(_ parser: SFTPPacketParser) async {
        var parser = parser
        do {
            for try await bytes in channel.output {
                parser.append(bytes)
                while let packet = try parser.next() { try receive(packet) }
            }
            fail(Self.lost(cause: nil))
        } catch let error as TransportError where error.code == .sftpMalformed {
            fail(error)
            await channel.close()
        } catch {
            fail(Self.lost(cause: error))
        }
    }

    private func write() async {
        do {
            while let bytes = try await outbound.next() { try await channel.write(bytes) }
        } catch {
            fail(Self.lost(cause: error))
        }
    }

    private func receive(_ packet: ArraySlice<UInt8>) throws {
        let (id, response) = try SFTPResponse.decode(packet)
        switch try state.withLock({ state in try state.table.receive(response, for: id) }) {
        case .resume(let waiter, let response): waiter.resolve(.success(response))
        case .kept: break
        case .unwanted(let response): discard(response)
        }
    }

    private func fail(_ error: any Error) {
        let (waiters, reason) = state.withLock { state in
            state.failure = state.failure ?? error
            return (state.table.removeAll(), state.failure ?? error)
        }
        outbound.finish()
        for waiter in waiters { waiter.resolve(.failure(reason)) }
    }

    private static func lost(cause: (any Error)?) -> TransportError {
        TransportError(
            .connectionLost,
            "The connection to the file service of the host was lost.",
            recovery: .retry,
            cause: cause
        )
    }
}

extension TransportErrorCode {
    /// The host has no file service, or it ended before it began.
    public static let sftpUnavailable = TransportError.Code(rawValue: "sftpUnavailable")
}

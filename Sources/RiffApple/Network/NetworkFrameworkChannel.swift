// Riff
// SPDX-License-Identifier: Apache-2.0

#if canImport(Network)
internal import Dispatch
internal import Foundation
internal import Network
internal import RiffCore
internal import RiffTransport

/// One connection of Network.framework. What is written waits in a bounded pipe until the system has taken it.
final class NetworkFrameworkChannel: ByteChannel {
    let output: ByteStream
    let diagnostics: ByteStream
    private let inbound: ByteStream.Writer
    private let outgoing: ByteStream
    private let outbound: ByteStream.Writer
    private let connection: NWConnection
    private let queue = CallbackQueue.make("riff.network")
    private let tasks = OwnedTasks()
    private let sent = EventualValue<Void>()
    private let ended = EventualValue<Result<Void, TransportError>>()

    init(_ connection: NWConnection) {
        self.connection = connection
        (output, inbound) = ByteStream.makeStream()
        (outgoing, outbound) = ByteStream.makeStream()
        let (none, noWriter) = ByteStream.makeStream()
        noWriter.finish()
        diagnostics = none
    }

    deinit { connection.forceCancel() }

    /// Waits until bytes can go both ways. `.waiting` is no failure: a VPN may be coming up; the caller's limit ends
    /// it.
    func open() async throws {
        let ready = EventualValue<Result<Void, TransportError>>()
        connection.stateUpdateHandler = { state in
            switch state {
            case .ready: ready.resolve(.success(()))
            case .failed(let error): ready.resolve(.failure(Self.failure(error)))
            case .cancelled: ready.resolve(.failure(TransportError(.connectionLost, "The connection was closed.")))
            default: break
            }
        }
        connection.start(queue: queue)
        try await ready.cancellableValue().get()
        tasks.run { [weak self] in await self?.read() }
        tasks.run { [weak self] in await self?.send() }
    }

    func write(_ bytes: [UInt8]) async throws { try await outbound.write(bytes) }

    func finishWriting() async throws { outbound.finish() }

    func close() async {
        outbound.finish()
        // What was written goes on its way, unless the peer takes nothing any more.
        try? await withDeadline(.seconds(1), clock: ContinuousClock(), abandoning: { [sent] in await sent.value() })
        connection.cancel()
        finish(.success(()))
    }

    func abort() async {
        connection.forceCancel()
        finish(.success(()))
        await tasks.end()
    }

    func exitStatus() async throws -> ExitStatus? {
        try await ended.cancellableValue().get()
        return nil
    }

    private func finish(_ end: Result<Void, TransportError>) {
        guard ended.resolve(end) else { return }
        if case .failure(let error) = end { inbound.finish(throwing: error) } else { inbound.finish() }
        outbound.finish()
    }

    private func read() async {
        while true {
            do {
                let (bytes, isComplete) = try await receive()
                // Suspends while nobody reads; the system's window is full then.
                if !bytes.isEmpty { try await inbound.write(bytes) }
                if isComplete { return finish(.success(())) }
            } catch {
                return finish(.failure(error as? TransportError ?? Self.lost(error)))
            }
        }
    }

    private func receive() async throws -> (bytes: [UInt8], isComplete: Bool) {
        let done = EventualValue<Result<(bytes: [UInt8], isComplete: Bool), TransportError>>()
        connection.receive(minimumIncompleteLength: 1, maximumLength: 65_536) { data, _, isComplete, error in
            let bytes = data.map { Array($0) } ?? []
            done.resolve(error.map { .failure(Self.lost($0)) } ?? .success((bytes, isComplete)))
        }
        return try await done.cancellableValue().get()
    }

    private func send() async {
        defer { sent.resolve(()) }
        do {
            for try await bytes in outgoing { try await send(Data(bytes), isLast: false) }
            // FIN; the other way stays open.
            try await send(nil, isLast: true)
        } catch {
            finish(.failure(error as? TransportError ?? Self.lost(error)))
        }
    }

    private func send(_ data: Data?, isLast: Bool) async throws {
        let done = EventualValue<Result<Void, TransportError>>()
        connection.send(
            content: data,
            contentContext: isLast ? .finalMessage : .defaultMessage,
            isComplete: isLast,
            completion: .contentProcessed { error in
                done.resolve(error.map { .failure(Self.lost($0)) } ?? .success(()))
            }
        )
        try await done.cancellableValue().get()
    }

    private static func lost(_ error: any Error) -> TransportError {
        TransportError(.connectionLost, "The connection was lost.", recovery: .checkNetwork, cause: error)
    }

    private static func failure(_ error: NWError) -> TransportError {
        switch error {
        case .posix(.ECONNREFUSED):
            return TransportError(.connectionRefused, "The host refused the connection.", cause: error)
        case .dns:
            return TransportError(
                .hostNotFound,
                "The host's name was not found.",
                recovery: .checkNetwork,
                cause: error
            )
        default:
            return TransportError(.unreachable, "The host cannot be reached.", recovery: .checkNetwork, cause: error)
        }
    }
}
#endif

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import NIOCore
internal import RiffCore
internal import Synchronization

extension SSHCredential {
    /// The key that the server has to know, where there is one.
    var publicKey: SSHPublicKey? {
        switch kind {
        case .key(let key): key.publicKey
        case .signer(let signer): signer.publicKey
        case .password, .prompts: nil
        }
    }

    var publicKeyAlgorithm: SSHKeyAlgorithm? {
        switch kind {
        case .key(let key): key.algorithm
        case .signer(let signer): signer.publicKey.algorithm
        case .password, .prompts: nil
        }
    }

    /// Whether a person may have to act while it is used.
    var needsPerson: Bool {
        switch kind {
        case .key, .password: false
        case .prompts, .signer: true
        }
    }

    /// Whether answering blocks the event loop, which must then belong to this connection alone.
    var needsOwnThread: Bool { if case .prompts = kind { true } else { false } }

    /// The credential as the engine takes it.
    func forEngine(_ connection: SSHConnection, _ outside: OutsideTask) -> SSHEngineCredential {
        switch kind {
        case .key(let key): .key(key)
        case .password(let password): .password(password)
        case .prompts(let answer): .prompts { SSHCredential.waitForAnswers(to: $0, outside, answer) }
        case .signer(let signer):
            .signer(signer.publicKey) { data, done in
                let box = NIOLoopBound(done, eventLoop: connection.loop)
                outside.start {
                    let result: Result<[UInt8], TransportError>
                    do {
                        result = .success(try await signer.sign(data))
                    } catch {
                        let message = "The signer of the key \(signer.publicKey.fingerprint) failed: \(error)."
                        result = .failure(TransportError(.keyUnusable, message, cause: error))
                    }
                    connection.loop.execute {
                        box.value(result)
                        connection.assumeIsolated { $0.pump() }
                    }
                }
            }
        }
    }

    /// Waits for a person's answers. libssh2 wants them at once, from inside a call: so the thread waits, which is why
    /// such a connection has one of its own.
    private static func waitForAnswers(
        to prompts: [SSHPrompt],
        _ outside: OutsideTask,
        _ answer: @escaping @Sendable ([SSHPrompt]) async throws -> [Secret]
    ) -> [Secret] {
        let box = AnswerBox()
        outside.start {
            do {
                box.answer(try await answer(prompts))
            } catch {
                outside.fail(error)
                box.answer([])
            }
        } onCancel: {
            // The task may not look at its cancellation.
            box.answer([])
        }
        if box.wait(.seconds(110)) { return box.answers }
        outside.cancel()
        return []
    }
}

/// The task of a signer or of a person who answers; cancelled with the authentication that needs it.
final class OutsideTask: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var onCancel: @Sendable () -> Void = {}
        var isCancelled = false
        var failure: (any Error)?
    }

    private let state = Mutex(State())

    func start(_ work: @escaping @Sendable () async -> Void, onCancel: @escaping @Sendable () -> Void = {}) {
        let isCancelled = state.withLock { state in
            if !state.isCancelled {
                state.task = Task { await work() }
                state.onCancel = onCancel
            }
            return state.isCancelled
        }
        if isCancelled { onCancel() }
    }

    /// What made the answers fail, if anything.
    var failure: (any Error)? { state.withLock(\.failure) }

    func fail(_ error: any Error) { state.withLock { $0.failure = error } }

    func cancel() {
        let ended = state.withLock { state in
            state.isCancelled = true
            return state
        }
        ended.task?.cancel()
        ended.onCancel()
    }

    deinit { cancel() }
}

/// Answers on their way from a task to a waiting thread; the first ones count.
///
/// A semaphore, as libssh2 asks in a C callback and takes the answer as its result. The thread is the connection's own
/// and none of the cooperative pool's, and the wait has a limit.
private final class AnswerBox: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let given = Mutex<[Secret]?>(nil)

    var answers: [Secret] { given.withLock { $0 ?? [] } }

    func answer(_ answers: [Secret]) {
        let isFirst = given.withLock { given in
            defer { given = given ?? answers }
            return given == nil
        }
        if isFirst { semaphore.signal() }
    }

    func wait(_ limit: DispatchTimeInterval) -> Bool { semaphore.wait(timeout: .now() + limit) == .success }
}

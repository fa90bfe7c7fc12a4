// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import RiffCore
internal import Synchronization

extension SSHCredential {
    /// The way that a credential is used with one server.
    enum Way {
        case key
        case password
        /// By questions of the server's (RFC 4256).
        case prompts
    }

    /// The key that the server has to know, where there is one.
    var publicKey: SSHPublicKey? {
        switch kind {
        case .key(let key): key.publicKey
        case .signer(let signer): signer.publicKey
        case .password, .prompts, .conversation: nil
        }
    }

    var publicKeyAlgorithm: SSHKeyAlgorithm? {
        switch kind {
        case .key(let key): key.algorithm
        case .signer(let signer): signer.publicKey.algorithm
        case .password, .prompts, .conversation: nil
        }
    }

    /// Whether a person may have to act while it is used: also for a password, since a server may have them approve on
    /// a telephone without a word.
    var mayNeedPerson: Bool { if case .key = kind { false } else { true } }

    /// Whether a person has to act each time it is used.
    var needsPerson: Bool {
        switch kind {
        case .key, .password: false
        case .prompts, .conversation, .signer: true
        }
    }

    /// Returns the way that the credential is used with a server that takes some methods; `nil` if it cannot be.
    func way(among methods: [String], _ plan: SSHConnection.Plan) -> Way? {
        func takes(_ name: String) -> Bool { methods.contains { $0.utf8.elementsEqual(name.utf8) } }
        switch kind {
        case .key, .signer: return takes("publickey") ? .key : nil
        case .password:
            // Many servers ask for the password by a prompt, and for nothing else.
            return takes("password") ? .password : takes("keyboard-interactive") ? .prompts : nil
        case .prompts: return takes("keyboard-interactive") ? .prompts : nil
        case .conversation: return plan.conversation != nil && takes("keyboard-interactive") ? .prompts : nil
        }
    }

    /// The credential as the engine takes it.
    func forEngine(
        _ connection: SSHConnection,
        by way: Way,
        _ outside: OutsideTask,
        _ plan: SSHConnection.Plan
    ) -> SSHEngineCredential {
        let asker = SSHAsker(connection, outside, plan)
        switch kind {
        case .key(let key): return .key(key)
        case .password(let password):
            if case .prompts = way { return .prompts(asker.question(answering: plan.conversation, password)) }
            return .password(password, change: plan.conversation.map { asker.newPasswordQuestion(to: $0) })
        case .prompts(let answer):
            return .prompts(asker.question(answering: SSHAnswering(answer: answer), asksWithoutPrompts: true))
        case .conversation: return .prompts(asker.question(answering: plan.conversation))
        case .signer(let signer): return .signer(signer.publicKey, sign: asker.signature(by: signer))
        }
    }
}

/// A closure that answers, as a conversation that shows nothing.
private struct SSHAnswering: SSHConversation {
    let answer: @Sendable (SSHPrompts) async throws -> [Secret]

    func show(_ words: SSHServerWords) async {}
    func answers(to prompts: SSHPrompts) async throws -> [Secret] { try await answer(prompts) }
}

/// The task of a signer or of a person who answers; cancelled with the authentication that needs it.
final class OutsideTask: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        var isCancelled = false
        var isPassedOver = false
    }

    private let state = Mutex(State())

    /// Starts the task; it never starts once cancelled.
    func start(_ work: @escaping @Sendable () async -> Void) {
        state.withLock { state in
            if !state.isCancelled { state.task = Task { await work() } }
        }
    }

    /// Whether the credential had no answer to what was asked, and the next one is to be tried.
    var isPassedOver: Bool { state.withLock(\.isPassedOver) }

    func passOver() { state.withLock { $0.isPassedOver = true } }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }

    deinit { cancel() }
}

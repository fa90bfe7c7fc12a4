// Riff
// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import RiffCore

/// Puts an engine's questions to the answerer, on a task, and brings the answers back to the connection's loop.
struct SSHAsker {
    private let connection: SSHConnection
    private let outside: OutsideTask
    private let plan: SSHConnection.Plan

    init(_ connection: SSHConnection, _ outside: OutsideTask, _ plan: SSHConnection.Plan) {
        self.connection = connection
        self.outside = outside
        self.plan = plan
    }

    /// The questions of a login.
    ///
    /// - Parameters:
    ///   - conversation: Who answers; without one only the password does.
    ///   - password: Answers the first question, if it is alone and hidden. Any other is not for it: a second one may
    ///     want a code.
    ///   - asksWithoutPrompts: Whether rounds without a question are put to the conversation instead of shown by it.
    /// - Returns: What the engine calls.
    func question(
        answering conversation: (any SSHConversation)?,
        _ password: Secret? = nil,
        asksWithoutPrompts: Bool = false
    ) -> SSHEngineQuestion<SSHEngineRequest> {
        var password = password
        var wasAnswered = false
        return { request, done in
            let prompts = SSHPrompts(request, purpose: .login, host: plan.pin, user: plan.user)
            if let secret = password, !prompts.isEmpty {
                password = nil
                if prompts.count == 1, !prompts[0].echoes {
                    wasAnswered = true
                    tell(prompts)
                    return done(.success([secret]))
                }
            }
            // A round without questions is to be answered at once (RFC 4256 section 3.4), and shown all the same.
            if prompts.isEmpty, !asksWithoutPrompts {
                tell(prompts)
                return done(.success([]))
            }
            guard let conversation else {
                // In the middle of an exchange there is no way out but an answer, which the server refuses.
                if wasAnswered { return done(.success(prompts.map { _ in Secret("") })) }
                outside.passOver()
                return done(.failure(TransportError(.noUsableCredential, "Nobody is there to answer \(plan.pin).")))
            }
            ask(prompts, of: conversation, done)
        }
    }

    /// The question for a new password.
    func newPasswordQuestion(to conversation: any SSHConversation) -> SSHEngineQuestion<SSHEngineRequest> {
        { request, done in
            let prompts = SSHPrompts(request, purpose: .newPassword, host: plan.pin, user: plan.user)
            ask(prompts, of: conversation, done)
        }
    }

    /// The question for a signature.
    func signature(by signer: any SSHSigner) -> SSHSignatureQuestion {
        { request, done in
            connection.assumeIsolated { $0.giveTime(to: plan) }
            outside(done) {
                do {
                    return .success(try await signer.signature(for: request))
                } catch {
                    let message = "The signer of the key \(signer.publicKey.fingerprint) failed: \(error)."
                    return .failure(TransportError(.keyUnusable, message, cause: error))
                }
            }
        }
    }

    private func tell(_ prompts: SSHPrompts) {
        connection.loop.assertInEventLoop()
        connection.assumeIsolated { $0.talk?.tell(prompts) }
    }

    private func ask(
        _ prompts: SSHPrompts,
        of conversation: any SSHConversation,
        _ done: @escaping (Result<[Secret], TransportError>) -> Void
    ) {
        let talk = connection.assumeIsolated { connection in
            connection.giveTime(to: plan)
            return connection.talk
        }
        outside(done) {
            await talk?.everythingShown()
            do {
                let answers = try await conversation.answers(to: prompts)
                // A round without questions has nothing to answer, whatever was said.
                guard !prompts.isEmpty else { return .success([]) }
                guard answers.count == prompts.count else {
                    let message = "\(plan.pin) asked \(prompts.count) questions and got \(answers.count) answers."
                    return .failure(TransportError(.noUsableCredential, message))
                }
                return .success(answers)
            } catch {
                let message = "\(plan.pin) asked \(plan.user) for an answer, and none was given: \(error)."
                return .failure(TransportError(.noUsableCredential, message, recovery: .retry, cause: error))
            }
        }
    }

    /// Does something on a task and gives its outcome to the engine on its loop.
    private func outside<Value: Sendable>(
        _ done: @escaping (Result<Value, TransportError>) -> Void,
        _ work: @escaping @Sendable () async -> Result<Value, TransportError>
    ) {
        let box = NIOLoopBound(done, eventLoop: connection.loop)
        let (connection, plan) = (connection, plan)
        outside.start {
            let result = await work()
            connection.loop.execute {
                box.value(result)
                connection.assumeIsolated {
                    // What was answered may have to be approved elsewhere.
                    $0.giveTime(to: plan)
                    $0.pump()
                }
            }
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

#if LibSSH2 && (os(macOS) || os(Linux))
internal import CLibSSH2
internal import RiffCore

/// One attempt to log in whose call asks in the middle: keyboard-interactive, and a password that may have expired.
final class LibSSH2Asking {
    enum State {
        case ready
        /// The question was asked and waits for its answer.
        case waits
        case answered(Result<[Secret], TransportError>)
        /// The engine is over.
        case over
    }

    let isOfPrompts: Bool
    let ask: SSHEngineQuestion<SSHEngineRequest>
    let completion: LibSSH2Engine.Completion<SSHAuthenticationOutcome>
    let fiber: LibSSH2Fiber
    var state = State.ready
    var rounds = 0
    /// The number of bytes that had come when the waiting call was made.
    var received: Int?
    /// Why the call was made to fail.
    var failure: TransportError?

    init(
        isOfPrompts: Bool,
        ask: @escaping SSHEngineQuestion<SSHEngineRequest>,
        completion: @escaping LibSSH2Engine.Completion<SSHAuthenticationOutcome>,
        call: @escaping () -> Int32
    ) {
        self.isOfPrompts = isOfPrompts
        self.ask = ask
        self.completion = completion
        fiber = LibSSH2Fiber(call)
    }

    /// Returns the server's request in a message; `nil` if that cannot be answered.
    func request(of message: LibSSH2LoginWatch.Request) -> SSHEngineRequest? {
        switch message {
        case .questions(let request) where isOfPrompts: return request
        case .newPassword, .questions, .other:
            guard !isOfPrompts else { return nil }
            // Whatever else is in the message, it wants a new password.
            let words = if case .newPassword(let words) = message { words } else { "" }
            return SSHEngineRequest(prompts: [SSHEngineRequest.Prompt(text: words, echoes: false)])
        }
    }
}

extension LibSSH2Engine {
    /// Queues an attempt that may wait for a person. Meanwhile its call stands in the session, and the queue behind it.
    func enqueueAsking(_ asking: LibSSH2Asking) {
        if let failure { return asking.completion(.failure(failure)) }
        operations.append(
            Operation(
                step: { [unowned self] in step(asking) },
                fail: {
                    asking.state = .over
                    asking.completion(.failure($0))
                }
            )
        )
    }

    private func step(_ asking: LibSSH2Asking) -> StepOutcome {
        var stop: LibSSH2Fiber.Stop
        switch asking.state {
        case .waits: return .again
        case .over: return .done
        case .ready:
            guard !isStillWaiting(since: asking.received) else { return .again }
            if fiber == nil {
                fiber = asking.fiber
                context.pointee.login.forgetRequest()
                context.pointee.login.ordersQuestions = asking.isOfPrompts
            }
            stop = asking.fiber.resume()
        case .answered(let result): stop = resume(asking, with: result)
        }
        while failure == nil, case .asks(let message) = stop {
            guard let result = put(message, to: asking) else { return .again }
            stop = resume(asking, with: result)
        }
        guard failure == nil, case .returned(let code) = stop else { return .done }
        // A question given up after the first leaves libssh2 waiting, as if it had been answered.
        if code == LIBSSH2_ERROR_EAGAIN, asking.failure == nil {
            asking.state = .ready
            asking.received = receivedBytes
            return .again
        }
        finish(asking, code)
        return .done
    }

    /// Puts a message of the server to the asker.
    ///
    /// - Returns: The answer, if it came at once.
    private func put(
        _ message: LibSSH2LoginWatch.Request,
        to asking: LibSSH2Asking
    ) -> Result<[Secret], TransportError>? {
        asking.rounds += 1
        context.pointee.login.forgetRequest()
        guard asking.rounds <= SSHLoginLimits.rounds else { return .failure(SSHLoginLimits.roundsDoNotEnd) }
        guard let request = asking.request(of: message) else { return .failure(SSHLoginLimits.questionIsMalformed) }
        asking.state = .waits
        asking.ask(request) { answers in
            // Only the first answer counts, and none of an engine that is over.
            if case .waits = asking.state { asking.state = .answered(answers) }
        }
        if case .answered(let result) = asking.state { return result }
        return nil
    }

    private func resume(
        _ asking: LibSSH2Asking,
        with result: Result<[Secret], TransportError>
    ) -> LibSSH2Fiber.Stop {
        asking.state = .ready
        switch result {
        case .success(let answers): return asking.fiber.resume(answers: answers)
        case .failure(let error):
            asking.failure = error
            return asking.fiber.resume(answers: nil)
        }
    }

    private func finish(_ asking: LibSSH2Asking, _ code: Int32) {
        let hasMalformed = asking.isOfPrompts && context.pointee.login.hasOtherThanQuestions
        endFiber()
        if let error = asking.failure {
            // A change that was given up leaves libssh2 in the middle of it, where another attempt would crash; and a
            // later question, where it would wait for an answer to nothing.
            let isOver = !asking.isOfPrompts || error.code == .sshProtocol || code == LIBSSH2_ERROR_EAGAIN
            if isOver { fail(error) } else { asking.completion(.failure(error)) }
        } else if hasMalformed {
            fail(SSHLoginLimits.questionIsMalformed)
        } else {
            let result = authenticationOutcome(code, ofPassword: !asking.isOfPrompts)
            // Too long a banner may have ended the engine, which told this attempt.
            guard failure == nil else { return }
            if case .failure = result, failIfFatal(code, "authenticating") { return }
            asking.completion(result)
        }
    }

    /// Ends the thread of a call that may wait in the session.
    func endFiber() {
        guard let fiber else { return }
        self.fiber = nil
        fiber.end()
        context.pointee.refusesMemory = false
        context.pointee.login.ordersQuestions = false
    }
}
#endif

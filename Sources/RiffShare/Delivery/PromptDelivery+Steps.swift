// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

extension PromptDelivery {
    /// Decides about a prompt that a process handed over which is gone. If the agent's records cannot be read now, it
    /// stays as it is.
    func settle(_ prompt: Prompt) async throws {
        switch try await look(for: prompt) {
        case .received(let turn): try await outbox.apply(.receive(turn: turn), to: prompt.id)
        case .absent, .unknown: try await outbox.apply(.abandon, to: prompt.id)
        }
    }

    /// Looks whether the agent has a prompt after all; its state says so then.
    func reconsider(_ prompt: Prompt) async throws {
        switch try await look(for: prompt) {
        case .received(let turn): try await change(prompt, .receive(turn: turn))
        case .absent: try await change(prompt, .doubt("The agent's records do not have the prompt so far."))
        case .unknown: break
        }
    }

    private func look(for prompt: Prompt) async throws -> PromptLook {
        try await carrier.look(for: prompt.outgoing, since: prompt.mark ?? "")
    }

    /// Hands a prompt over, if the agent takes it.
    ///
    /// - Returns: Whether it makes sense to go on with the next one.
    func attempt(_ prompt: Prompt) async throws -> Bool {
        // After an earlier attempt nothing is sent without a look.
        if prompt.attempts > 0, case .received(let turn) = try await look(for: prompt) {
            try await change(prompt, .receive(turn: turn))
            return true
        }
        let readiness = try await carrier.readiness()
        if let event = PromptQueuePolicy.objection(to: prompt, readiness, takesThisTurn: carrier.takesThisTurn) {
            return try await object(event, to: prompt)
        }
        let paths: [String]
        switch try await carryAttachments(of: prompt) {
        case .success(let carried): paths = carried
        case .failure(let objection): return try await object(objection.event, to: prompt)
        }
        let mark = try await carrier.mark()
        try Task.checkCancellation()
        guard let begun = try await begin(prompt, mark, paths) else { return true }
        return try await handOver(begun.outgoing, since: begun.mark ?? mark)
    }

    /// Says why a prompt is not handed over.
    ///
    /// - Returns: Whether it makes sense to go on with the next one.
    private func object(_ event: PromptStateMachine.Event, to prompt: Prompt) async throws -> Bool {
        // Where the user was quicker, there is something else to do.
        guard try await change(prompt, event) else { return true }
        if case .refuse = event { return true }
        return false
    }

    /// Applies a change unless the user was quicker.
    ///
    /// - Returns: Whether it was applied.
    @discardableResult
    private func change(_ prompt: Prompt, _ event: PromptStateMachine.Event) async throws -> Bool {
        do {
            try await outbox.apply(event, to: prompt.id)
            return true
        } catch let error as CoreError where [.promptStateForbids, .noSuchPrompt].contains(error.code) {
            return false
        }
    }

    /// The prompt as it is at the moment from which it cannot be changed; `nil` if the user took it back.
    private func begin(_ prompt: Prompt, _ mark: String, _ paths: [String]) async throws -> Prompt? {
        do {
            return try await outbox.begin(prompt.id, mark: mark, paths: paths)
        } catch let error as CoreError where [.promptStateForbids, .noSuchPrompt].contains(error.code) {
            return nil
        }
    }

    private func handOver(_ prompt: OutgoingPrompt, since mark: String) async throws -> Bool {
        let isCommitted = Mutex(false)
        let outbox = outbox
        let verdict: PromptVerdict
        var failure: (any Error)?
        do {
            verdict = try await carrier.handOver(prompt) {
                try await outbox.apply(.commit, to: prompt.id)
                isCommitted.withLock { $0 = true }
            }
        } catch {
            failure = error
            let words = error is CancellationError ? "The hand-over was cut short." : error.asRiffError.message
            verdict = isCommitted.withLock { $0 } ? .uncertain(words) : .notSent(words)
        }
        let isOn = try await conclude(prompt, since: mark, verdict)
        if let failure { throw failure }
        return isOn
    }

    private func conclude(
        _ prompt: OutgoingPrompt,
        since mark: String,
        _ verdict: PromptVerdict
    ) async throws -> Bool {
        switch verdict {
        case .received(let turn): try await outbox.apply(.receive(turn: turn), to: prompt.id)
        case .refused(let reason): try await outbox.apply(.refuse(reason), to: prompt.id)
        case .notSent(let reason):
            try await outbox.apply(.notSent(reason), to: prompt.id)
            return false
        case .uncertain(let evidence):
            // Noted before the look, which may take long or fail.
            try await outbox.apply(.doubt(evidence), to: prompt.id)
            // A look that fails is made again by the next run.
            if case .received(let turn) = try? await carrier.look(for: prompt, since: mark) {
                try await outbox.apply(.receive(turn: turn), to: prompt.id)
                return true
            }
            return false
        }
        return true
    }

    // MARK: Attachments

    private struct Objection: Error { let event: PromptStateMachine.Event }

    /// Brings the attachments to the host; doing so again puts the same files in the same places.
    private func carryAttachments(of prompt: Prompt) async throws -> Result<[String], Objection> {
        guard !prompt.attachments.isEmpty else { return .success([]) }
        guard let attachmentCarrier else {
            return .failure(Objection(event: .refuse("This agent takes no attachments.")))
        }
        var paths: [String] = []
        for name in prompt.attachments {
            guard let claim = try await outbox.attachments.claim(name) else {
                return .failure(Objection(event: .refuse("An attachment of the prompt is gone.")))
            }
            do {
                paths.append(try await attachmentCarrier.carry(claim))
                await claim.release()
            } catch {
                await claim.release()
                if error is CancellationError { throw error }
                return .failure(Objection(event: .wait(error.asRiffError.message)))
            }
        }
        return .success(paths)
    }
}

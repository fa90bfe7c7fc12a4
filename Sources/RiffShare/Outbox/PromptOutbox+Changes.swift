// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

extension PromptOutbox {
    /// Changes the words of a prompt that was not handed over yet.
    ///
    /// - Throws: ``CoreError`` with `noSuchPrompt`, `promptStateForbids` or `invalidPrompt`: nothing was changed;
    ///   `promptUnreadable`, `permissionsTooOpen`, `storeFailed`, `storeBusy`.
    public func edit(_ id: RiffIdentifier, text: String) throws {
        try change(id, .edit) { prompt throws(CoreError) in
            try check(text, attachments: prompt.attachments.count)
            prompt.text = text
        }
    }

    /// Releases a draft.
    ///
    /// - Throws: As ``edit(_:text:)``.
    public func queue(_ id: RiffIdentifier) throws { try change(id, .queue) }

    /// Takes a prompt back that was not handed over yet. It stays in the list as cancelled.
    ///
    /// - Throws: As ``edit(_:text:)``.
    public func cancel(_ id: RiffIdentifier) async throws {
        var names: [SharedMediaItem.Name] = []
        try change(id, .cancel) { prompt in
            names = prompt.attachments
            prompt.attachments = []
        }
        try await removeAttachments(names)
    }

    /// Puts a prompt that was not handed over yet before another one of the outbox.
    ///
    /// - Parameters:
    ///   - id: The prompt.
    ///   - other: The one that is to come after it; `nil` puts it at the end.
    /// - Throws: As ``edit(_:text:)``; `noSuchPrompt` also if `other` is gone.
    public func move(_ id: RiffIdentifier, before other: RiffIdentifier?) throws {
        let folder = try OutboxFolder(path: directory)
        try folder.locked { folder in
            var prompts = try read(folder).prompts
            guard let place = prompts.firstIndex(where: { $0.id == id }) else { throw missing(id) }
            guard prompts[place].state.isChangeable else { throw forbidden(prompts[place]) }
            guard id != other else { return }
            let prompt = prompts.remove(at: place)
            if let other {
                guard let target = prompts.firstIndex(where: { $0.id == other }) else { throw missing(other) }
                prompts.insert(prompt, at: target)
            } else {
                prompts.append(prompt)
            }
            try folder.setOrder(prompts.map(\.id))
        }
        try refresh()
    }

    /// Puts a prompt that is uncertain, or was refused, into the queue again: the user's own decision. Before it is
    /// sent, the agent's record is looked at once more.
    ///
    /// - Throws: As ``edit(_:text:)``.
    public func sendAgain(_ id: RiffIdentifier) throws { try change(id, .sendAgain) }

    /// Removes a prompt from the list, with its attachments, whatever became of it; only not while it is handed over.
    ///
    /// - Throws: As ``edit(_:text:)``.
    public func forget(_ id: RiffIdentifier) async throws {
        let folder = try OutboxFolder(path: directory)
        let names = try folder.locked { folder in
            guard let prompt = try folder.prompt(id) else { throw missing(id) }
            guard prompt.state != .handedOver else { throw forbidden(prompt) }
            try folder.remove(prompt)
            return prompt.attachments
        }
        try refresh()
        try await removeAttachments(names)
    }

    /// Takes the change of a hand-over; the attachments of one that the agent has go.
    ///
    /// - Returns: The prompt as it is then.
    /// - Throws: As ``edit(_:text:)``.
    @discardableResult
    package func apply(_ event: PromptStateMachine.Event, to id: RiffIdentifier) async throws -> Prompt {
        var names: [SharedMediaItem.Name] = []
        let prompt = try change(id, event) { prompt in
            guard case .received = prompt.state else { return }
            names = prompt.attachments
            prompt.attachments = []
        }
        try await removeAttachments(names)
        return prompt
    }

    /// Notes that a prompt is handed over from now on.
    ///
    /// - Parameters:
    ///   - id: The prompt.
    ///   - mark: The carrier's mark.
    ///   - paths: The paths of its attachments on the agent's host.
    /// - Returns: The prompt as it is at this moment, from which on it is not changed.
    /// - Throws: As ``edit(_:text:)``.
    package func begin(_ id: RiffIdentifier, mark: String, paths: [String] = []) throws -> Prompt {
        try change(id, .begin(mark: mark)) { prompt in prompt.paths = paths }
    }

    /// Takes the right to hand an agent's prompts over.
    ///
    /// - Returns: It, for as long as it is kept; `nil` if another process, or another one here, has it.
    /// - Throws: ``CoreError`` with `permissionsTooOpen` or `storeFailed`.
    package func lease(of agent: String) throws -> PromptLease? {
        try OutboxFolder(path: directory).lease(of: agent)
    }

    /// Changes a prompt by the rules, under the lock.
    @discardableResult
    private func change(
        _ id: RiffIdentifier,
        _ event: PromptStateMachine.Event,
        _ edit: (inout Prompt) throws(CoreError) -> Void = { _ in }
    ) throws -> Prompt {
        let folder = try OutboxFolder(path: directory)
        let prompt = try folder.locked { folder in
            guard var prompt = try folder.prompt(id) else { throw missing(id) }
            var machine = PromptStateMachine(
                state: prompt.state,
                isCommitted: prompt.isCommitted,
                mark: prompt.mark,
                attempts: prompt.attempts
            )
            guard machine.handle(event) else { throw forbidden(prompt) }
            let old = prompt
            prompt.state = machine.state
            prompt.isCommitted = machine.isCommitted
            prompt.mark = machine.mark
            prompt.attempts = machine.attempts
            try edit(&prompt)
            if prompt != old { try folder.replace(prompt) }
            return prompt
        }
        guard let place = source.current.prompts.firstIndex(where: { $0.id == id }) else {
            try refresh()
            return prompt
        }
        source.update { state in
            var state = state
            state.prompts[place] = prompt
            return state
        }
        return prompt
    }

    private func missing(_ id: RiffIdentifier) -> CoreError {
        CoreError(.noSuchPrompt, "The outbox has no prompt \(id).")
    }

    private func forbidden(_ prompt: Prompt) -> CoreError {
        CoreError(.promptStateForbids, "The prompt \(prompt.id) is \(prompt.state.name), which does not allow this.")
    }
}

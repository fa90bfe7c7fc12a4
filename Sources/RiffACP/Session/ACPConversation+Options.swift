// Riff
// SPDX-License-Identifier: Apache-2.0

extension ACPConversation {
    /// Chooses the session's model: with agents that offer it as an option, that option is set. The chat shows the
    /// model once the agent has taken it.
    ///
    /// - Parameter model: One of the transcript's models, or a value of its option for the model.
    /// - Throws: ``ACPError``, also `closed` before the session was started; `CancellationError`.
    public func setModel(_ model: ACP.ModelID) async throws {
        guard let client, let session else { throw ACPError(.closed, "The conversation was not started.") }
        if let option = chat.transcript.options.first(where: { $0.offers(model) }) {
            return try await setOption(option.id, to: .option(ACP.SessionConfigValueID(rawValue: model.rawValue)))
        }
        try await client.setModel(model, of: session)
        guard session == self.session else { return }
        chat.transcript.modelChanged(model)
    }

    /// Sets one of the session's options. The chat shows the options as the agent says that they are then; one option
    /// may change others.
    ///
    /// - Parameters:
    ///   - option: The option.
    ///   - value: Its value.
    /// - Throws: ``ACPError``, also `closed` before the session was started; `CancellationError`.
    public func setOption(_ option: ACP.SessionConfigID, to value: ACP.SessionConfigOptionValue) async throws {
        guard let client, let session else { throw ACPError(.closed, "The conversation was not started.") }
        let options = try await client.setOption(option, to: value, of: session)
        // Another session may have been opened meanwhile, and an agent that says nothing sends an update.
        guard session == self.session, !options.isEmpty else { return }
        chat.transcript.optionsChanged(options)
    }
}

extension ACP.SessionConfigOption {
    /// Whether this is the option for the model, and the model is one of its values.
    fileprivate func offers(_ model: ACP.ModelID) -> Bool {
        guard category == .model, case .select(let select) = kind else { return false }
        return select.options.all.contains { $0.value.rawValue == model.rawValue }
    }
}

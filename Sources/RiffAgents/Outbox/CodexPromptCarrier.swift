// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffShare

/// The calls of Codex's app server that prompts need.
package protocol CodexPrompting: Sendable {
    /// Whether a prompt can be given, and which turn runs; `nil` if none does.
    func promptState() async throws -> (readiness: PromptReadiness, turn: String?)
    /// `turn/start`, with the client's id of the message.
    func startPrompt(_ text: String, id: String) async throws -> String
    /// `turn/steer` of the turn that runs.
    func steerPrompt(_ turn: String, _ text: String, id: String) async throws -> String
    /// The turn whose user message has this client id; `nil` if no turn of the thread's newest has it.
    func turnOfPrompt(_ id: String) async throws -> String?
    /// What an error of a call proves: nothing was sent, or the server refused it; `nil` if it proves nothing.
    func proof(in error: any Error) -> PromptVerdict?
}

/// Hands prompts to Codex through its app server. The prompt's id goes with it and stands in the thread: the server
/// itself takes the same id twice, so that nothing is sent a second time without a look.
package struct CodexPromptCarrier: PromptCarrier {
    package var takesThisTurn: Bool { true }
    package var worksWithoutClient: Bool { false }

    private let server: any CodexPrompting

    /// Creates a carrier over a server.
    package init(_ server: any CodexPrompting) { self.server = server }

    package func readiness() async throws -> PromptReadiness {
        let state = try await server.promptState()
        return state.readiness == .ready && state.turn != nil ? .working : state.readiness
    }

    /// Ids are enough: no place in the record is needed.
    package func mark() async throws -> String { "id" }

    package func handOver(
        _ prompt: OutgoingPrompt,
        commit: @escaping @Sendable () async throws -> Void
    ) async throws -> PromptVerdict {
        try Task.checkCancellation()
        let running = try await server.promptState().turn
        // `turn/start` would steer a turn that has begun meanwhile.
        if running != nil, prompt.delivery == .nextTurn { return .notSent("The agent works.") }
        try await commit()
        let id = prompt.id.text
        let turn: String
        do {
            if let running {
                turn = try await server.steerPrompt(running, prompt.text, id: id)
            } else {
                turn = try await server.startPrompt(prompt.text, id: id)
            }
        } catch {
            if let proof = server.proof(in: error) { return proof }
            throw error
        }
        // The call's answer is no receipt: the thread has to have the message. An error of this look proves nothing.
        guard let found = try await server.turnOfPrompt(id) else {
            let name = InertText.quote(turn, limitBytes: 128)
            return .uncertain("Codex took the prompt for turn \(name), and its thread does not have it so far.")
        }
        return .received(turn: InertText.quote(found, limitBytes: 128))
    }

    package func look(for prompt: OutgoingPrompt, since mark: String) async throws -> PromptLook {
        guard let turn = try await server.turnOfPrompt(prompt.id.text) else { return .absent }
        return .received(turn: InertText.quote(turn, limitBytes: 128))
    }
}

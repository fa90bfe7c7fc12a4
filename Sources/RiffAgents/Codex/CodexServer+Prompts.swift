// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffShare

extension CodexServer {
    /// The carrier that hands prompts of a `PromptOutbox` to this conversation, with their ids: for `PromptDelivery`.
    /// It takes them while ``run()`` is connected.
    public nonisolated var promptCarrier: any PromptCarrier { CodexPromptCarrier(self) }
}

extension CodexServer: CodexPrompting {
    package func promptState() async throws -> (readiness: PromptReadiness, turn: String?) {
        let status = current
        let readiness: PromptReadiness =
            switch status.phase {
            case .joined, .unbegun:
                if !status.questions.isEmpty {
                    .notNow("Codex asks a question.")
                } else {
                    status.turn == nil ? .ready : .working
                }
            case .connecting(let reason): .notNow(reason.isEmpty ? "Codex's server is not connected yet." : reason)
            case .finding: .notNow("Codex's conversation is being looked for.")
            case .noThread: .notNow("Codex has no conversation in this folder.")
            case .severalThreads: .notNow("Codex has several conversations in this folder, and none is chosen.")
            }
        return (readiness, status.turn)
    }

    package func startPrompt(_ text: String, id: String) async throws -> String {
        try await startTurn(text, id: id).id
    }

    package func steerPrompt(_ turn: String, _ text: String, id: String) async throws -> String {
        try await steer(turn, text, id: id).id
    }

    package func turnOfPrompt(_ id: String) async throws -> String? { try await turn(withPrompt: id) }

    package nonisolated func proof(in error: any Error) -> PromptVerdict? {
        guard let error = error as? AgentError else { return nil }
        return switch error.code {
        case .notConnected, .noThread, .noTurn: .notSent(error.message)
        // Also what makes no sense is such a failure: then it may have been taken, and a look decides.
        default: nil
        }
    }
}

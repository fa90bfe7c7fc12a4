// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A turn that took a prompt.
public struct CodexTurn: Sendable, Hashable {
    /// The turn's id.
    public let id: String
    /// Whether the prompt became a part of a turn that ran already.
    public let isSteered: Bool
}

extension CodexServer {
    /// The time limit for the server's answer to a call.
    private static let limit = Duration.seconds(30)

    /// Gives a prompt. While a turn runs it becomes a part of that one; else it begins a turn.
    ///
    /// Codex does not tell two prompts with one id apart from two prompts: after `serverLost`, look with
    /// ``turn(withPrompt:)`` before a second try.
    ///
    /// - Parameters:
    ///   - text: The prompt.
    ///   - id: The prompt's id, from the caller, such as a UUID; it comes back in the conversation's record.
    /// - Returns: The turn that took it.
    /// - Throws: ``AgentError`` with `notConnected` or `noThread` (nothing was sent), `serverLost` (it may have
    ///   arrived) or `serverFailed` (it was refused); `CancellationError`, and then it may have arrived.
    public func startTurn(_ text: String, id: String) async throws -> CodexTurn {
        try await turn { $0.request(.start(text: text, id: id), ticket: $1) }
    }

    /// Gives more to a turn that runs, and to no other one.
    ///
    /// - Parameters:
    ///   - turn: The turn's id.
    ///   - text: The prompt.
    ///   - id: The prompt's id.
    /// - Returns: The turn.
    /// - Throws: As ``startTurn(_:id:)``; `serverFailed` also if another turn runs or none.
    public func steer(_ turn: String, _ text: String, id: String) async throws -> CodexTurn {
        try await self.turn { $0.request(.steer(turn: turn, text: text, id: id), ticket: $1) }
    }

    /// Ends the turn that runs.
    ///
    /// - Throws: ``AgentError`` with `noTurn`, `notConnected`, `noThread`, `serverLost` or `serverFailed`;
    ///   `CancellationError`.
    public func interrupt() async throws {
        _ = try await call { $0.request(.interrupt, ticket: $1) }
    }

    /// Looks for a prompt in the newest 20 turns.
    ///
    /// - Parameter id: The id that it was given with.
    /// - Returns: The turn that it is in; `nil` if it is in none of them.
    /// - Throws: ``AgentError`` with `notConnected`, `noThread`, `serverLost` or `serverFailed`; `CancellationError`.
    public func turn(withPrompt id: String) async throws -> String? {
        guard case .found(let turn) = try await call({ $0.request(.find(id: id), ticket: $1) }) else { return nil }
        return turn
    }

    /// Answers a question of ``CodexStatus/questions`` once, over any number of lost connections: it is sent again only
    /// if the server asks the same again.
    ///
    /// - Parameters:
    ///   - question: The question, as it was told.
    ///   - answer: The answer. Codex gives the text of a denial to nobody.
    ///   - limit: How long the confirmation may take.
    /// - Returns: The outcome.
    /// - Throws: ``AgentError`` with `questionGone`, `alreadyAnswered`, `notAnswerable` or `notConnected` (nothing was
    ///   answered), `answerUnconfirmed` (it may have been). `CancellationError`, and then it may have been.
    public func answer(
        _ question: AgentQuestion,
        with answer: QuestionAnswer,
        within limit: Duration = .seconds(30)
    ) async throws -> QuestionAnswerResult {
        let outcome: CodexMachine.Outcome
        do {
            outcome = try await ask(within: limit) { $0.answer(question, with: answer, ticket: $1) }
        } catch is DeadlineExceeded {
            let text = "The answer to “\(question.summary)” was not confirmed in time; look at the agent."
            throw AgentError(.answerUnconfirmed, text)
        }
        switch outcome {
        case .answered(let result): return result
        case .failed(let code, let text): throw AgentError(code, text)
        case .turn, .found, .done: return .given
        }
    }

    private func turn(
        _ make: (inout CodexMachine, UInt64) -> [CodexMachine.Effect]
    ) async throws -> CodexTurn {
        guard case .turn(let id, let isSteered) = try await call(make) else {
            throw AgentError(.serverFailed, "Codex's server answered something that makes no sense.")
        }
        return CodexTurn(id: id, isSteered: isSteered)
    }

    private func call(
        _ make: (inout CodexMachine, UInt64) -> [CodexMachine.Effect]
    ) async throws -> CodexMachine.Outcome {
        let outcome: CodexMachine.Outcome
        do {
            outcome = try await ask(within: Self.limit, make)
        } catch is DeadlineExceeded {
            throw AgentError(.serverLost, "Codex's server did not answer in time; what was asked may have been done.")
        }
        if case .failed(let code, let text) = outcome { throw AgentError(code, text) }
        return outcome
    }
}

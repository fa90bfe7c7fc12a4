// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// Answers questions of an agent by a key in its terminal: for agents without a server and without a hook that waits.
///
/// A key is pressed once, and only if two looks, a quarter of a second apart, see one and the same screen that shows
/// exactly this command. A command that is too long for a row of the terminal is not answered so.
public struct AgentKeyAnswers: Sendable {
    private let facts: AgentFacts
    private let clock: any Clock<Duration>
    private let look: @Sendable () async throws -> [String]
    private let press: @Sendable ([UInt8]) async throws -> Void

    /// Creates answers for one terminal.
    ///
    /// - Parameters:
    ///   - agent: The kind of agent.
    ///   - facts: Newer facts than those that are built in; `nil` for these.
    ///   - clock: Measures the time between looks.
    ///   - look: Returns the rows that the terminal shows now, from the top.
    ///   - press: Writes the bytes of one key to the terminal, and to nothing that stands before it.
    public init(
        agent: AgentKind,
        facts: AgentFacts? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        look: @escaping @Sendable () async throws -> [String],
        press: @escaping @Sendable ([UInt8]) async throws -> Void
    ) {
        self.facts = facts ?? .builtIn(agent)
        self.clock = clock
        self.look = look
        self.press = press
    }

    /// Answers a question, and waits until the terminal does not show it any more.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - answer: To allow, or to deny, which ends the agent's turn.
    ///   - limit: How long it may take.
    /// - Returns: `given`: the key was pressed, and the question is over.
    /// - Throws: ``AgentError`` with `questionGone` or `notAnswerable` (nothing was pressed), `answerUnconfirmed` (the
    ///   key was pressed, or the screen did not come to rest before the limit); what the two closures throw;
    ///   `CancellationError`.
    public func answer(
        _ question: AgentQuestion,
        with answer: QuestionAnswer,
        within limit: Duration = .seconds(10)
    ) async throws -> QuestionAnswerResult {
        do {
            return try await withDeadline(limit, clock: clock) { try await self.perform(question, answer) }
        } catch is DeadlineExceeded {
            let text = "The answer to “\(question.summary)” was not confirmed in time; look at the agent."
            throw AgentError(.answerUnconfirmed, text)
        }
    }

    private func perform(_ question: AgentQuestion, _ answer: QuestionAnswer) async throws -> QuestionAnswerResult {
        var machine = KeyAnswerMachine(question, with: answer, facts: facts)
        while true {
            switch machine.look(at: try await look()) {
            case .look: break
            case .press(let key): try await press(key)
            case .done: return .given
            case .refuse(let code, let text): throw AgentError(code, text)
            }
            try await clock.sleep(for: KeyAnswerMachine.interval)
        }
    }
}

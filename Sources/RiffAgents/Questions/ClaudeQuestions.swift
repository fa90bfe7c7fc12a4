// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport

// sample: host: any HostSession, folder: String
/// The questions of Claude Code whose hook waits for an answer, on a host with the host kit: the dialog stands beside
/// it, and an answer from here closes it. An answer in the terminal counts if it comes first.
///
/// ```swift
/// let claude = ClaudeQuestions(on: host, kit: folder)
/// for question in try await claude.open() {
///     print(question.summary, try await claude.answer(question, with: .allow))
/// }
/// ```
///
/// It needs an agent that was started with the kit's settings, and in manual mode: in its automatic mode Claude Code
/// 2.1.331 asks no hook. A question waits for ten minutes at most, and is answered in the terminal after that.
public struct ClaudeQuestions: Sendable {
    /// How much the host may tell: 64 questions of 64 KiB.
    private static let outputLimit = 8 << 20

    private let host: any HostSession
    private let folder: String
    private let clock: any Clock<Duration>

    /// Creates a reader of a host's questions.
    ///
    /// - Parameters:
    ///   - host: The host.
    ///   - folder: The kit's folder.
    ///   - clock: Measures deadlines.
    public init(on host: any HostSession, kit folder: String, clock: any Clock<Duration> = ContinuousClock()) {
        self.host = host
        self.folder = folder
        self.clock = clock
    }

    /// The questions that wait now, of all of the host's sessions or of one.
    ///
    /// - Parameter session: The session's id; `nil` for all.
    /// - Returns: The questions, without the answers to choose from.
    /// - Throws: A ``RiffError`` if the host cannot be asked; `CancellationError`.
    public func open(in session: String? = nil) async throws -> [AgentQuestion] {
        let result = try await run(["questions"], input: [], timeout: .seconds(30))
        return result.output.split(separator: UInt8(ascii: "\n")).compactMap { line in
            // A line that is none is another program's.
            guard let json = try? JSONValue(parsing: line), let question = Self.question(json) else { return nil }
            guard let session else { return question }
            return question.binding?.session.utf8.elementsEqual(session.utf8) ?? false ? question : nil
        }
    }

    /// Answers a question of ``open(in:)`` once. If the connection is lost the host is asked again, which answers
    /// nothing twice.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - answer: The answer: to allow, or to deny with a text for the model, whose turn goes on.
    ///   - limit: How long it may take.
    /// - Returns: `given`: the agent's hook has the answer.
    /// - Throws: ``AgentError`` with `questionGone`, `alreadyAnswered` or `notAnswerable` (nothing was answered), or
    ///   `answerUnconfirmed` (it may have been); a ``RiffError`` if the host refuses; `CancellationError`, and then it
    ///   may have been answered.
    public func answer(
        _ question: AgentQuestion,
        with answer: QuestionAnswer,
        within limit: Duration = .seconds(30)
    ) async throws -> QuestionAnswerResult {
        guard let waiter = question.binding?.waiter, !waiter.isEmpty else {
            throw AgentError(.notAnswerable, "No hook waits for the answer to “\(question.summary)”.")
        }
        guard let decision = Self.decision(answer, to: question) else {
            throw AgentError(.notAnswerable, "Claude Code does not take this answer to “\(question.summary)”.")
        }
        var generator = SystemRandomNumberGenerator()
        let id = String(generator.next(), radix: 16) + String(generator.next(), radix: 16)
        do {
            return try await withDeadline(limit, clock: clock) {
                try await self.deliver(["answer", waiter, id], decision, question, limit)
            }
        } catch is DeadlineExceeded {
            let text = "The answer to “\(question.summary)” was not confirmed in time; look at the agent."
            throw AgentError(.answerUnconfirmed, text)
        }
    }

    private func deliver(
        _ words: [String],
        _ decision: [UInt8],
        _ question: AgentQuestion,
        _ limit: Duration
    ) async throws -> QuestionAnswerResult {
        var attempt = 0
        while true {
            do {
                let result = try await run(words, input: decision, timeout: limit)
                return try Self.result(result.text.byteLines.last.map { String($0) } ?? "", question)
            } catch let error as TransportError where error.code == .connectionLost || error.code == .notConnected {
                attempt += 1
                try await clock.sleep(for: ReconnectPolicy.standard.delay(beforeAttempt: attempt))
            }
        }
    }

    private static func result(_ word: String, _ question: AgentQuestion) throws -> QuestionAnswerResult {
        switch word {
        case "given": return .given
        case "gone":
            throw AgentError(.questionGone, "The question “\(question.summary)” is over. Nothing was answered.")
        case "taken": throw AgentError(.alreadyAnswered, "The question “\(question.summary)” has an answer already.")
        case "unread":
            let text = "The agent did not take the answer to “\(question.summary)”; look at the agent."
            throw AgentError(.answerUnconfirmed, text)
        default:
            let text = "The host's hook is too old to answer “\(question.summary)”; bring the host kit up to date."
            throw AgentError(.notAnswerable, text)
        }
    }

    private func run(_ words: [String], input: [UInt8], timeout: Duration) async throws -> CommandResult {
        let line = try ShellQuoting.join(["sh", folder + "/bin/riff-hook.sh"] + words)
        return try await host.run(line, input: input, outputLimit: Self.outputLimit, timeout: timeout)
    }

    // MARK: Words

    /// A question as the host's hook tells it; `nil` if it is none.
    static func question(_ json: JSONValue) -> AgentQuestion? {
        guard let waiter = CodexName.read(json["waiter"]), let payload = json["payload"],
            let session = CodexName.read(payload["session_id"]), let tool = payload["tool_name"]?.text
        else { return nil }
        let binding = AgentQuestion.Binding(session: session, waiter: waiter)
        return AgentFacts.builtIn(.claude).question(tool: tool, input: payload["tool_input"], binding: binding)
    }

    /// The decision as Claude Code reads it from a hook, one line; `nil` if the question does not take such an answer.
    static func decision(_ answer: QuestionAnswer, to question: AgentQuestion) -> [UInt8]? {
        let decision: JSONValue
        switch answer {
        case .allow:
            // A question with answers to choose from is not answered by a yes.
            guard question.kind != .question else { return nil }
            decision = ["behavior": "allow"]
        case .deny(let text):
            // The model is to know why nothing ran.
            let words = text.isEmpty ? "The user does not allow this." : text
            decision = ["behavior": "deny", "message": .string(words)]
        case .cancel, .choose: return nil
        }
        let output: JSONValue = [
            "hookSpecificOutput": ["hookEventName": "PermissionRequest", "decision": decision]
        ]
        return output.bytes() + [UInt8(ascii: "\n")]
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A conversation as a chat view shows it: the transcript in groups, what the person is asked, why it stopped.
public struct ACPChat: Sendable, Hashable {
    /// The transcript of the session.
    public internal(set) var transcript = ACPTranscript()
    /// The questions that the agent waits for an answer to, oldest first.
    public internal(set) var questions: [Question] = []
    /// Why the last turn did not end well; `nil` while one runs, and when it did.
    public internal(set) var problem: TurnProblem?
    /// The tokens that the agent counted, as its last answer to a prompt reported: of the whole session, and only with
    /// agents that report it there. The transcript's `usage` has the part of the model's window that is used.
    public internal(set) var tokens: ACP.Usage?
    /// The time that the turn has been running, or ran; `nil` before the first one.
    public internal(set) var turnDuration: Duration?

    /// A permission that is waited for.
    public struct Question: Sendable, Hashable, Identifiable {
        /// Its number in this conversation.
        public let id: Int
        /// What is asked.
        public let permission: ACPPermissionQuestion
    }

    /// The problem that a person is shown when a turn did not end well.
    public struct TurnProblem: Sendable, Hashable {
        /// The message about the problem.
        public let message: String
        /// What is probably wrong.
        public let hint: ACPErrorHint?
        /// The lines that the agent wrote last, oldest first.
        public let details: [String]
        /// Whether the same prompt may be sent again with some hope.
        public let canRetry: Bool
    }

    /// A message of the person, and all that the agent did about it.
    public struct Group: Sendable, Hashable, Identifiable {
        /// The id of its first entry.
        public let id: Int
        /// The person's message; `nil` for entries that an agent writes by itself.
        public let prompt: ACPTranscript.Message?
        /// The agent's messages, thoughts and tool calls.
        public let entries: [ACPTranscript.Entry]

        /// The number of tool calls of each kind.
        package var toolCounts: [ACP.ToolKind: Int] {
            entries.reduce(into: [:]) { counts, entry in
                if case .toolCall(let call) = entry.kind { counts[call.kind, default: 0] += 1 }
            }
        }
    }

    /// A conversation that has not begun.
    package init() {}

    /// Whether the agent works.
    public var isRunning: Bool { transcript.turn == .running || transcript.turn == .cancelling }

    /// The transcript in groups, oldest first.
    public var groups: [Group] {
        var groups: [Group] = []
        var id = 0
        var prompt: ACPTranscript.Message?
        var entries: [ACPTranscript.Entry] = []
        func close() {
            if prompt != nil || !entries.isEmpty { groups.append(Group(id: id, prompt: prompt, entries: entries)) }
        }
        for entry in transcript.entries {
            if case .user(let message) = entry.kind {
                close()
                (id, prompt, entries) = (entry.id, message, [])
            } else {
                if prompt == nil, entries.isEmpty { id = entry.id }
                entries.append(entry)
            }
        }
        close()
        return groups
    }

    /// Returns the commands that typed text may become: those whose name begins with the word after a slash, in the
    /// agent's order; none if the text does not begin with one or continues after it.
    public func commands(completing text: String) -> [ACP.AvailableCommand] {
        guard text.hasPrefix(bytes: "/"), !text.contains(where: \.isWhitespace) else { return [] }
        let name = text.dropFirst().lowercased()
        return transcript.commands.filter { $0.name.lowercased().hasPrefix(name) }
    }

    // MARK: Events

    mutating func otherTurnBegan() {
        problem = nil
        turnDuration = nil
        transcript.otherTurnBegan()
    }

    mutating func turnEnded(_ reason: ACP.StopReason, tokens: ACP.Usage? = nil, after duration: Duration) {
        transcript.turnEnded(reason)
        self.tokens = tokens ?? self.tokens
        turnDuration = duration
        let message: String? =
            switch reason {
            case .endTurn, .cancelled: nil
            case .maxTokens: "The answer reached the model's limit of tokens."
            case .maxTurnRequests: "The agent reached its limit of requests for one turn."
            case .refusal: "The agent refused to go on. What was said in this turn is not kept."
            default: "The turn ended: \(InertText.line(reason.rawValue))."
            }
        problem = message.map { TurnProblem(message: $0, hint: nil, details: [], canRetry: false) }
    }

    mutating func turnFailed(_ error: any Error, after duration: Duration, details: [String], isOwn: Bool = true) {
        let message = Problem(error).message
        transcript.turnFailed(message)
        turnDuration = duration
        let hint = (error as? ACPError)?.hint
        // Somebody else's prompt is not here to be sent again.
        let canRetry = isOwn && (hint == nil || hint?.kind == .rateLimit || hint?.kind == .connection)
        problem = TurnProblem(message: message, hint: hint, details: details, canRetry: canRetry)
    }
}

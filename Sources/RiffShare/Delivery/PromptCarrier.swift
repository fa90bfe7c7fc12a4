// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A seam: hands prompts to one agent, and looks in the agent's own records for what it took.
///
/// To the implementer: prove, never guess. A prompt counts as received when a structured record of the agent says so,
/// written after the hand-over; an accepted keystroke, a returned call or an empty composer is no receipt. Messages and
/// errors hold no words of the prompt, and neither do logs and arguments of programs.
public protocol PromptCarrier: Sendable {
    /// Whether the agent takes words in the middle of a turn as words for that turn.
    var takesThisTurn: Bool { get }

    /// Whether prompts can be handed over while no client is connected, by a script on the agent's host.
    var worksWithoutClient: Bool { get }

    /// Tells whether the agent takes a prompt at this moment. What was true before the last hand-over must not be told
    /// after it.
    ///
    /// - Returns: Its readiness.
    /// - Throws: A ``RiffError`` if it cannot be asked now, such as while the host is not connected.
    func readiness() async throws -> PromptReadiness

    /// Marks the place in the agent's records at which a receipt can stand from now on: one line, kept by the outbox.
    ///
    /// - Returns: The mark.
    /// - Throws: As ``readiness()``.
    func mark() async throws -> String

    /// Hands a prompt over, and waits for its receipt as long as one usually takes.
    ///
    /// Call `commit` once, immediately before the first byte by which the agent may take the prompt: the call, or the
    /// Return key. If it throws, send nothing more and throw its error. What was cut off before it is tried again; what
    /// was cut off after it is not.
    ///
    /// - Parameters:
    ///   - prompt: The prompt.
    ///   - commit: Notes on disk that the prompt is being submitted.
    /// - Returns: What became of it. ``PromptVerdict/notSent(_:)`` and ``PromptVerdict/refused(_:)`` are proofs.
    /// - Throws: Why it was cut off, also `CancellationError`.
    func handOver(
        _ prompt: OutgoingPrompt,
        commit: @escaping @Sendable () async throws -> Void
    ) async throws -> PromptVerdict

    /// Looks for a prompt in the agent's records. It sends nothing to the agent.
    ///
    /// - Parameters:
    ///   - prompt: The prompt.
    ///   - mark: What ``mark()`` told before the first hand-over of this prompt.
    /// - Returns: What they say about it.
    /// - Throws: As ``readiness()``.
    func look(for prompt: OutgoingPrompt, since mark: String) async throws -> PromptLook
}

/// A prompt as it is handed to an agent. Printing one shows its id, never its text.
public struct OutgoingPrompt: Sendable, Hashable {
    /// Its id, which an agent that keeps a client's id of a message gets.
    public let id: RiffIdentifier
    /// The words, and after them the paths of its attachments on the agent's host, a line each.
    public let text: String
    /// When it is meant to be read.
    public let delivery: Prompt.Delivery

    /// Creates a prompt.
    package init(id: RiffIdentifier, text: String, delivery: Prompt.Delivery = .nextTurn) {
        self.id = id
        self.text = text
        self.delivery = delivery
    }
}

extension OutgoingPrompt: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Its id.
    public var description: String { "prompt \(id)" }
    /// Its id.
    public var debugDescription: String { description }
    /// Shows no member.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Whether an agent takes a prompt.
public enum PromptReadiness: Sendable, Hashable {
    /// It takes one.
    case ready
    /// A turn runs.
    case working
    /// It takes none now, for this reason: one sentence.
    case notNow(String)
    /// It never takes one this way, for this reason: one sentence.
    case never(String)
}

/// The outcome of handing a prompt over.
public enum PromptVerdict: Sendable, Hashable {
    /// The agent's record has it. The turn is the agent's id of it, empty if it tells none.
    case received(turn: String)
    /// Nothing was submitted, and it may be tried again when the agent is ready; the reason is one sentence.
    case notSent(String)
    /// The agent does not take it, and nothing was submitted; the reason is one sentence.
    case refused(String)
    /// The agent may have it; the evidence is one sentence.
    case uncertain(String)
}

/// The result of a look into the agent's records.
public enum PromptLook: Sendable, Hashable {
    /// The prompt, in this turn.
    case received(turn: String)
    /// All records since the mark, and not the prompt.
    case absent
    /// Nothing that decides it, for this reason: one sentence.
    case unknown(String)
}

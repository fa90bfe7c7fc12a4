// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffShare
internal import Synchronization

/// Hands prompts to an agent in a terminal by keys: a paste, a look at the composer, Return. The receipt is a line of
/// the agent's own record that was written after it.
///
/// Keys are judged by who types them: `readiness` and `submit` are the app's. Words in the middle of a turn are not
/// handed over this way, since an agent may queue them or cut its answer short.
public struct KeyPromptCarrier: PromptCarrier {
    /// Types a prompt and presses Return if the agent's composer shows it and nothing else.
    ///
    /// It calls the second argument before Return. ``RiffShare/PromptVerdict/received(turn:)`` means that the keys were
    /// taken; the record decides about the prompt.
    public typealias Submit =
        @Sendable (_ text: String, _ commit: @escaping @Sendable () async throws -> Void) async throws -> PromptVerdict

    /// Always `false`: keys in the middle of a turn may cut its answer short.
    public var takesThisTurn: Bool { false }
    /// Always `false`.
    public var worksWithoutClient: Bool { false }

    private let lookout: PromptLookout
    private let isKnown: Bool
    private let currentReadiness: @Sendable () async throws -> PromptReadiness
    private let submit: Submit
    private let clock: any Clock<Duration>
    /// How long a record may be behind the screen: Claude Code writes a prompt down up to 1.7 s late.
    private static let patience = Duration.seconds(4)
    private static let pause = Duration.milliseconds(200)

    /// Creates a carrier.
    ///
    /// - Parameters:
    ///   - agent: The kind of agent. Prompts for one whose records are not known are refused.
    ///   - record: Its record.
    ///   - clock: The clock for the wait for a receipt.
    ///   - readiness: Tells whether it takes a prompt now, by ``PromptReadiness(_:)`` of its report.
    ///   - submit: Types a prompt.
    public init(
        to agent: AgentKind,
        record: any PromptRecord,
        clock: any Clock<Duration> = ContinuousClock(),
        readiness: @escaping @Sendable () async throws -> PromptReadiness,
        submit: @escaping Submit
    ) {
        lookout = PromptLookout(agent: agent, record: record)
        isKnown = RecordedPrompts(agent: agent).isKnown
        self.clock = clock
        currentReadiness = readiness
        self.submit = submit
    }

    /// The app's answer; never ready for an agent whose records are not known.
    ///
    /// - Throws: What the app's closure throws.
    public func readiness() async throws -> PromptReadiness {
        guard isKnown else { return .never("What this agent takes cannot be proved, so nothing is typed into it.") }
        return try await currentReadiness()
    }

    /// The end of the record.
    ///
    /// - Throws: Why the record cannot be asked.
    public func mark() async throws -> String { try await lookout.mark() }

    /// Looks for a prompt in the record after a mark.
    ///
    /// - Throws: Why the record cannot be asked.
    public func look(for prompt: OutgoingPrompt, since mark: String) async throws -> PromptLook {
        guard let prompt = Self.typed(prompt) else { return .absent }
        return try await lookout.look(for: prompt, since: mark)
    }

    /// The prompt as a terminal gets it: control characters are never typed, so that no record has them. `nil` if
    /// nothing is left.
    private static func typed(_ prompt: OutgoingPrompt) -> OutgoingPrompt? {
        InertText.paste(prompt.text, bracketed: true).map {
            OutgoingPrompt(id: prompt.id, text: $0.text, delivery: prompt.delivery)
        }
    }

    /// Types a prompt, and waits 4 s for its line in the record.
    ///
    /// - Throws: What the app's closure throws, and why the record cannot be asked.
    public func handOver(
        _ prompt: OutgoingPrompt,
        commit: @escaping @Sendable () async throws -> Void
    ) async throws -> PromptVerdict {
        try Task.checkCancellation()
        guard let prompt = Self.typed(prompt) else { return .refused("The prompt has no words that can be typed.") }
        let mark = try await lookout.mark()
        switch try await submit(prompt.text, commit) {
        case .received: break
        case .uncertain(let evidence):
            // The keys are gone: only the record can tell.
            return try await receipt(of: prompt, since: mark) ?? .uncertain(evidence)
        case let verdict: return verdict
        }
        return try await receipt(of: prompt, since: mark)
            ?? .uncertain("The agent took the keys, and its record does not have the prompt so far.")
    }

    private func receipt(of prompt: OutgoingPrompt, since mark: String) async throws -> PromptVerdict? {
        var waited = Duration.zero
        while true {
            if case .received(let turn) = try await lookout.look(for: prompt, since: mark) {
                return .received(turn: turn)
            }
            guard waited < Self.patience else { return nil }
            try await clock.sleep(for: Self.pause)
            waited += Self.pause
        }
    }
}

extension PromptReadiness {
    /// Whether an agent takes a prompt, by its proved state. What is not proved is not ready.
    public init(_ report: AgentReport) {
        switch report.state {
        case .ready, .done, .interrupted, .failed:
            switch report.hasDraft {
            case false: self = .ready
            case true: self = .notNow("Words stand in the agent's composer.")
            case nil: self = .notNow("The agent's composer is not on its screen.")
            }
        case .working: self = .working
        case .starting: self = .notNow("The agent starts.")
        case .dialog(let name): self = .notNow("A dialog of the agent is open: \(name).")
        case .waiting: self = .notNow("The agent waits for an answer to a question.")
        case .exited: self = .notNow("The agent's process is over.")
        case .unknown(let reason): self = .notNow("What the agent does is not known: \(reason)")
        }
    }
}

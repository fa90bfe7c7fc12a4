// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import RiffSessions
internal import RiffTransport
public import RiffVoice

// sample: terminal: TerminalSession, sessions: SessionManager, recognizer: some SpeechRecognizer,
// feed: some AgentAnswerFeed, voice: AnswerVoice
/// Has the questions for permission that Claude Code shows answered by voice, and keeps words from being typed into
/// them.
///
/// ```swift
/// let approvals = ClaudeApprovals { try await terminal.write($0) }
/// let conversation = Conversation(
///     recognizer: recognizer, sink: approvals.guarding(sessions), feed: feed, voice: voice
/// ) { CommandAudioSource(.arecord()) }
/// await approvals.answer(by: conversation)
/// var screen = Screen(size: TerminalSize(columns: 80, rows: 24))
/// for await bytes in terminal.output {
///     screen.feed(bytes)
///     let rows = screen.visibleText.split(separator: "\n", omittingEmptySubsequences: false)
///     await approvals.look(rows.map(String.init))
/// }
/// ```
///
/// A question is bound to what stood on the screen when it was read out: where that has changed, no answer is given. It
/// is allowed by the number of the option that says no more than yes, and denied by Escape. What the host draws in the
/// moment in which a key is on its way to it, nobody here can know.
public actor ClaudeApprovals {
    private let clock: any Clock<Duration>
    private let settling: Duration
    private let write: @Sendable ([UInt8]) async throws -> Void
    private var conversation: Conversation?
    private var rows: [String] = []
    private var settled: Task<Void, Never>?
    private var asked: (prompt: ClaudePermissionPrompt, id: ApprovalRequest.ID)?
    private var lastNumber = 0

    /// Nothing is asked before ``answer(by:)``.
    ///
    /// - Parameters:
    ///   - settling: For how long the screen must have stood still: while it is drawn, half of a question stands there.
    ///   - clock: Measures that.
    ///   - write: Sends keys to the session whose screen it is.
    public init(
        settling: Duration = .milliseconds(250),
        clock: any Clock<Duration> = ContinuousClock(),
        write: @escaping @Sendable ([UInt8]) async throws -> Void
    ) {
        (self.settling, self.clock, self.write) = (settling, clock, write)
    }

    deinit { settled?.cancel() }

    /// Asks in a conversation from now on; `nil` asks nowhere.
    public func answer(by conversation: Conversation?) { self.conversation = conversation }

    /// Why the last answer did not reach the session; the question then stands on its screen.
    public private(set) var problem: Problem?

    /// Whether a question may stand on the screen.
    package var mayBeAsking: Bool { ClaudePermissionPrompt.mayStand(on: rows) }

    /// Takes the screen as it is, after each drawing.
    ///
    /// - Parameter rows: The rows that are visible, from the top.
    public func look(_ rows: [String]) {
        guard rows != self.rows else { return }
        self.rows = rows
        settled?.cancel()
        settled = Task { [clock, settling, weak self] in
            // Cancellation is the only error of a clock's sleep.
            guard (try? await clock.sleep(for: settling)) != nil else { return }
            await self?.settle()
        }
    }

    /// A sink for the conversation: it types nothing while a question stands on the screen, where a word could be its
    /// answer and Return is.
    public nonisolated func guarding(_ sink: any TextInjecting) -> any TextInjecting {
        PromptGuardedSink(sink: sink, approvals: self)
    }

    /// Sends Return, a moment behind the text before it, unless a question came up in that moment.
    fileprivate func submit() async throws {
        try await clock.sleep(for: SubmitPolicy.submit.delay)
        try requireSilence(PromptGuardedSink.standing)
        try await write([0x0D])
    }

    /// Throws where a question may stand on the screen.
    fileprivate func requireSilence(_ what: String) throws {
        guard mayBeAsking else { return }
        throw VoiceError(.permissionAsked, "Claude is asking for permission; \(what). Answer that first.")
    }

    private func settle() async {
        let prompt = ClaudePermissionPrompt.read(rows)
        guard prompt != asked?.prompt else { return }
        if let (_, id) = asked {
            asked = nil
            await conversation?.withdraw(id)
        }
        // Another screen may have come meanwhile.
        guard let prompt, prompt == ClaudePermissionPrompt.read(rows), asked == nil, let conversation else { return }
        lastNumber += 1
        let id = ApprovalRequest.ID(rawValue: "claude-\(lastNumber)")
        asked = (prompt, id)
        Task { await give(await conversation.ask(ApprovalRequest(id: id, question: prompt.spoken)), to: prompt, id) }
    }

    private func give(_ answer: SpokenApproval, to prompt: ClaudePermissionPrompt, _ id: ApprovalRequest.ID) async {
        guard asked?.id == id, ClaudePermissionPrompt.read(rows) == prompt else { return }
        let keys: [UInt8]
        switch answer {
        case .allowedOnce:
            // Nothing else is taken for it where no option says just that.
            guard let option = prompt.allowOnce else { return }
            keys = Array("\(option.number)".utf8)
        case .denied: keys = [0x1B]
        case .pending: return
        }
        do {
            try await write(keys)
            problem = nil
        } catch {
            problem = Problem(error)
        }
    }
}

private struct PromptGuardedSink: TextInjecting {
    let sink: any TextInjecting
    let approvals: ClaudeApprovals
    static let standing = "the words stand at its prompt, and were not submitted"

    var guardsQuestions: Bool { sink.guardsQuestions }

    func destination() async -> String? { await sink.destination() }

    func type(_ text: String, submit: Bool) async throws {
        try await approvals.requireSilence("nothing was typed")
        // A terminal presses Return itself: its gate is asked as well.
        if let terminal = sink as? any GuardedTyping {
            return try await terminal.typeSpoken(text, submit: submit) { [approvals] look, input in
                try SpokenTextGuard.allow(look, input)
                try await approvals.requireSilence(input == .words ? "nothing was typed" : Self.standing)
            }
        }
        try await sink.typeSpoken(text, submit: false)
        // A text without words types nothing, and no Return either.
        if submit, InertText.dictation(text) != nil { try await approvals.submit() }
    }
}

extension VoiceErrorCode {
    /// The agent is asking for permission on its screen, and what is typed there would be taken for the answer.
    public static let permissionAsked = VoiceError.Code(rawValue: "permissionAsked")
}

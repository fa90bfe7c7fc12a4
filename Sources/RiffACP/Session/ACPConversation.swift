// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// One session with an agent, kept as a chat view needs it: sends prompts, applies updates, holds questions until the
/// person answers them.
///
/// Give its ``handlers`` to ``withACPClient(_:configuration:handlers:_:)``, then call ``start(on:in:)``. ``updates()``
/// follows what there is to see.
public actor ACPConversation {
    var chat = ACPChat() {
        didSet { signal.signal() }
    }
    /// The chat's state.
    public var current: ACPChat { chat }
    /// The chat with the number of the change that made it: who waits for another number sees no chat twice.
    var numbered: (chat: ACPChat, change: UInt64) { (chat, signal.current) }

    let clock: any Clock<Duration>
    nonisolated let signal = ChangeSignal()
    private(set) var client: ACPClient?
    /// The session; `nil` before it was started.
    public private(set) var session: ACP.SessionID?
    /// The updates that came before the session's id was known: some agents send updates before they answer.
    private var early: [ACP.SessionNotification] = []
    private var answers: [Int: EventualValue<ACP.RequestPermissionOutcome>] = [:]
    private var nextQuestion = 0
    /// Turns that other clients of a kept agent began in this session, and since when they are shown.
    var others: [ACP.RequestID] = []
    var othersWatch: Stopwatch?
    nonisolated let othersChanged = ChangeSignal()
    /// The number of this client's prompts that run.
    private(set) var sending = 0

    /// A conversation that has not begun.
    ///
    /// - Parameters:
    ///   - session: A session that is open already, in an agent that was kept: its updates are applied from the first
    ///     one on. Then call ``follow(on:)`` instead of ``start(on:in:)``.
    ///   - clock: Measures turns.
    public init(following session: ACP.SessionID? = nil, clock: any Clock<Duration> = ContinuousClock()) {
        self.session = session
        self.clock = clock
    }

    /// The handlers that a client needs for the conversation; more can be added to them. They do not hold it: without
    /// it nothing is shown, and what the agent asks for is denied.
    public nonisolated var handlers: ACPClient.Handlers {
        // The client holds its handlers, and the conversation its client.
        var handlers = ACPClient.Handlers()
        handlers.update = { [weak self] in await self?.apply($0) }
        handlers.permission = { [weak self] question in
            guard let self else { return question.denial }
            return try await ask(question)
        }
        handlers.otherTurn = { [weak self] in await self?.take($0, $1) }
        return handlers
    }

    /// Begins a session.
    ///
    /// - Parameters:
    ///   - client: The connection.
    ///   - directory: Where the agent works: an absolute path where it runs.
    ///   - servers: MCP servers for the agent to connect to.
    /// - Throws: ``ACPError``; `CancellationError`.
    public func start(on client: ACPClient, in directory: String, servers: [ACP.MCPServer] = []) async throws {
        let response = try await client.newSession(in: directory, servers: servers)
        begin(client, response.sessionID, response.modes, response.configOptions, response.models)
    }

    /// Opens an earlier session. An agent that can load it sends its conversation again, which then stands in the place
    /// of what was shown; with one that cannot, what was shown stays.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - client: The connection.
    ///   - directory: Where the agent works: an absolute path where it runs.
    ///   - servers: MCP servers for the agent to connect to: agents do not remember those of the start.
    /// - Throws: ``ACPError``; `CancellationError`. The conversation is then as it was.
    public func open(
        _ session: ACP.SessionID,
        on client: ACPClient,
        in directory: String,
        servers: [ACP.MCPServer] = []
    ) async throws {
        let earlier = (session: self.session, transcript: chat.transcript)
        self.session = session
        do {
            if client.agent.agentCapabilities.loadSession {
                chat.transcript = ACPTranscript()
                let request = ACP.LoadSessionRequest(mcpServers: servers, cwd: directory, sessionID: session)
                let response = try await client.loadSession(request)
                begin(client, session, response.modes, response.configOptions, response.models)
            } else {
                let request = ACP.ResumeSessionRequest(sessionID: session, cwd: directory, mcpServers: servers)
                let response = try await client.resumeSession(request)
                begin(client, session, response.modes, response.configOptions, response.models)
            }
        } catch {
            (self.session, chat.transcript) = earlier
            throw error
        }
    }

    /// Continues the session that the conversation was made with; the agent is asked nothing.
    ///
    /// - Throws: ``ACPError`` with `invalidParameter` where it was made without one.
    public func follow(on client: ACPClient) throws(ACPError) {
        guard session != nil else {
            throw ACPError(.invalidParameter, "The conversation was not made with a session to follow.")
        }
        self.client = client
        takeTurns(of: client)
    }

    private func begin(
        _ client: ACPClient,
        _ session: ACP.SessionID,
        _ modes: ACP.SessionModeState?,
        _ options: [ACP.SessionConfigOption]?,
        _ models: ACP.SessionModelState?
    ) {
        self.client = client
        self.session = session
        chat.transcript.begin(modes: modes, options: options, models: models)
        for notification in early where notification.sessionID == session { chat.transcript.apply(notification.update) }
        early = []
        takeTurns(of: client)
    }

    // MARK: Turns

    /// Sends a prompt, and waits for the end of the turn. How it ended is in ``current``, an error too. While a turn
    /// runs that another client of a kept agent began, the prompt waits for its end.
    ///
    /// - Throws: `CancellationError` when the task is cancelled, which cancels the turn; ``ACPError`` with `closed`
    /// before the
    ///   session was started.
    public func send(_ text: String) async throws { try await send([.text(ACP.TextContent(text: text))]) }

    /// Sends a prompt of several parts, and waits for the end of the turn.
    public func send(_ content: [ACP.ContentBlock]) async throws {
        guard let client, let session else { throw ACPError(.closed, "The conversation was not started.") }
        try await waitForOthers()
        begin(content)
        sending += 1
        defer {
            sending -= 1
            // What became of this turn must be seen.
            if chat.problem == nil { showOthers() }
        }
        var response: ACP.PromptResponse?
        var failure: (any Error)?
        let stopwatch = Stopwatch(clock)
        do { response = try await client.prompt(content, in: session) } catch { failure = error }
        let duration = stopwatch.now.offset
        if let response { return chat.turnEnded(response.stopReason, tokens: response.usage, after: duration) }
        guard let failure, !(failure is CancellationError) else {
            chat.turnEnded(.cancelled, after: duration)
            throw CancellationError()
        }
        guard !isCancellation(failure) else { return chat.turnEnded(.cancelled, after: duration) }
        chat.turnFailed(failure, after: duration, details: client.diagnostics.suffix(10))
    }

    /// Whether an agent answers a cancelled turn with an error where the protocol has a reason to stop: by the number
    /// for it, or by any failure of its own once it was told to cancel.
    func isCancellation(_ failure: any Error) -> Bool {
        guard let code = (failure as? ACPError)?.answer?.code else { return false }
        return code == .requestCancelled || (code == .internalError && chat.transcript.turn == .cancelling)
    }

    /// In one change: a reader sees no turn that is neither the last one nor this one.
    private func begin(_ content: [ACP.ContentBlock]) {
        var next = chat
        next.problem = nil
        next.turnDuration = nil
        next.transcript.promptSent(content)
        chat = next
    }

    /// Cancels the turn. What the agent asked is answered so, and what is not finished counts as cancelled at once.
    public func cancel() {
        guard let client, let session, chat.isRunning else { return }
        chat.transcript.cancelled()
        client.cancel(session)
    }

    /// Puts the session into another mode.
    public func setMode(_ mode: ACP.SessionModeID) async throws {
        guard let client, let session else { throw ACPError(.closed, "The conversation was not started.") }
        try await client.setMode(mode, of: session)
        chat.transcript.modeChanged(mode)
    }

    /// Answers a question; one that is not open any more is left alone.
    public func answer(_ question: ACPChat.Question, with option: ACPPermissionQuestion.Option) {
        answers[question.id]?.resolve(question.permission.choosing(option))
    }

    // MARK: What comes

    private func apply(_ notification: ACP.SessionNotification) {
        guard let session else {
            if early.count < 1024 { early.append(notification) }
            return
        }
        if notification.sessionID == session { chat.transcript.apply(notification.update) }
    }

    private func ask(_ permission: ACPPermissionQuestion) async throws -> ACP.RequestPermissionOutcome {
        let question = ACPChat.Question(id: nextQuestion, permission: permission)
        nextQuestion += 1
        let answer = EventualValue<ACP.RequestPermissionOutcome>()
        answers[question.id] = answer
        chat.questions.append(question)
        defer {
            answers[question.id] = nil
            chat.questions.removeAll { $0.id == question.id }
        }
        return try await answer.cancellableValue()
    }

    // MARK: Following

    /// Returns the chat as it is to be shown, now and after each change; a reader that is slow gets the newest, not
    /// all. Ends with the reading task.
    public nonisolated func updates() -> some AsyncSequence<ACPChat, Never> & Sendable {
        ACPChats(conversation: self, changes: signal)
    }
}

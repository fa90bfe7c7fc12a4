// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport

// sample: host: any HostSession
/// A client of the server behind a Codex terminal: it tells the agent's state, gives it prompts and answers its
/// questions, while the terminal shows it all.
///
/// ```swift
/// let server = CodexServer(.folder("/home/me/project")) { try await host.openChannel("codex app-server proxy") }
/// async let end: Void = server.run()
/// for await status in server.updates() {
///     guard let question = status.questions.first else { continue }
///     print(question.summary, try await server.answer(question, with: .allow))
/// }
/// try await end
/// ```
///
/// A terminal that was started with `--no-daemon` has no server. Several clients may be connected; the first answer
/// to a question counts. The server speaks the app-server protocol of Codex 0.163.0.
public actor CodexServer {
    /// How long a connection stands that is made again at once.
    private static let proof = Duration.seconds(1)

    private let open: @Sendable () async throws -> any ByteChannel
    let clock: any Clock<Duration>
    private let observe: @Sendable (AgentObservation) async -> Void
    private let reconnect: ReconnectPolicy
    private let source = NewestStateSource(CodexStatus())
    private var machine: CodexMachine
    private var isRunning = false
    private var lastTicket: UInt64 = 0
    private var tickets: [UInt64: EventualValue<CodexMachine.Outcome>] = [:]
    private var outgoing: [[UInt8]] = []
    private let hasOutgoing = CoalescingSignal()
    /// The timers of the connection that stands.
    private var timers = OwnedTasks()

    /// Creates a client, which does nothing until ``run()``.
    ///
    /// - Parameters:
    ///   - thread: The conversation.
    ///   - clock: Measures waits and deadlines.
    ///   - observe: Gets what an ``AgentObserver`` takes, in order; the server waits for it.
    ///   - open: Starts `codex app-server proxy` and returns the channel to it, which the client closes. It is called
    ///     for each connection. The command needs `HOME` or `CODEX_HOME` and nothing else.
    public init(
        _ thread: CodexThread.Choice,
        clock: any Clock<Duration> = ContinuousClock(),
        observe: @escaping @Sendable (AgentObservation) async -> Void = { _ in },
        open: @escaping @Sendable () async throws -> any ByteChannel
    ) {
        // The first attempt after a loss is made at once: what was lost had worked.
        let reconnect = ReconnectPolicy(delays: [.zero] + ReconnectPolicy.standard.delays)
        self.init(thread, reconnect: reconnect, clock: clock, observe: observe, open: open)
    }

    /// Creates a client that makes a lost connection again by a policy.
    package init(
        _ thread: CodexThread.Choice,
        reconnect: ReconnectPolicy,
        clock: any Clock<Duration> = ContinuousClock(),
        observe: @escaping @Sendable (AgentObservation) async -> Void = { _ in },
        open: @escaping @Sendable () async throws -> any ByteChannel
    ) {
        self.open = open
        self.clock = clock
        self.observe = observe
        self.reconnect = reconnect
        machine = CodexMachine(thread)
    }

    /// The state as it is.
    public nonisolated var current: CodexStatus { source.current }

    /// The state as it is, then the newest one after each change; ends with the reading task.
    public nonisolated func updates() -> AsyncStream<CodexStatus> { source.updates() }

    /// Connects and keeps the connection: a lost one is made again at once, then after 1, 2, 4, 8 and 15 seconds, and
    /// then every 15 seconds. Ends with its task.
    ///
    /// - Throws: ``AgentError`` with `noServer` if no server runs there, also if one did before; with `serverFailed` if
    ///   what answers is no such server or too old. What `open` throws, unless the host's connection was lost.
    ///   `CancellationError`. It can be called again after each. `CoreError` with `hasReader` while it runs already.
    public func run() async throws {
        guard !isRunning else { throw CoreError.hasReader("Codex's server") }
        isRunning = true
        defer { isRunning = false }
        let stopwatch = Stopwatch(clock)
        var attempt = 0
        while true {
            let start = stopwatch.now
            var reason = ""
            do {
                reason = try await connect()
                // One that ends at once proves nothing, and would be made again and again.
                if start.duration(to: stopwatch.now) >= Self.proof { attempt = 0 }
            } catch let error as TransportError where error.isLoss {
                reason = error.message
            } catch {
                await lose("")
                throw error
            }
            await lose(reason)
            attempt += 1
            try await clock.sleep(for: reconnect.delay(beforeAttempt: attempt))
        }
    }

    /// One connection from its beginning to its loss.
    ///
    /// - Returns: Why it was lost.
    private func connect() async throws -> String {
        let channel = try await open()
        let result: Result<String, any Error>
        do { result = .success(try await converse(over: channel)) } catch { result = .failure(error) }
        await channel.abort()
        return try result.get()
    }

    private func converse(over channel: any ByteChannel) async throws -> String {
        guard let socket = try await CodexHandshake.open(channel, clock: clock) else {
            throw await CodexHandshake.refusal(of: channel, clock: clock)
        }
        timers = OwnedTasks()
        outgoing = []
        await handle(.opened)
        let timers = timers
        let result: Result<String, any Error>
        do {
            result = try await withThrowingTaskGroup(of: String.self) { group in
                group.addTask { try await self.read(socket) }
                group.addTask { try await self.write(socket) }
                defer { group.cancelAll() }
                return .success(try await group.next() ?? "")
            }
        } catch let error as TransportError where error.isLoss || error.code == .closed {
            // It stood: the next attempt is the first one again.
            result = .success(error.message)
        } catch {
            result = .failure(error)
        }
        await timers.end()
        return try result.get()
    }

    private func read(_ socket: ChannelWebSocket) async throws -> String {
        while let message = try await socket.receive() {
            guard case .text(let text) = message, let json = try? JSONValue(parsing: text) else {
                // Counted with all that makes no sense.
                await handle(.message(.null))
                continue
            }
            await handle(.message(json))
        }
        return "Codex's server closed the connection."
    }

    private func write(_ socket: ChannelWebSocket) async throws -> String {
        while true {
            try await hasOutgoing.wait()
            while !outgoing.isEmpty { try await socket.send(String(decoding: outgoing.removeFirst(), as: UTF8.self)) }
        }
    }

    private func lose(_ reason: String) async {
        await handle(.lost(reason))
        outgoing = []
    }

    // MARK: Machine

    private func handle(_ event: CodexMachine.Event) async {
        await perform(machine.handle(event))
    }

    private func perform(_ effects: [CodexMachine.Effect]) async {
        publish()
        var observations: [AgentObservation] = []
        for effect in effects {
            switch effect {
            case .send(let bytes):
                outgoing.append(bytes)
                hasOutgoing.send()
            case .tell(let json): observations.append(.serverMessage(json.bytes()))
            case .tellLost: observations.append(.serverLost)
            case .wake(let timer, let connection, let delay):
                timers.run { [clock, weak self] in
                    guard (try? await clock.sleep(for: delay)) != nil else { return }
                    await self?.handle(.wake(timer, connection: connection))
                }
            case .end(let ticket, let outcome): tickets.removeValue(forKey: ticket)?.resolve(outcome)
            }
        }
        for observation in observations { await observe(observation) }
    }

    private func publish() {
        let status = machine.status
        source.modify { current in
            guard current != status else { return false }
            current = status
            return true
        }
    }

    /// Makes a call and waits for its end.
    func ask(
        within limit: Duration,
        _ make: (inout CodexMachine, UInt64) -> [CodexMachine.Effect]
    ) async throws -> CodexMachine.Outcome {
        lastTicket += 1
        let ticket = lastTicket
        let end = EventualValue<CodexMachine.Outcome>()
        tickets[ticket] = end
        await perform(make(&machine, ticket))
        defer {
            tickets[ticket] = nil
            machine.forget(ticket)
        }
        return try await withDeadline(limit, clock: clock) { try await end.cancellableValue() }
    }
}

extension TransportError {
    /// Whether a new connection may do better.
    fileprivate var isLoss: Bool { code == .connectionLost || code == .notConnected || code == .timeout }
}

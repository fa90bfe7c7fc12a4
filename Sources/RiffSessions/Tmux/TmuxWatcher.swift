// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffTransport

// sample: host: SSHHost
/// Watches a host's tmux server over the host's own connection, and tells its sessions and their modes as they change.
///
/// It is one client in control mode: it changes no window's size, counts nowhere as a viewer, never starts a server,
/// and neither makes nor ends a session. It comes back with the link. A server that cannot be watched (none is there,
/// or it is older than tmux 3.2) is asked again later, and ``nudge()`` asks at once. On a connection that has gone
/// silent, what was told last stands until the link finds that out, as it does at once when the app comes to the
/// foreground.
///
/// ```swift
/// let watcher = TmuxWatcher(host)
/// await watcher.start()
/// for await state in watcher.updates() { print(state.sessions.map(\.name), state.modes) }
/// ```
public actor TmuxWatcher: TmuxWatching {
    private nonisolated let source = StateSource(TmuxServerState())
    private let link: any TmuxWatchLink
    private let clock: any Clock<Duration>
    private var machine: TmuxWatchMachine
    private var following: Task<Void, Never>?
    private var timer: Task<Void, Never>?
    private var channel: (task: Task<Void, Never>, input: BytePipe)?
    /// Which channel is the current one; what others still tell is not listened to.
    private var channelNumber = 0
    private var isOver = false

    /// A watcher; nothing happens before ``start()``.
    ///
    /// - Parameters:
    ///   - host: The host. It is never dialed for this: while nobody wants a connection, nothing is watched.
    ///   - server: The tmux server.
    ///   - base: The session to attach to where it is there; another one otherwise.
    ///   - clock: Measures waits.
    public init(
        _ host: any TerminalHost,
        server: TmuxServer = TmuxServer(),
        base: SessionName = .base,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(link: sessionsLink(of: host).watching, server: server, base: base, clock: clock)
    }

    package init(link: any TmuxWatchLink, server: TmuxServer, base: SessionName, clock: any Clock<Duration>) {
        self.link = link
        self.clock = clock
        machine = TmuxWatchMachine(server, base: base)
    }

    deinit {
        following?.cancel()
        timer?.cancel()
        channel?.task.cancel()
    }

    /// The state as it is.
    public nonisolated var current: TmuxServerState { source.current }

    /// The state as it is, then each change; ends with ``close()``.
    public nonisolated func updates() -> AsyncStream<TmuxServerState> { source.updates() }

    /// Begins; a second call changes nothing.
    public func start() {
        guard following == nil, !isOver else { return }
        following = Task { [weak self, link] in
            await link.follow { [weak self] isUp in await self?.handle(isUp ? .linkUp : .linkDown) }
        }
    }

    /// Asks the server at once, also if it could not be watched before: the caller knows that it is there now.
    package func nudge() { handle(.nudged) }

    /// Ends it, and returns when its channel is closed.
    public func shutdown() async {
        isOver = true
        let tasks = [following, timer, channel?.task].compactMap(\.self)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        source.update(TmuxServerState(status: .unavailable("The server is not watched any more.")))
        source.finish()
    }

    // MARK: The machine

    private func handle(_ event: TmuxWatchMachine.Event) {
        guard !isOver else { return }
        let effects = machine.handle(event)
        if machine.state != source.current { source.update(machine.state) }
        for effect in effects { perform(effect) }
    }

    private func perform(_ effect: TmuxWatchMachine.Effect) {
        switch effect {
        case .open(let command): open(command)
        case .send(let line): channel?.input.offer(Array(line.utf8))
        case .close: channel?.task.cancel()
        case .startTimer(let delay):
            timer?.cancel()
            timer = Task { [weak self, clock] in
                // Cancellation is the only error of a clock's sleep.
                guard (try? await clock.sleep(for: delay)) != nil else { return }
                await self?.timerFired()
            }
        case .cancelTimer:
            timer?.cancel()
            timer = nil
        }
    }

    /// A timer that was replaced after it ran out, and before this could be told, does not count.
    private func timerFired() {
        guard !Task.isCancelled else { return }
        handle(.timerFired)
    }

    private func open(_ command: TmuxCommand) {
        channel?.task.cancel()
        channelNumber += 1
        let number = channelNumber
        let input = BytePipe()
        let task = Task { [weak self, link] in
            let end = await Self.conduct(command, on: link, input: input) { [weak self] event in
                await self?.handle(.received(event), from: number)
            }
            await self?.handle(end, from: number)
        }
        channel = (task, input)
    }

    private func handle(_ event: TmuxWatchMachine.Event, from number: Int) {
        if number == channelNumber { handle(event) }
    }

    // MARK: The channel

    /// Runs the call to its end.
    ///
    /// - Returns: Its end, with what it wrote that was not control mode, or why it could not be run.
    @concurrent
    private static func conduct(
        _ command: TmuxCommand,
        on link: any TmuxWatchLink,
        input: BytePipe,
        tell: @Sendable (ControlModeEvent) async -> Void
    ) async -> TmuxWatchMachine.Event {
        let channel: any ByteChannel
        do {
            channel = try await link.openChannel(try command.controlLine())
        } catch {
            let isLost = (error as? TransportError).map { HostLink.isRetryable($0) } ?? false
            return .ended(diagnostics: Problem(error).message, isLost: isLost)
        }
        let words = await withTaskGroup(of: Void.self) { group in
            group.addTask {
                do { while let bytes = try await input.next() { try await channel.write(bytes) } } catch {
                    // The channel's end shows in its output.
                }
            }
            let words = await read(channel, tell: tell)
            group.cancelAll()
            return words
        }
        await channel.close()
        return .ended(diagnostics: words)
    }

    private static func read(_ channel: any ByteChannel, tell: (ControlModeEvent) async -> Void) async -> String {
        var parser = ControlModeParser()
        var words = ""
        do {
            for try await bytes in channel.output {
                for event in parser.feed(bytes) {
                    if case .chatter(let line) = event {
                        if words.utf8.count < wordLimit { words += line + "\n" }
                    } else {
                        await tell(event)
                    }
                }
            }
            for try await bytes in channel.diagnostics where words.utf8.count < wordLimit {
                words += String(decoding: bytes, as: UTF8.self)
            }
        } catch {
            // A cut is an end as any other; the link knows what became of the connection.
        }
        return words
    }

    /// The bytes that are kept of output that is not control mode; a single piece may exceed them.
    private static let wordLimit = 4096
}

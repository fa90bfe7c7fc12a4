// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffTransport

/// The looks at one host: one channel for as long as its link stands, and no look while it does not.
actor BoardHost {
    private static let delays: [Duration] = [2, 5, 15, 30, 60].map { .seconds($0) }

    nonisolated let name: String
    private let session: any HostSession
    private let socket: TmuxSocket
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch
    private let pace: BoardPace
    private let changed: @Sendable (AgentBoardSnapshot.Host, [AgentListing]) async -> Void
    private let wake = CoalescingSignal()
    private var machine: BoardMachine
    private var condition: AgentBoardSnapshot.Host
    private var failures = 0
    /// Whether the link is waited for: it does not stand, and is not made to.
    private var isAway = true
    private var waiting: [EventualValue<Void>] = []

    init(
        name: String,
        _ session: any HostSession,
        socket: TmuxSocket,
        adapters: [AgentAdapter],
        pace: BoardPace,
        clock: any Clock<Duration>,
        changed: @escaping @Sendable (AgentBoardSnapshot.Host, [AgentListing]) async -> Void
    ) {
        self.name = name
        self.session = session
        self.socket = socket
        self.clock = clock
        self.pace = pace
        self.changed = changed
        stopwatch = Stopwatch(clock)
        machine = BoardMachine(host: name, adapters: adapters)
        condition = AgentBoardSnapshot.Host(name: name)
    }

    /// Looks until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                try await follow()
            } catch {
                guard !Task.isCancelled else { break }
                condition.problem = Problem(error)
                condition.isFresh = false
                await tell()
                answer()
                let delay = Self.delays[min(failures, Self.delays.count - 1)]
                failures += 1
                guard (try? await pause(delay)) != nil else { break }  // Only cancellation ends a pause like this.
            }
        }
        answer()
        condition.isFresh = false
        isAway = true
    }

    /// Looks now, and returns when that is over; at once while the link does not stand.
    func refresh() async throws {
        guard !isAway else { return }
        let looked = EventualValue<Void>()
        waiting.append(looked)
        wake.send()
        try await looked.cancellableValue()
    }

    private func follow() async throws {
        isAway = true
        // Who asked for a look before the link was known to be away waits no longer than this.
        let impatience = Task { [weak self, clock] in
            // Cancellation is the only error of a clock's sleep.
            if (try? await clock.sleep(for: .seconds(1))) != nil { await self?.answer() }
        }
        defer { impatience.cancel() }
        let host = try await session.withoutWaking()
        impatience.cancel()
        isAway = false
        let mark = BoardScript.mark()
        let raw = try await host.openChannel(try BoardScript.line(mark: mark, socket: socket))
        let channel = BoardChannel(raw, mark: mark, host: name, clock: clock)
        machine.reconnect()
        let result: Result<Void, any Error>
        do { result = .success(try await look(through: channel)) } catch { result = .failure(error) }
        await Task { await channel.close() }.value
        try result.get()
    }

    private func look(through channel: BoardChannel) async throws {
        while true {
            let asked = waiting
            waiting = []
            do {
                machine.begin()
                while let request = machine.next() {
                    let rows = try await channel.ask(request)
                    machine.take(rows, to: request, at: stopwatch.now.offset)
                }
            } catch {
                for looked in asked { looked.resolve(()) }
                throw error
            }
            machine.advance(to: stopwatch.now.offset)
            failures = 0
            condition.isFresh = true
            condition.problem = nil
            condition.lacks = machine.lacks
            await tell()
            for looked in asked { looked.resolve(()) }
            try await pause(interval)
        }
    }

    private var interval: Duration {
        let interval = machine.isAtRest ? pace.rest : pace.busy
        guard let deadline = machine.deadline else { return interval }
        // What was in doubt is looked at again when the doubt is over.
        return min(interval, max(deadline - stopwatch.now.offset, .milliseconds(250)))
    }

    /// Waits for a time, or for a refresh.
    private func pause(_ time: Duration) async throws {
        guard waiting.isEmpty else { return }
        do {
            try await withDeadline(time, clock: clock) { [wake] in try await wake.wait() }
        } catch is DeadlineExceeded {
            return
        }
    }

    private func tell() async { await changed(condition, machine.listings) }

    private func answer() {
        for looked in waiting { looked.resolve(()) }
        waiting = []
    }
}

/// The time between two looks.
package struct BoardPace: Sendable {
    /// While an agent works.
    package var busy: Duration
    /// While none does.
    package var rest: Duration

    /// Creates a pace; without arguments, the board's own.
    package init(busy: Duration = .seconds(2), rest: Duration = .seconds(20)) {
        self.busy = busy
        self.rest = rest
    }
}

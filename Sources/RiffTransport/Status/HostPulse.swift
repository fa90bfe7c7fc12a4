// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import Synchronization

// sample: host: SSHHost, disk: @escaping @Sendable () async throws -> Problem?
/// Keeps a host's status true: follows its link, and asks the host at intervals how it is. It never wakes a link that
/// was ended or suspended, nor hurries one that comes back by itself; who wants it dialed, dials.
///
/// ```swift
/// let pulse = HostPulse(of: host) { try await disk() }
/// let task = Task { try await pulse.run() }
/// for await status in pulse.updates() { show(status) }
/// ```
public final class HostPulse: Sendable {
    private let machine: Mutex<HostStatusMachine>
    private let link: HostLink?
    private let interval: Duration
    private let limit: Duration
    private let clock: any Clock<Duration>
    private let question: @Sendable () async throws -> Problem?
    private let source: StateSource<HostStatus>

    /// The pulse of a host.
    ///
    /// - Parameters:
    ///   - host: A host reached by SSH; `nil` is this machine.
    ///   - interval: How long is waited between two questions.
    ///   - limit: How long an answer may take.
    ///   - clock: Measures both.
    ///   - question: Asks the host how it is: returns the problem that it has, `nil` for none, and throws if it does
    ///     not answer. A command that does nothing unless given.
    public init(
        of host: SSHHost?,
        every interval: Duration = .seconds(15),
        limit: Duration = .seconds(10),
        clock: any Clock<Duration> = ContinuousClock(),
        question: (@Sendable () async throws -> Problem?)? = nil
    ) {
        let machine = HostStatusMachine(isLocal: host == nil)
        self.machine = Mutex(machine)
        source = StateSource(machine.status)
        link = host?.link
        self.interval = interval
        self.limit = limit
        self.clock = clock
        self.question =
            question ?? {
                _ = try await host?.files.run("true", timeout: limit)
                return nil
            }
    }

    /// The status now.
    public var current: HostStatus { source.current }

    /// The status now, then each change; a slow reader misses some of them, never the newest.
    public func updates() -> AsyncStream<HostStatus> { source.updates() }

    /// Follows the link and asks, until the task is cancelled.
    ///
    /// - Throws: `CancellationError`.
    public func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            if let link {
                group.addTask { [self] in
                    for await state in link.updates() { change { $0.link(state.connection, problem: state.problem) } }
                }
            }
            group.addTask { [self] in
                while true {
                    if mayAsk {
                        let beat = try await beat()
                        change { $0.take(beat) }
                    }
                    try await clock.sleep(for: interval)
                }
            }
            try await group.waitForAll()
        }
        try Task.checkCancellation()
    }

    private var mayAsk: Bool {
        guard let state = link?.current else { return true }
        switch state.connection {
        case .idle, .connecting, .connected: return true
        case .reconnecting, .disconnected(.deliberate), .disconnected(.suspended): return false
        // Trying again with what was refused could get the address locked out.
        case .disconnected(.failed): return state.problem.map(HostLink.isRetryable) ?? true
        }
    }

    private func beat() async throws -> ProbeResult {
        let watch = Stopwatch(clock)
        do {
            let cause = try await withDeadline(limit, clock: clock, abandoning: question)
            let time = watch.now.offset
            return cause.map { .degraded($0, time) } ?? .healthy(time)
        } catch is CancellationError {
            throw CancellationError()
        } catch is DeadlineExceeded {
            let message = "The host did not answer in \(limit)."
            return .unanswered(.init(code: "transport.timeout", message: message, recovery: .retry))
        } catch let error as any RiffError {
            return .unanswered(.init(error))
        } catch {
            return .unanswered(.init(code: "transport.failed", message: "The host could not be asked: \(error)"))
        }
    }

    private func change(_ body: (inout HostStatusMachine) -> Void) {
        let status = machine.withLock { machine in
            body(&machine)
            return machine.status
        }
        if status != source.current { source.update(status) }
    }
}

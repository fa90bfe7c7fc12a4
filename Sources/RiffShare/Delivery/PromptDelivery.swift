// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

// sample: outbox: PromptOutbox, carrier: any PromptCarrier
/// Hands the prompts of one agent over, one after another, each once.
///
/// A prompt is noted as handed over before the first byte of it leaves. Whatever is cut off after that point ends in a
/// look into the agent's own records, and if they do not decide it, the prompt is uncertain: it holds up those behind
/// it until the user looks again, sends it again or forgets it. Of all processes that share the outbox one delivers.
///
/// ```swift
/// let delivery = PromptDelivery(outbox, to: "work/riff", by: carrier)
/// try await outbox.add("Fix the build.", to: "work/riff")
/// await delivery.wake()
/// ```
///
/// Nothing is polled: call ``wake()`` when a prompt was added and when the agent's state changed.
public actor PromptDelivery {
    /// The state of a delivery, for a front end to show. The prompts' own states are in ``PromptOutbox/State``.
    public struct State: Sendable, Hashable {
        /// Whether prompts are being handed over now.
        public var isDelivering = false
        /// Whether another process, or another delivery here, hands this agent's prompts over.
        public var isElsewhere = false
        /// Why the last run ended early; `nil` if nothing went wrong.
        public var problem: Problem?
    }

    /// The agent, by the app's own name for it.
    public nonisolated let agent: String
    package nonisolated let outbox: PromptOutbox
    let carrier: any PromptCarrier
    let attachmentCarrier: (any ShareCarrier)?
    private nonisolated let source = StateSource(State())
    private var machine = PromptDeliveryMachine()
    private var run: Task<Void, Never>?

    /// Creates a delivery; nothing happens before the first ``wake()``.
    ///
    /// - Parameters:
    ///   - outbox: The prompts.
    ///   - agent: The agent, by the name under which its prompts were added.
    ///   - carrier: The way to the agent.
    ///   - attachments: The way of attachments to the agent's host; without one, prompts with attachments are refused.
    public init(
        _ outbox: PromptOutbox,
        to agent: String,
        by carrier: any PromptCarrier,
        attachments: (any ShareCarrier)? = nil
    ) {
        self.outbox = outbox
        self.agent = agent
        self.carrier = carrier
        attachmentCarrier = attachments
    }

    deinit { run?.cancel() }

    /// The state now.
    public nonisolated var current: State { source.current }

    /// The state now, then each change.
    public nonisolated func updates() -> AsyncStream<State> { source.updates() }

    /// Looks after the prompts, in the background: a prompt was added, or the agent's state is another one.
    public func wake() { handle(.changed) }

    /// Goes on after ``background()``.
    public func foreground() { handle(.foregrounded) }

    /// Cuts a hand-over short and returns when the outbox is free: call it before the app sleeps, and at the end. A
    /// prompt that was being submitted at that moment is looked for at the next ``foreground()``.
    public func background() async {
        handle(.suspended)
        await run?.value
    }

    /// Returns when nothing is being handed over.
    public func finished() async { while machine.isRunning { await run?.value } }

    private func handle(_ event: PromptDeliveryMachine.Event) {
        for effect in machine.handle(event) {
            switch effect {
            case .run: run = Task { [weak self] in await self?.deliver() }
            case .cancel: run?.cancel()
            }
        }
    }

    private func deliver() async {
        source.update(State(isDelivering: true))
        var end = State()
        do {
            if let lease = try await outbox.lease(of: agent) {
                try await outbox.tidy()
                try await work()
                withExtendedLifetime(lease) {}
            } else {
                end.isElsewhere = true
            }
        } catch is CancellationError {
            // What was cut short has not failed.
        } catch {
            end.problem = Problem(error)
        }
        source.update(end)
        handle(.ended)
    }

    private func work() async throws {
        var policy = PromptQueuePolicy()
        while true {
            try Task.checkCancellation()
            let prompts = try await outbox.refresh().prompts.filter { $0.agent.isSame(bytes: agent) }
            switch policy.step(prompts) {
            case .none, .held: return
            case .settle(let prompt): try await settle(prompt)
            case .look(let prompt):
                policy.lookedAt.insert(prompt.id)
                try await reconsider(prompt)
            case .handOver(let prompt): guard try await attempt(prompt) else { return }
            }
        }
    }
}

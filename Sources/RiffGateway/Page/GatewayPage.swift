// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

// sample: gateway: ChatGateway, session: GatewaySession
/// A gateway as one model for a page: health, models, providers, limits, costs, speech, and the chosen model.
///
/// ```swift
/// let page = GatewayPage(gateway, session: session)
/// let looking = Task { await page.run() }  // in SwiftUI: .task { await page.run() }
/// for await state in page.updates() { show(state.models.value ?? [], state.choice?.warning ?? "") }
/// looking.cancel()
/// ```
///
/// The gateway is asked only while ``run()`` runs, and at ``refresh()``: health every 15 s, limits and costs every
/// 60 s, the rest every 10 minutes. A part that cannot be asked keeps its last answer, with the problem beside it.
public actor GatewayPage {
    private typealias Part = GatewayPagePolicy.Part

    private nonisolated let source: StateSource<State>
    private let gateway: ChatGateway
    private let session: GatewaySession?
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch
    private var policy = GatewayPagePolicy()
    private var choosing: Task<Void, Never>?

    /// Creates a page; nothing is asked yet.
    ///
    /// - Parameters:
    ///   - gateway: The gateway.
    ///   - session: The session whose model is chosen here; `nil` if the model is named in each request alone.
    ///   - model: The id of the model that was chosen before.
    ///   - clock: Measures the time between two looks.
    public init(
        _ gateway: ChatGateway,
        session: GatewaySession? = nil,
        model: String? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.gateway = gateway
        self.session = session
        self.clock = clock
        stopwatch = Stopwatch(clock)
        source = StateSource(State(model: model))
    }

    deinit { choosing?.cancel() }

    /// The state now.
    public nonisolated var current: State { source.current }

    /// The state now, then each change.
    ///
    /// - Returns: A sequence of its own for each caller; slow readers get the newest state.
    public nonisolated func updates() -> AsyncStream<State> { source.updates() }

    /// Keeps the page fresh until its task is cancelled. Several may run: each part is asked by one of them.
    public func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                let now = stopwatch.now.offset
                for part in policy.due(at: now) {
                    policy.begin(part, at: now)
                    group.addTask { await self.ask(part) }
                }
                // Never at once again, whatever the clock says.
                let pause = max(policy.next - stopwatch.now.offset, .milliseconds(100))
                do { try await clock.sleep(for: pause) } catch { break }
            }
            group.cancelAll()
        }
    }

    /// Asks for everything at once, and returns when all is answered or failed.
    public func refresh() async {
        let now = stopwatch.now.offset
        await withDiscardingTaskGroup { group in
            for part in Part.allCases {
                policy.begin(part, at: now)
                group.addTask { await self.ask(part) }
            }
        }
    }

    // MARK: The parts

    private func ask(_ part: Part) async {
        switch part {
        case .health: await ask(part, \.health) { try await $0.health() }
        case .models: await ask(part, \.models) { try await $0.models() }
        case .providers: await ask(part, \.providers) { try await $0.providers() }
        case .limits: await ask(part, \.limits) { try await Self.limits(of: $0) }
        case .costs:
            await ask(part, \.costs) { gateway in
                async let today = gateway.costs(days: 1)
                async let week = gateway.costs(days: 7)
                return CostUsage.Summary(today: try await today, week: try await week)
            }
        case .voice: await ask(part, \.voice) { try await $0.voice() }
        }
    }

    /// The limits that the gateway tells at once; where it tells none so, those of each provider.
    private static func limits(of gateway: ChatGateway) async throws -> [RateLimits] {
        let all = try await gateway.rateLimits()
        guard all.isEmpty else { return all }
        var limits: [RateLimits] = []
        // One after another, and not all of a list that a stranger made long.
        for provider in try await gateway.providers().prefix(20) {
            limits += try await gateway.rateLimits(of: provider.id)
        }
        return limits
    }

    private func ask<Value>(
        _ part: Part,
        _ place: any WritableKeyPath<State, GatewayPart<Value>> & Sendable,
        _ question: @Sendable (ChatGateway) async throws -> Value
    ) async {
        update { $0[keyPath: place].isLoading = true }
        do {
            let value = try await question(gateway)
            update { $0[keyPath: place] = GatewayPart(value: value) }
        } catch {
            let isGivenUp = error is CancellationError || Task.isCancelled
            if isGivenUp { policy.abandon(part) }
            update { state in
                state[keyPath: place].isLoading = false
                if !isGivenUp { state[keyPath: place].problem = Problem(error) }
            }
        }
    }

    private nonisolated func update(_ change: (inout State) -> Void) {
        source.update { state in
            var state = state
            change(&state)
            return state
        }
    }

    // MARK: The model

    /// Chooses a model for what is asked from now on, and asks it for one token to see who answers. A choice that is
    /// made meanwhile ends this one.
    ///
    /// The outcome is in ``State/choice``: a warning if another model answers, a problem if none does. If the gateway
    /// refuses the model, ``State/model`` stays as it was. Hosts that ignore the limit of one token run a whole turn
    /// for it: call it only for what a person chose.
    ///
    /// - Parameter name: A model's id, or an unmistakable part of one, as people type it.
    public func choose(_ name: String) async {
        choosing?.cancel()
        let model = GatewayModel.find(name, in: current.models.value ?? [])?.id ?? name
        update { $0.choice = Choice(model) }
        let task = Task { [gateway, session] in
            let outcome = await Self.probe(model, gateway, session)
            guard !Task.isCancelled else { return }
            self.finish(outcome)
        }
        choosing = task
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// A choice, and whether the gateway took it.
    private typealias Outcome = (choice: Choice, isTaken: Bool)

    private func finish(_ outcome: Outcome) {
        update { state in
            state.choice = outcome.choice
            if outcome.isTaken { state.model = outcome.choice.model }
        }
    }

    private static func probe(
        _ model: String,
        _ gateway: ChatGateway,
        _ session: GatewaySession?
    ) async -> Outcome {
        var choice = Choice(model)
        choice.isProbing = false
        do {
            if let session { try await gateway.use(model: model, in: session) }
        } catch let error as GatewayError where error.code == .unsupported {
            // The model is named in each request all the same.
        } catch {
            choice.problem = Problem(error)
            return (choice, false)
        }
        do {
            let probe = try await gateway.probe(model, in: session)
            choice.answered = probe.answered.map(InertText.line)
            choice.warning = probe.warning
        } catch {
            choice.problem = Problem(error)
        }
        return (choice, true)
    }
}

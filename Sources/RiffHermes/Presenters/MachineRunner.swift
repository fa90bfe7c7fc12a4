// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// A machine with the hands to do what it says: takes events, performs effects, and gives out answers.
package actor MachineRunner<Machine: HomeMachine>: LiveRunner {
    /// Performs an effect, and returns the event that it ended with; `nil` if there is none.
    package typealias Performer = @Sendable (Machine.Effect) async -> Machine.Event?

    /// An event that waits for its turn, and the calls that wait for what it leads to.
    private struct Turn {
        let event: Machine.Event
        var calls: [EventualValue<Void>]
    }

    package nonisolated let source: StateSource<HermesAnswer<Machine.Question, Machine.Value>>
    private var machine: Machine
    private var isShown = false
    /// A call waits for each of them, so that there are no more than callers.
    private var waiting: [Turn] = []
    private let tasks = OwnedTasks()
    private let perform: Performer

    package init(_ machine: Machine, perform: @escaping Performer) {
        self.machine = machine
        self.perform = perform
        source = StateSource(machine.answer)
    }

    package func show(_ question: Machine.Question?) async {
        let resumes = !isShown
        isShown = true
        if let question { await send(Machine.asked(question)) }
        if resumes, let paused = Machine.paused { await send(paused.end) }
        guard resumes || machine.answer.value == nil, let event = Machine.refreshed else { return }
        // What was not begun is for the next one who looks.
        if await !take(event) { isShown = false }
    }

    package func pause() async {
        isShown = false
        if let paused = Machine.paused { await send(paused.begin) }
    }

    package func more() {}

    package func refresh() async {
        if let event = Machine.refreshed { await send(event) }
    }

    /// Takes an event; returns when all that it led to is done, or when the calling task is cancelled. What was begun
    /// then goes on; what still waits for its turn is given up.
    package func send(_ event: Machine.Event) async { _ = await take(event) }

    /// - Returns: Whether the event had its turn.
    private func take(_ event: Machine.Event) async -> Bool {
        machine.note(event)
        let call = EventualValue<Void>()
        var turn = Turn(event: event, calls: [call])
        if let index = waiting.firstIndex(where: { Machine.replaces(event, $0.event) }) {
            turn.calls += waiting.remove(at: index).calls
        }
        waiting.append(turn)
        proceed()
        do {
            try await call.cancellableValue()
            return true
        } catch {
            return !giveUp(call)
        }
    }

    /// Handles the events whose turn it is, in order.
    private func proceed() {
        while let index = waiting.firstIndex(where: { machine.accepts($0.event) }) {
            let turn = waiting.remove(at: index)
            let effects = machine.handle(turn.event)
            guard !effects.isEmpty else {
                for call in turn.calls { call.resolve(()) }
                continue
            }
            // A view that goes away cancels its task, and what it began is still wanted by others, or half done.
            tasks.run { await self.finish(effects, turn.calls) }
        }
        source.update(machine.answer)
    }

    private func finish(_ effects: [Machine.Effect], _ calls: [EventualValue<Void>]) async {
        var effects = effects[...]
        while let effect = effects.popFirst() {
            guard let event = await perform(effect) else { continue }
            effects += machine.handle(event)
            proceed()
        }
        for call in calls { call.resolve(()) }
    }

    /// - Returns: Whether the call was still waiting for its turn.
    private func giveUp(_ call: EventualValue<Void>) -> Bool {
        guard let index = waiting.firstIndex(where: { $0.calls.contains { $0 === call } }) else { return false }
        waiting[index].calls.removeAll { $0 === call }
        if waiting[index].calls.isEmpty { waiting.remove(at: index) }
        return true
    }
}

extension HermesLive {
    /// Creates the presenter of a machine, with the function that performs its effects; a machine may have none.
    package init<Machine: HomeMachine>(
        _ machine: Machine,
        perform: @escaping MachineRunner<Machine>.Performer = { _ in nil }
    ) where Machine.Question == Question, Machine.Value == Value {
        self.init(MachineRunner(machine, perform: perform))
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// A machine with the hands to do what it says: takes events, performs effects, and gives out answers.
package actor MachineRunner<Machine: HomeMachine>: LiveRunner {
    /// Performs an effect, and returns the event that it ended with; `nil` if there is none.
    package typealias Performer = @Sendable (Machine.Effect) async -> Machine.Event?

    package nonisolated let source: StateSource<HermesAnswer<Machine.Question, Machine.Value>>
    private var machine: Machine
    private var isShown = false
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
        guard resumes else { return }
        if let paused = Machine.paused { await send(paused.end) }
        await refresh()
    }

    package func pause() async {
        isShown = false
        if let paused = Machine.paused { await send(paused.begin) }
    }

    package func more() {}

    package func refresh() async {
        if let event = Machine.refreshed { await send(event) }
    }

    /// Takes an event; returns when all that it led to is done. Events that come meanwhile are taken at once.
    package func send(_ event: Machine.Event) async {
        var events = [event]
        while !events.isEmpty {
            let effects = machine.handle(events.removeFirst())
            source.update(machine.answer)
            for effect in effects { if let next = await perform(effect) { events.append(next) } }
        }
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

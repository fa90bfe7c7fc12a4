// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

/// A machine with the hands to do what it says: takes events, performs effects, and gives out snapshots.
///
/// ```swift
/// let cron = home.cronModel()
/// let task = Task { for await snapshot in cron.snapshots() { show(snapshot) } }
/// await cron.send(.load)
/// await cron.send(.setEnabled("e9caf7ca3a83", false))
/// ```
public actor HomeModel<Machine: HomeMachine> {
    /// Performs an effect, and returns the event that it ended with; `nil` where there is none.
    public typealias Performer = @Sendable (Machine.Effect) async -> Machine.Event?

    private var machine: Machine
    private let source: StateSource<Machine.Snapshot>
    private let perform: Performer

    /// Creates a model of a machine, with the function that performs its effects.
    package init(_ machine: Machine, perform: @escaping Performer) {
        self.machine = machine
        self.perform = perform
        source = StateSource(machine.snapshot)
    }

    /// The state to show now.
    public nonisolated var current: Machine.Snapshot { source.current }

    /// The state to show now, then each change; a slow reader misses some of them, never the newest.
    public nonisolated func updates() -> AsyncStream<Machine.Snapshot> { source.updates() }

    /// Takes an event; returns when all that it led to is done. Events that come meanwhile are taken at once.
    public func send(_ event: Machine.Event) async {
        var events = [event]
        while !events.isEmpty {
            let effects = machine.take(events.removeFirst())
            source.update(machine.snapshot)
            for effect in effects { if let next = await perform(effect) { events.append(next) } }
        }
    }
}

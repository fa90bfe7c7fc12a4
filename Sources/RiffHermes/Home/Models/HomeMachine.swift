// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// The rules of one screen over a home: events in, effects out, and a snapshot to show. Pure, so that tables test it.
public protocol HomeMachine: Sendable {
    /// What happens: a person did something, or an effect ended.
    associatedtype Event: Sendable
    /// What is to be done.
    associatedtype Effect: Sendable
    /// What is shown.
    associatedtype Snapshot: Sendable

    /// What is shown now.
    var snapshot: Snapshot { get }

    /// Takes an event.
    ///
    /// - Returns: What is to be done now, in order.
    mutating func take(_ event: Event) -> [Effect]
}

/// A machine with the hands to do what it says: takes events, performs effects, and gives out snapshots.
///
/// ```swift
/// let cron = home.cronModel()
/// let task = Task { for await snapshot in cron.snapshots() { show(snapshot) } }
/// await cron.send(.load)
/// await cron.send(.setEnabled("e9caf7ca3a83", false))
/// ```
public actor HomeModel<Machine: HomeMachine> {
    /// Does what the machine says, and tells how it ended; `nil` where nothing is to be told.
    public typealias Performer = @Sendable (Machine.Effect) async -> Machine.Event?

    private var machine: Machine
    private let source: StateSource<Machine.Snapshot>
    private let perform: Performer

    /// A model.
    public init(_ machine: Machine, perform: @escaping Performer) {
        self.machine = machine
        self.perform = perform
        source = StateSource(machine.snapshot)
    }

    /// What is shown now.
    public nonisolated var snapshot: Machine.Snapshot { source.current }

    /// What is shown now, then each change; a slow reader misses some of them, never the newest.
    public nonisolated func snapshots() -> AsyncStream<Machine.Snapshot> { source.updates() }

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

/// A problem as it is shown: any error of this package, comparable.
public struct ShownProblem: Sendable, Hashable {
    /// A name that never changes.
    public let code: String
    /// What to tell the person.
    public let message: String
    /// What to offer them.
    public let recovery: Recovery?

    /// A problem.
    public init(code: String, message: String, recovery: Recovery? = nil) {
        self.code = code
        self.message = message
        self.recovery = recovery
    }

    /// The problem that an error is.
    public init(_ error: any Error) {
        if let error = error as? any RiffError {
            self.init(code: error.stableCode, message: error.message, recovery: error.recovery)
        } else if error is CancellationError {
            self.init(code: "data.cancelled", message: "It was stopped before it was done.", recovery: .retry)
        } else {
            self.init(code: "data.failed", message: "\(error)")
        }
    }

    /// Whether somebody else changed what was to be changed.
    public var isConflict: Bool { code == DataError(.fileChanged, "").stableCode }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

// sample:
/// A clock that does not move until a test moves it, or that jumps to the end of every wait.
///
/// ```swift
/// let clock = ManualClock()
/// let task = Task { try await clock.sleep(for: .seconds(4)) }
/// await clock.sleepers(1)          // the task sleeps now
/// clock.advance(by: .seconds(4))   // and now it wakes
/// ```
public final class ManualClock: Clock, Sendable {
    /// A point in the clock's time.
    public struct Instant: InstantProtocol {
        /// The time since the clock was made.
        public let offset: Duration

        /// A point in time.
        public init(offset: Duration = .zero) { self.offset = offset }

        /// A later point, or an earlier one.
        public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        /// Returns the time from this instant to another.
        public func duration(to other: Instant) -> Duration { other.offset - offset }
        /// Whether one is earlier.
        public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct Sleeper {
        let deadline: Instant
        let waking: EventualValue<Void>
    }

    private struct Watcher {
        let count: Int
        let satisfied: EventualValue<Void>
    }

    private struct State: ~Copyable {
        var now = Instant()
        var waits: [Duration] = []
        var nextID = 0
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [Int: Watcher] = [:]

        mutating func makeID() -> Int {
            nextID += 1
            return nextID
        }

        mutating func takeSatisfiedWatchers() -> [Watcher] {
            let satisfied = watchers.filter { $0.value.count <= sleepers.count }
            for id in satisfied.keys { watchers[id] = nil }
            return Array(satisfied.values)
        }
    }

    private let state = Mutex(State())

    private let advancesItself: Bool

    /// A clock at zero.
    ///
    /// - Parameter advancesItself: Whether every wait is over at once and moves the clock to its deadline, so that code
    ///   which waits runs through; ``waits`` then tells how long it would have taken.
    public init(advancesItself: Bool = false) { self.advancesItself = advancesItself }

    /// The duration of each wait when it began, in order; those that were cancelled before are not in it.
    public var waits: [Duration] { state.withLock { $0.waits } }

    /// The time it shows.
    public var now: Instant { state.withLock { $0.now } }
    /// Zero: any step can be told.
    public var minimumResolution: Duration { .zero }

    /// Sleeps until a test has moved the clock to the deadline; a deadline that has passed returns at once.
    ///
    /// - Throws: `CancellationError` when the task is cancelled, also before the sleep begins.
    public func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        let waking = EventualValue<Void>()
        let (id, watchers) = state.withLock { state -> (Int?, [Watcher]) in
            state.waits.append(state.now.duration(to: deadline))
            if advancesItself { state.now = max(state.now, deadline) }
            if deadline <= state.now { return (nil, []) }
            let id = state.makeID()
            state.sleepers[id] = Sleeper(deadline: deadline, waking: waking)
            return (id, state.takeSatisfiedWatchers())
        }
        for watcher in watchers { watcher.satisfied.resolve(()) }
        guard let id else { return }
        // Gone with the cancellation itself: whoever cancels one sleep and begins the next is not counted twice.
        try await withTaskCancellationHandler {
            try await waking.cancellableValue()
        } onCancel: {
            state.withLock { _ = $0.sleepers.removeValue(forKey: id) }
        }
    }

    /// Suspends until at least this many tasks sleep on the clock; returns at once where they do already, or when the
    /// waiting task is cancelled.
    ///
    /// - Parameter count: How many.
    public func sleepers(_ count: Int) async {
        let satisfied = EventualValue<Void>()
        let id = state.withLock { state -> Int? in
            guard state.sleepers.count < count else { return nil }
            let id = state.makeID()
            state.watchers[id] = Watcher(count: count, satisfied: satisfied)
            return id
        }
        guard let id else { return }
        do { try await satisfied.cancellableValue() } catch {
            state.withLock { _ = $0.watchers.removeValue(forKey: id) }
        }
    }

    /// The number of tasks that sleep now.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// When the first sleeping task is due; `nil` where none sleeps.
    public var nextDeadline: Instant? { state.withLock { $0.sleepers.values.map(\.deadline).min() } }

    /// Moves the clock on, and wakes the tasks that are due, the earliest first. What they do next is not awaited: wait
    /// for it, for instance with ``sleepers(_:)``, before moving the clock again.
    ///
    /// - Parameter duration: How far; not negative.
    public func advance(by duration: Duration) {
        precondition(duration >= .zero, "a clock does not go back")
        let due = state.withLock { state in
            state.now = state.now.advanced(by: duration)
            let now = state.now
            let due = state.sleepers.filter { $0.value.deadline <= now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.value)
        }
        for sleeper in due { sleeper.waking.resolve(()) }
    }
}

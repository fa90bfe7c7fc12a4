// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import Synchronization

/// Fails questions whose time is over. One task for all of them: a task and a timer for each question were a fifth of a
/// quick question's round trip.
final class DeadlineKeeper: Sendable {
    private struct Entry: Sendable {
        let due: Duration
        let question: PendingRequests.Pending
    }

    private struct State {
        var entries: [Entry] = []
        /// When the keeper wakes up by itself.
        var wakesAt: Duration?
        var alarm = EventualValue<Void>()
        var isFinished = false
    }

    private let state = Mutex(State())
    private let stopwatch: Stopwatch
    private let clock: any Clock<Duration>

    init(_ clock: any Clock<Duration>) {
        self.clock = clock
        stopwatch = Stopwatch(clock)
    }

    /// Fails a question with `DeadlineExceeded` when it is not answered in time.
    func watch(_ question: PendingRequests.Pending, for limit: Duration) {
        let due = stopwatch.now.offset + limit
        let alarm: EventualValue<Void>? = state.withLock { state in
            // Answered ones are forgotten when they would be due, or when many are kept.
            if state.entries.count >= 1024 { state.entries.removeAll { $0.question.answer.current != nil } }
            state.entries.append(Entry(due: due, question: question))
            guard let wakesAt = state.wakesAt, wakesAt <= due else { return state.alarm }
            return nil
        }
        alarm?.resolve(())
    }

    /// Ends ``run()``.
    func finish() {
        let alarm = state.withLock { state in
            state.isFinished = true
            return state.alarm
        }
        alarm.resolve(())
    }

    /// Keeps the deadlines until it is finished.
    func run() async {
        while let (alarm, pause) = expire() {
            guard let pause else {
                await alarm.value()
                continue
            }
            await withTaskGroup { group in
                // Whichever comes first ends the other, and both only lead to another look.
                group.addTask { [clock] in try? await clock.sleep(for: pause) }
                group.addTask { try? await alarm.cancellableValue() }
                await group.next()
                group.cancelAll()
            }
        }
    }

    /// Fails what is due. What to wait for then: a new alarm, and the next deadline; `nil` at the end.
    private func expire() -> (alarm: EventualValue<Void>, pause: Duration?)? {
        let now = stopwatch.now.offset
        let (due, next): ([Entry], (EventualValue<Void>, Duration?)?) = state.withLock { state in
            guard !state.isFinished else { return ([], nil) }
            let due = state.entries.filter { $0.due <= now }
            state.entries.removeAll { $0.due <= now || $0.question.answer.current != nil }
            state.alarm = EventualValue()
            state.wakesAt = state.entries.lazy.map(\.due).min()
            return (due, (state.alarm, state.wakesAt.map { $0 - now }))
        }
        for entry in due { entry.question.answer.resolve(.failure(DeadlineExceeded())) }
        return next
    }
}

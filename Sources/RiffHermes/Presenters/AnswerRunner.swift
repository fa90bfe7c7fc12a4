// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// One question to a Hermes database and its answer, kept fresh: it is read again when the database has changed, given
/// up when another question comes, and shown with what is wrong if it cannot be read.
package actor AnswerRunner<Question: Sendable & Hashable, Value: DatabaseAnswer>: LiveRunner {
    package typealias Machine = AnswerMachine<Question, Value>
    /// Reads an answer; may report parts of it on the way, each of which is one.
    package typealias Load =
        @Sendable (
            _ reader: any HermesReading,
            _ question: Question,
            _ want: Machine.Want,
            _ report: @escaping @Sendable (Value) async -> Void
        ) async throws -> Value

    package nonisolated let source = StateSource(HermesAnswer<Question, Value>())
    private let load: Load
    private let stopwatch: Stopwatch
    private let tasks = OwnedTasks()
    private var machine = Machine()
    private var look: Machine.Look
    private var reader: (any HermesReading)?
    private var readings: [UInt64: Task<Void, Never>] = [:]

    package init(clock: any Clock<Duration>, load: @escaping Load) {
        self.load = load
        stopwatch = Stopwatch(clock)
        look = machine.look
    }

    // MARK: The user

    package func show(_ question: Question?) {
        if let question { handle(.asked(question)) }
    }

    package func pause() { handle(.paused) }
    package func more() { handle(.wantedMore) }
    package func refresh() { handle(.refreshed) }

    // MARK: The database

    package func open(_ reader: any HermesReading) {
        self.reader = reader
        handle(.opened)
    }

    package func look(hasChanged: Bool, wallTime: Double) {
        handle(.looked(hasChanged: hasChanged, wallTime: wallTime))
    }

    package func lose(_ problem: Problem) { handle(.lost(problem)) }

    /// Gives up what is being read, and ends the answers.
    package func end() async {
        await tasks.end()
        source.finish()
    }

    // MARK: Effects

    private func handle(_ event: Machine.Event) {
        for effect in machine.handle(event, at: stopwatch.now.offset) {
            switch effect {
            case .cancel(let number): readings.removeValue(forKey: number)?.cancel()
            case .load(let number, let question, let want): start(number, question, want)
            }
        }
        // Most looks at the database find nothing new.
        guard machine.look != look else { return }
        look = machine.look
        source.update(machine.answer)
    }

    private func start(_ number: UInt64, _ question: Question, _ want: Machine.Want) {
        guard let reader else { return }
        readings[number] = tasks.run { [weak self, load] in
            let outcome: Machine.Event
            do {
                let value = try await load(reader, question, want) { [weak self] part in
                    await self?.handle(.part(number, part))
                }
                outcome = .answered(number, value)
            } catch {
                // Whoever gave it up is told nothing.
                guard !Task.isCancelled else { return }
                outcome = .failed(number, Problem(DataError.unread(error)))
            }
            await self?.finish(number, outcome)
        }
    }

    private func finish(_ number: UInt64, _ outcome: Machine.Event) {
        readings[number] = nil
        handle(outcome)
    }
}

extension DataError {
    /// An error of whatever kind as one that can be shown.
    static func unread(_ error: any Error) -> any RiffError {
        let problem = error.asRiffError
        guard problem.stableCode == CoreError(.foreign, "").stableCode else { return problem }
        let message = "The Hermes database could not be read: \(problem.message)"
        return DataError(.databaseFailed, message, recovery: .retry, cause: error)
    }
}

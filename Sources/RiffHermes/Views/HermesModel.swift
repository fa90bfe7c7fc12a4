// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// One question to a Hermes database and its answer, kept fresh: it is read again when the database has changed, given up
/// when another question comes, and shown with what is wrong where it cannot be read. One of ``HermesModels``.
///
/// ```swift
/// await models.sessions.show(HermesSessionFilter())
/// for await answer in models.sessions.snapshots() { draw(answer) }
/// ```
public actor HermesModel<Question: Sendable & Hashable, Value: HermesModelValue> {
    /// What is shown.
    public typealias Snapshot = HermesAnswer<Question, Value>
    package typealias Machine = AnswerMachine<Question, Value>
    /// Reads an answer; may report parts of it on the way, each of which is one.
    package typealias Load =
        @Sendable (
            _ reader: any HermesReading,
            _ question: Question,
            _ want: Machine.Want,
            _ report: @escaping @Sendable (Value) async -> Void
        ) async throws -> Value

    private nonisolated let source = StateSource(Snapshot())
    private let load: Load
    private let stopwatch: Stopwatch
    private let tasks = OwnedTasks()
    private var machine = Machine()
    private var reader: (any HermesReading)?
    private var readings: [UInt64: Task<Void, Never>] = [:]

    package init(clock: any Clock<Duration>, load: @escaping Load) {
        self.load = load
        stopwatch = Stopwatch(clock)
    }

    // MARK: State

    /// The answer as it is now.
    public nonisolated var current: Snapshot { source.current }

    /// The answer as it is now, then each change; ends with the reading task, and when ``HermesModels/run()`` is over.
    public nonisolated func updates() -> AsyncStream<Snapshot> { source.updates() }

    // MARK: What a person does

    /// Asks something, and keeps the answer fresh from now on. The same question again does not lose its answer.
    public func show(_ question: Question) { handle(.asked(question)) }

    /// Nobody looks at the answer: it stays, and is not read anew until it is asked for again. What is being read is given
    /// up.
    public func rest() { handle(.rested) }

    /// Reads more of the answer, where there is more.
    public func more() { handle(.wantedMore) }

    /// Reads the answer anew at once, whatever is known of the database.
    public func refresh() { handle(.refreshed) }

    // MARK: The database

    package func open(_ reader: any HermesReading) {
        self.reader = reader
        handle(.opened)
    }

    package func look(hasChanged: Bool, wallTime: Double) {
        handle(.looked(hasChanged: hasChanged, wallTime: wallTime))
    }

    package func lose(_ error: any RiffError) { handle(.lost(error)) }

    /// Gives up what is being read, and ends the snapshots.
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
                outcome = .failed(number, DataError.unread(error))
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

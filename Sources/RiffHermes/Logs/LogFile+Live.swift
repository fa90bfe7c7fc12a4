// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore

extension LogFile {
    /// The newest entries of a log as a view shows them.
    public struct View: Sendable, Equatable {
        /// The entries that pass the filter, oldest first.
        public package(set) var entries: [LogEntry] = []
        /// The number of entries of each level that are held, whatever the filter.
        public package(set) var counts: [LogEntry.Level: Int] = [:]
        /// The sessions among the entries, to choose from.
        public package(set) var sessions: [String] = []
        /// The parts of the agent among the entries, to choose from.
        public package(set) var components: [String] = []
        /// The ids of entries before which something may be missing.
        public package(set) var gaps: Set<UInt64> = []
        /// The number of entries that came since ``HermesLive/pause()``.
        public package(set) var waiting = 0
        /// Whether the view is paused, and nothing in it moves.
        package var isPaused = false

        package init() {}
    }

    /// Creates a presenter of the newest entries. Its question is a filter, applied to what is held without reading it
    /// again; while it is paused, nothing moves.
    ///
    /// - Parameter limit: The most entries that are held.
    /// - Returns: The presenter, to be fed by ``HermesLive/follow(_:pausing:)``.
    public func live(limit: Int = 5000) -> HermesLive<LogFilter, View> {
        HermesLive(LogsMachine(limit: limit))
    }
}

extension HermesLive where Question == LogFilter, Value == LogFile.View {
    /// Feeds the view with a log until the task is cancelled. If the log cannot be read, that is the answer's problem,
    /// and it is tried again.
    ///
    /// - Parameters:
    ///   - tail: The log, unfiltered.
    ///   - pause: The wait after a failure.
    /// - Throws: `CancellationError`.
    public func follow(_ tail: LogTail, pausing pause: Duration = .seconds(2)) async throws {
        var batches = tail.makeAsyncIterator()
        while true {
            do {
                guard let batch = try await batches.next() else { return }
                await send(.batch(batch), to: LogsMachine.self)
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                await send(.problem(Problem(error)), to: LogsMachine.self)
                try await tail.clock.sleep(for: pause)
            }
        }
    }

    /// Empties the view.
    public func clear() async { await send(.clear, to: LogsMachine.self) }
}

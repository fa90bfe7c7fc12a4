// Riff
// SPDX-License-Identifier: Apache-2.0

internal import GRDB
internal import RiffCore
internal import Synchronization

/// The state of a list of sessions at some moment.
public struct TranscriptSnapshot: Sendable {
    /// The number of times the store was changed until then, by any process.
    public let revision: Int64
    /// The sessions that were last used.
    public let sessions: TranscriptPage<TranscriptSession>
    /// The number of sessions of that kind, archived or not.
    public let sessionCount: Int64
}

extension TranscriptStore {
    /// Returns the state of a list of sessions, now and after each change: a change of this process at once, one of
    /// another within the interval. A slow reader misses states in between, never the newest.
    ///
    /// - Parameters:
    ///   - isArchived: Only sessions that were put away, or that were not; `nil` for both.
    ///   - limit: How many sessions, at most 1000.
    ///   - interval: How often other processes' changes are looked for, which reads one row; `nil` for never.
    ///   - clock: Measures the interval.
    /// - Returns: The states, without an end; reading them throws where the store cannot be read.
    public func updates(
        isArchived: Bool? = false,
        limit: Int = 50,
        every interval: Duration? = .seconds(1),
        clock: any Clock<Duration> = ContinuousClock()
    ) -> some AsyncSequence<TranscriptSnapshot, any Error> & Sendable {
        TranscriptSnapshots(store: self, isArchived: isArchived, limit: limit, interval: interval, clock: clock)
    }

    /// Returns the number of times the store was changed, by any process.
    ///
    /// - Throws: ``DataError`` with a database code; `CancellationError`.
    package func revision() async throws -> Int64 { try await read { try TranscriptRows.revision($0) } }
}

/// The states of a store's list of sessions; see ``TranscriptStore/updates(isArchived:limit:every:clock:)``.
struct TranscriptSnapshots: AsyncSequence, Sendable {
    /// The state of the list.
    typealias Element = TranscriptSnapshot

    let store: TranscriptStore
    let isArchived: Bool?
    let limit: Int
    let interval: Duration?
    let clock: any Clock<Duration>

    /// Reads the states, each newer than the one before.
    struct Iterator: AsyncIteratorProtocol {
        fileprivate let snapshots: TranscriptSnapshots
        fileprivate var seen: Int64?

        /// The newest state, once it is one that was not read yet.
        ///
        /// - Throws: ``DataError`` with a database code; `CancellationError`.
        mutating func next() async throws -> TranscriptSnapshot? {
            while true {
                // Asked before the store is read: what changes behind that is waited for in vain otherwise.
                let signal = snapshots.store.changed.current
                let revision = try await snapshots.store.revision()
                if revision != seen {
                    let snapshot = try await snapshots.read()
                    seen = snapshot.revision
                    return snapshot
                }
                try await snapshots.wait(behind: signal)
            }
        }
    }

    /// Starts to read.
    func makeAsyncIterator() -> Iterator { Iterator(snapshots: self, seen: nil) }

    private func read() async throws -> TranscriptSnapshot {
        let (isArchived, limit) = (isArchived, limit)
        return try await store.read { database in
            let filter = isArchived.map { "WHERE archived = \($0 ? 1 : 0)" } ?? ""
            return TranscriptSnapshot(
                revision: try TranscriptRows.revision(database),
                sessions: try TranscriptReader.sessions(database, isArchived: isArchived, after: nil, limit: limit),
                sessionCount: try Int64.fetchOne(
                    database.cachedStatement(sql: "SELECT count(*) FROM session \(filter)")
                ) ?? 0
            )
        }
    }

    private func wait(behind signal: UInt64) async throws {
        let changed = store.changed
        guard let interval else {
            _ = try await changed.wait(after: signal)
            return
        }
        do {
            _ = try await withDeadline(interval, clock: clock) { try await changed.wait(after: signal) }
        } catch is DeadlineExceeded {}
    }
}

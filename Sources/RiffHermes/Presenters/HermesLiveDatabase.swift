// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RiffCore
internal import RiffTransport
internal import Synchronization

// sample:
/// A Hermes database that a front end shows: its parts are kept fresh by the database's fingerprint.
///
/// ```swift
/// let database = HermesLiveDatabase { try await HermesDatabase.open("/home/me/.hermes/state.db") }
/// let running = Task { try await database.run() }
/// await database.sessions.show(HermesSession.Filter())
/// for await answer in database.sessions.updates() { show(answer) }
/// ```
///
/// Only what is shown is read (``HermesLive/show(_:)``), and only when the database has changed. A database that is
/// missing, is replaced, or lies on a host that cannot be reached is tried again; the answers show why, beside what
/// they had. While a host's link sleeps, looking for changes waits and does not dial; opening the database, and what
/// the user asks, may dial. Nothing is ever written.
public final class HermesLiveDatabase: Sendable {
    /// The database at a glance.
    public let overview: HermesLive<HermesOverview.Question, HermesOverview>
    /// The sessions, newest first.
    public let sessions: HermesLive<HermesSession.Filter, HermesListing<HermesSession>>
    /// The messages that a search finds.
    public let search: HermesLive<HermesSearch, HermesSearch.Found>
    /// The messages of one session.
    public let transcript: HermesLive<HermesTranscript.Question, HermesTranscript>
    /// The calls of tools, newest first.
    public let activity: HermesLive<HermesToolUse.Filter, HermesListing<HermesToolUse>>
    /// The figures of the sessions of some days.
    public let report: HermesLive<HermesReport.Question, HermesReport>

    private let opening: @Sendable () async throws -> any HermesReading
    private let interval: Duration
    private let clock: any Clock<Duration>
    private let wallTime: @Sendable () -> Double
    private let runners: [any DatabaseRunner]
    private let reader = Mutex<(any HermesReading)?>(nil)

    /// Creates the presenter of a database; nothing happens before ``run()``.
    ///
    /// - Parameters:
    ///   - interval: How long is waited between two looks at the database. A look is three `stat`s here, and one small
    ///     command on a host.
    ///   - clock: Measures it, and the waits before another try.
    ///   - opening: Opens the database; called again where that fails, and where the file was replaced.
    public convenience init(
        every interval: Duration = .seconds(2),
        clock: any Clock<Duration> = ContinuousClock(),
        opening: @escaping @Sendable () async throws -> HermesDatabase
    ) {
        self.init(
            every: interval,
            clock: clock,
            wallTime: WallClock.now,
            reader: { try await opening() }
        )
    }

    package init(
        every interval: Duration,
        clock: any Clock<Duration>,
        wallTime: @escaping @Sendable () -> Double,
        reader: @escaping @Sendable () async throws -> any HermesReading
    ) {
        opening = reader
        self.interval = interval
        self.clock = clock
        self.wallTime = wallTime
        let overview = AnswerRunner(clock: clock, load: Self.loadOverview(wallTime))
        let sessions = AnswerRunner(clock: clock, load: Self.loadSessions)
        let search = AnswerRunner(clock: clock, load: Self.loadFound)
        let transcript = AnswerRunner(clock: clock, load: Self.loadTranscript)
        let activity = AnswerRunner(clock: clock, load: Self.loadActivity)
        let report = AnswerRunner(clock: clock, load: Self.loadReport(wallTime))
        runners = [overview, sessions, search, transcript, activity, report]
        self.overview = HermesLive(overview)
        self.sessions = HermesLive(sessions)
        self.search = HermesLive(search)
        self.transcript = HermesLive(transcript)
        self.activity = HermesLive(activity)
        self.report = HermesLive(report)
    }

    /// Opens the database and looks at it, until the task is cancelled; then everything is given up and closed. Once.
    ///
    /// - Throws: `CancellationError`, and nothing else: what goes wrong is in the answers.
    public func run() async throws {
        do {
            try await look()
        } catch {
            // The task is cancelled, and what it leaves behind must be tidied all the same.
            await Task { await self.end() }.value
            throw error
        }
    }

    /// Reads one message with all of its text; returns `nil` if there is none of this number.
    ///
    /// - Throws: What ``HermesDatabase/message(_:)`` throws; ``DataError`` with `databaseClosed` while the database is
    ///   not open.
    public func message(_ id: Int64) async throws -> HermesMessage? {
        guard let reader = reader.withLock({ $0 }) else { throw DataError.closed("The Hermes database") }
        return try await reader.message(id)
    }

    // MARK: Looking

    private func look() async throws {
        var known: HermesFingerprint?
        var failures = 0
        while true {
            var pause = interval
            do {
                if let reader = reader.withLock({ $0 }), let before = known {
                    let now = try await reader.glance()
                    known = now
                    if now.database?.inode != before.database?.inode, now.database != nil {
                        known = try await reopen()
                    } else {
                        for runner in runners { await runner.look(hasChanged: now != before, wallTime: wallTime()) }
                    }
                } else {
                    known = try await reopen()
                }
                failures = 0
            } catch {
                try Task.checkCancellation()
                let problem = Problem(DataError.unread(error))
                for runner in runners { await runner.lose(problem) }
                pause = max(interval, .seconds([1, 2, 4, 8, 15, 30][min(failures, 5)]))
                failures += 1
            }
            try await clock.sleep(for: pause)
        }
    }

    /// Opens the database, and closes it where it was open: its columns may be others now.
    private func reopen() async throws -> HermesFingerprint {
        let old = reader.withLock { reader in
            defer { reader = nil }
            return reader
        }
        await old?.close()
        let new = try await opening()
        do {
            // Taken before anything is read: what changes from here on is seen.
            let fingerprint = try await new.glance()
            reader.withLock { $0 = new }
            for runner in runners { await runner.open(new) }
            return fingerprint
        } catch {
            await new.close()
            throw error
        }
    }

    private func end() async {
        for runner in runners { await runner.end() }
        let last = reader.withLock { reader in
            defer { reader = nil }
            return reader
        }
        await last?.close()
    }
}

/// A part of a database, whatever it asks.
private protocol DatabaseRunner: Actor {
    func open(_ reader: any HermesReading)
    func look(hasChanged: Bool, wallTime: Double)
    func lose(_ problem: Problem)
    func end() async
}

extension AnswerRunner: DatabaseRunner {}

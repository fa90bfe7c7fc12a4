// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RiffCore
internal import RiffTransport
internal import Synchronization

/// What a front end shows of a Hermes database: models that keep their answers fresh by the database's fingerprint.
///
/// ```swift
/// let models = HermesModels { try await HermesDatabase.open("/home/me/.hermes/state.db") }
/// let running = Task { try await models.run() }
/// await models.sessions.show(HermesSessionFilter())
/// for await answer in models.sessions.snapshots() { draw(answer) }
/// ```
///
/// Only what is shown is read (``HermesModel/show(_:)``), and only when the database has changed. A database that is not
/// there yet, is replaced, or lies on a host that cannot be reached is tried again; the models show why, beside what they
/// had. A host's link that is suspended is waited for, and one that was ended is not dialed; opening the
/// database, and what a person asks (``HermesModel/show(_:)``, ``HermesModel/refresh()``), may dial. Nothing is ever written.
public final class HermesModels: Sendable {
    /// The database at a glance.
    public let overview: HermesModel<HermesOverview.Question, HermesOverview>
    /// The sessions, newest first.
    public let sessions: HermesModel<HermesSessionFilter, HermesListing<HermesSession>>
    /// What a search finds.
    public let search: HermesModel<HermesSearch, HermesFound>
    /// One session's messages.
    public let transcript: HermesModel<HermesTranscript.Question, HermesTranscript>
    /// The calls of tools, newest first.
    public let activity: HermesModel<HermesToolFilter, HermesListing<HermesToolUse>>
    /// What the sessions of some days come to.
    public let report: HermesModel<HermesReport.Question, HermesReport>

    private let opening: @Sendable () async throws -> any HermesReading
    private let interval: Duration
    private let clock: any Clock<Duration>
    private let wallTime: @Sendable () -> Double
    private let reader = Mutex<(any HermesReading)?>(nil)

    /// Models of a database; nothing happens before ``run()``.
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
            wallTime: { Date().timeIntervalSince1970 },
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
        overview = HermesModel(clock: clock, load: Self.loadOverview(wallTime))
        sessions = HermesModel(clock: clock, load: Self.loadSessions)
        search = HermesModel(clock: clock, load: Self.loadFound)
        transcript = HermesModel(clock: clock, load: Self.loadTranscript)
        activity = HermesModel(clock: clock, load: Self.loadActivity)
        report = HermesModel(clock: clock, load: Self.loadReport(wallTime))
    }

    /// Opens the database and looks at it, until the task is cancelled; then everything is given up and closed. Once.
    ///
    /// - Throws: `CancellationError`, and nothing else: what goes wrong is in the snapshots.
    public func run() async throws {
        do {
            try await look()
        } catch {
            // The task is cancelled, and what it leaves behind must be tidied all the same.
            await Task { await self.end() }.value
            throw error
        }
    }

    /// One message with all of its text; `nil` where there is none of this number.
    ///
    /// - Throws: What ``HermesDatabase/message(_:)`` throws; ``DataError`` with `databaseClosed` while the database is not
    ///   open.
    public func message(_ id: Int64) async throws -> HermesMessage? {
        guard let reader = reader.withLock({ $0 }) else { throw DataError.closed("The Hermes database") }
        return try await reader.message(id)
    }

    // MARK: Looking

    private var all: [any LookedAt] { [overview, sessions, search, transcript, activity, report] }

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
                        for model in all { await model.look(hasChanged: now != before, wallTime: wallTime()) }
                    }
                } else {
                    known = try await reopen()
                }
                failures = 0
            } catch {
                try Task.checkCancellation()
                let error = DataError.unread(error)
                for model in all { await model.lose(error) }
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
            for model in all { await model.open(new) }
            return fingerprint
        } catch {
            await new.close()
            throw error
        }
    }

    private func end() async {
        for model in all { await model.end() }
        let last = reader.withLock { reader in
            defer { reader = nil }
            return reader
        }
        await last?.close()
    }
}

/// A model, whatever it asks.
private protocol LookedAt: Actor {
    func open(_ reader: any HermesReading)
    func look(hasChanged: Bool, wallTime: Double)
    func lose(_ error: any RiffError)
    func end() async
}

extension HermesModel: LookedAt {}

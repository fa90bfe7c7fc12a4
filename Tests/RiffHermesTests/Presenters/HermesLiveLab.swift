// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHermes
import RiffTesting
import RiffTransport
import Synchronization
import Testing

/// A real database that can be held up and made to fail on the way to the models.
final class SteeredReader: HermesReading {
    struct Steering {
        var problem: (any Error)?
        /// Whether searches wait until they are cancelled.
        var holdsSearches = false
        var counts: [String: Int] = [:]
        var openings = 0
        var closings = 0
    }

    let steering: Mutex<Steering>
    private let shared: SteeredReader?
    private let database: HermesDatabase?
    private let (held, holding) = AsyncStream<String>.makeStream()
    private let (released, releasing) = AsyncStream<String>.makeStream()

    /// Where tests steer; each opening gives another one beneath it.
    init() {
        steering = Mutex(Steering())
        (shared, database) = (nil, nil)
    }

    private init(_ shared: SteeredReader, _ database: HermesDatabase) {
        steering = Mutex(Steering())
        (self.shared, self.database) = (shared, database)
    }

    func opened(_ path: String) async throws -> SteeredReader {
        steering.withLock { $0.openings += 1 }
        return SteeredReader(self, try await HermesDatabase.open(path))
    }

    /// The text of the next search that is held up, or was given up.
    func nextHeld() async -> String? { await held.first { _ in true } }
    func nextReleased() async -> String? { await released.first { _ in true } }

    private func pass(_ name: String) throws -> HermesDatabase {
        try shared?.steering.withLock { steering in
            steering.counts[name, default: 0] += 1
            if let problem = steering.problem { throw problem }
        }
        return try #require(database)
    }

    func glance() async throws -> HermesFingerprint { try await pass("fingerprint").glance() }
    func close() async {
        shared?.steering.withLock { $0.closings += 1 }
        await database?.close()
    }
    func sessions(
        _ filter: HermesSession.Filter,
        after cursor: HermesCursor?,
        limit: Int,
        previewLength: Int
    ) async throws -> HermesPage<HermesSession> {
        try await pass("sessions").sessions(filter, after: cursor, limit: limit, previewLength: previewLength)
    }
    func session(_ id: String) async throws -> HermesSession? { try await pass("session").session(id) }
    func usage(of sessionID: String) async throws -> [HermesInsights.ModelUsage] {
        try await pass("usage").usage(of: sessionID)
    }
    func messages(
        of sessionID: String,
        _ filter: HermesMessage.Filter,
        _ direction: HermesMessage.Direction,
        after cursor: HermesCursor?,
        limit: Int,
        contentLimit: Int
    ) async throws -> HermesPage<HermesMessage> {
        try await pass("messages").messages(
            of: sessionID,
            filter,
            direction,
            after: cursor,
            limit: limit,
            contentLimit: contentLimit
        )
    }
    func message(_ id: Int64) async throws -> HermesMessage? { try await pass("message").message(id) }
    func search(
        _ search: HermesSearch,
        after cursor: HermesCursor?,
        limit: Int
    ) async throws -> HermesSearch.Results {
        let database = try pass("search")
        if let shared, shared.steering.withLock({ $0.holdsSearches }) {
            shared.holding.yield(search.text)
            defer { shared.releasing.yield(search.text) }
            // Only a cancellation ends it.
            try await ManualClock().sleep(for: .seconds(3600))
        }
        return try await database.search(search, after: cursor, limit: limit)
    }
    func toolActivity(
        _ filter: HermesToolUse.Filter,
        after cursor: HermesCursor?,
        limit: Int,
        resultLimit: Int
    ) async throws -> HermesPage<HermesToolUse> {
        try await pass("toolActivity").toolActivity(filter, after: cursor, limit: limit, resultLimit: resultLimit)
    }
    func insights(in period: HermesInsights.Period, timeZone: TimeZone) async throws -> HermesInsights {
        try await pass("insights").insights(in: period, timeZone: timeZone)
    }
    func totals(in period: HermesInsights.Period) async throws -> HermesInsights.Totals {
        try await pass("totals").totals(in: period)
    }
    func days(in period: HermesInsights.Period, timeZone: TimeZone) async throws -> [HermesInsights.Day] {
        try await pass("days").days(in: period, timeZone: timeZone)
    }
    func statistics() async throws -> HermesStatistics { try await pass("statistics").statistics() }
    func notableSessions(in period: HermesInsights.Period) async throws -> [HermesInsights.Notable] {
        try await pass("notableSessions").notableSessions(in: period)
    }
}

/// Models of a database in a folder of the test's own, by a clock that the test moves.
struct HermesLiveLab: Sendable {
    let lab: HermesLab
    let path: String
    let clock = ManualClock()
    let reader = SteeredReader()
    let models: HermesLiveDatabase
    /// The time of the day, which tests know.
    static let now = 1_795_300_000.0

    private init(_ lab: HermesLab, _ path: String) {
        self.lab = lab
        self.path = path
        models = HermesLiveDatabase(every: .seconds(2), clock: clock, wallTime: { Self.now }) { [reader] in
            try await reader.opened(path)
        }
    }

    /// Runs the models while the body does.
    static func with(_ statements: String?, _ body: (HermesLiveLab) async throws -> Void) async throws {
        try await HermesLab.with { lab in
            let path = "\(lab.folder)/state.db"
            if let statements { try await settle(lab.made("state.db", statements)) }
            let models = HermesLiveLab(lab, path)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    await #expect(throws: CancellationError.self) { try await models.models.run() }
                }
                // The first look is over.
                await models.clock.sleepers(1)
                try await body(models)
                group.cancelAll()
            }
            #expect(models.reader.steering.withLock { $0.openings } >= models.reader.steering.withLock { $0.closings })
        }
    }

    /// A file that was written just now may be written again at the same time by its clock; one of an hour ago may not.
    private static func settle(_ path: String) throws {
        let date = Date(timeIntervalSinceNow: -3600.5)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }

    /// Lets it look at the database once more.
    func look() async {
        clock.advance(by: .seconds(2))
        await clock.sleepers(1)
    }

    /// The first snapshot of a model that is as wanted.
    func first<Question, Value>(
        _ model: HermesLive<Question, Value>,
        where isWanted: (HermesAnswer<Question, Value>) -> Bool
    ) async throws -> HermesAnswer<Question, Value> {
        for await answer in model.updates() where isWanted(answer) { return answer }
        try Task.checkCancellation()
        throw TestingError(.programFailed, "The snapshots ended.")
    }

    func count(_ name: String) -> Int { reader.steering.withLock { $0.counts[name] ?? 0 } }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHermes
import RiffTesting
import Synchronization
import TestSupport
import Testing

/// The models over real databases, which the sqlite3 program makes and changes.
@Suite(.serialized, .timeLimit(.minutes(5)), .enabled(if: HermesLab.isInstalled, "sqlite3 or python3 is missing"))
struct HermesLiveDatabaseTests {
    private static func session(_ id: String, at time: Double, _ title: String = "") -> String {
        "INSERT INTO sessions (id, source, model, started_at, title, message_count, tool_call_count, input_tokens) "
            + "VALUES ('\(id)', 'cli', 'm', \(time), nullif('\(title)', ''), 2, 1, 100);"
    }

    private static func message(_ session: String, _ role: String, _ text: String, at time: Double) -> String {
        "INSERT INTO messages (session_id, role, content, timestamp) VALUES ('\(session)', '\(role)', '\(text)', \(time));"
    }

    private static let now = HermesLiveLab.now
    private static let few =
        session("a", at: now - 100, "First") + session("b", at: now - 86_400 * 3, "Second")
        + message("a", "user", "apple needle", at: now - 99) + message("a", "assistant", "pear", at: now - 98)

    @Test func `what others write shows, and what they do not write is not read again`() async throws {
        try await HermesLiveLab.with(Self.few) { lab in
            await lab.models.sessions.show(HermesSession.Filter())
            let first = try await lab.first(lab.models.sessions) { $0.value != nil && !$0.isLoading }
            #expect(first.value?.elements.map(\.heading) == ["First", "Second"])
            #expect(!first.isStale)
            await lab.look()
            await lab.look()
            #expect(lab.count("sessions") == 1)
            try await lab.lab.sql(Self.session("c", at: Self.now, "Third"), lab.path)
            await lab.look()
            let second = try await lab.first(lab.models.sessions) { $0.value?.elements.count == 3 && !$0.isLoading }
            #expect(second.value?.elements.map(\.heading) == ["Third", "First", "Second"])
            #expect(!second.isStale)
            #expect(second.problem == nil)
        }
    }

    @Test func `what cannot be read stays with the reason beside it, and heals`() async throws {
        try await HermesLiveLab.with(Self.few) { lab in
            await lab.models.sessions.show(HermesSession.Filter())
            _ = try await lab.first(lab.models.sessions) { $0.value != nil && !$0.isLoading }
            lab.reader.steering.withLock { $0.problem = DataError(.databaseBusy, "held", recovery: .retry) }
            await lab.look()
            let failed = try await lab.first(lab.models.sessions) { $0.problem != nil }
            #expect(failed.problem?.code == "data.databaseBusy")
            #expect(failed.value?.elements.count == 2)
            try await lab.lab.sql(Self.session("c", at: Self.now, "Third"), lab.path)
            lab.reader.steering.withLock { $0.problem = nil }
            await lab.look()
            let healed = try await lab.first(lab.models.sessions) { $0.value?.elements.count == 3 && !$0.isLoading }
            #expect(healed.problem == nil)
        }
    }

    @Test func `another search gives up the one before, whose statement ends`() async throws {
        try await HermesLiveLab.with(Self.few) { lab in
            lab.reader.steering.withLock { $0.holdsSearches = true }
            await lab.models.search.show(HermesSearch("apple"))
            #expect(await lab.reader.nextHeld() == "apple")
            lab.reader.steering.withLock { $0.holdsSearches = false }
            await lab.models.search.show(HermesSearch("pear"))
            #expect(await lab.reader.nextReleased() == "apple")
            let found = try await lab.first(lab.models.search) { $0.value != nil && !$0.isLoading }
            #expect(found.question == HermesSearch("pear"))
            #expect(found.value?.hits.elements.map(\.role) == [.assistant])
            #expect(found.problem == nil)
        }
    }

    @Test func `a database that comes later is found, and one that takes its place is opened again`() async throws {
        try await HermesLiveLab.with(nil) { lab in
            await lab.models.sessions.show(HermesSession.Filter())
            let missing = try await lab.first(lab.models.sessions) { $0.problem != nil }
            #expect(missing.problem?.code == "data.databaseMissing")
            _ = try await lab.lab.made("state.db", Self.few)
            await lab.look()
            let found = try await lab.first(lab.models.sessions) { $0.value != nil && !$0.isLoading }
            #expect(found.value?.elements.count == 2)
            #expect(found.problem == nil)

            let other = try await lab.lab.made("other.db", Self.session("z", at: Self.now, "Other"))
            for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: lab.path + end) }  // May be none.
            #expect(rename(other, lab.path) == 0)
            await lab.look()
            let replaced = try await lab.first(lab.models.sessions) { $0.value?.elements.count == 1 && !$0.isLoading }
            #expect(replaced.value?.elements.map(\.heading) == ["Other"])
            #expect(lab.reader.steering.withLock { $0.closings } == 1)
        }
    }

    @Test func `what nobody looks at is not read`() async throws {
        try await HermesLiveLab.with(Self.few) { lab in
            await lab.models.sessions.show(HermesSession.Filter())
            _ = try await lab.first(lab.models.sessions) { $0.value != nil && !$0.isLoading }
            await lab.models.sessions.pause()
            try await lab.lab.sql(Self.session("c", at: Self.now, "Third"), lab.path)
            await lab.look()
            await lab.look()
            #expect(lab.count("sessions") == 1)
            #expect(lab.models.sessions.current.isStale)
            #expect(lab.models.activity.current.question == nil)
            #expect(lab.count("toolActivity") == 0)
            await lab.models.sessions.show(HermesSession.Filter())
            let again = try await lab.first(lab.models.sessions) { $0.value?.elements.count == 3 && !$0.isLoading }
            #expect(!again.isStale)
        }
    }

    @Test func `a transcript begins with the newest messages, goes back, and grows`() async throws {
        let messages = (1...130).map { Self.message("a", "user", "text \($0)", at: Self.now + Double($0)) }
        try await HermesLiveLab.with(Self.session("a", at: Self.now) + messages.joined()) { lab in
            let model = lab.models.transcript
            await model.show(HermesTranscript.Question("a"))
            let first = try await lab.first(model) { $0.value != nil && !$0.isLoading }
            #expect(first.value?.messages.map(\.content) == (81...130).map { "text \($0)" })
            #expect(first.value?.session?.id == "a")
            #expect(first.value?.hasMore == true)
            await model.more()
            _ = try await lab.first(model) { $0.value?.messages.count == 100 && !$0.isLoading }
            await model.more()
            let all = try await lab.first(model) { $0.value?.messages.count == 130 && !$0.isLoading }
            #expect(all.value?.messages.first?.content == "text 1")
            #expect(all.value?.hasMore == false)

            // Another session's change costs one page and no more.
            let before = lab.count("messages")
            try await lab.lab.sql(Self.session("b", at: Self.now), lab.path)
            await lab.look()
            _ = try await lab.first(model) { !$0.isStale && !$0.isLoading }
            #expect(lab.count("messages") == before + 1)

            // What is taken back leaves, and what is new comes.
            try await lab.lab.sql(
                "UPDATE messages SET active = 0 WHERE content = 'text 2'; UPDATE sessions SET rewind_count = 1 "
                    + "WHERE id = 'a';" + Self.message("a", "assistant", "an answer", at: Self.now + 200),
                lab.path
            )
            await lab.look()
            let grown = try await lab.first(model) { $0.value?.messages.last?.content == "an answer" && !$0.isLoading }
            #expect(grown.value?.messages.map(\.content).contains("text 2") == false)
            #expect(grown.value?.messages.count == 130)

            await model.show(HermesTranscript.Question("nobody"))
            let nobody = try await lab.first(model) { $0.value != nil && !$0.isLoading }
            #expect(nobody.value?.session == nil)
            #expect(nobody.value?.messages.isEmpty == true)
        }
    }

    @Test func `what was found is read among what stands around it`() async throws {
        let messages = (1...130).map {
            Self.message("a", "user", $0 == 60 ? "the needle" : "text \($0)", at: Self.now + Double($0))
        }
        try await HermesLiveLab.with(Self.session("a", at: Self.now) + messages.joined()) { lab in
            await lab.models.search.show(HermesSearch("needle"))
            let found = try await lab.first(lab.models.search) { $0.value != nil && !$0.isLoading }
            let hit = try #require(found.value?.hits.elements.first)
            await lab.models.transcript.show(HermesTranscript.Question(hit))
            let around = try await lab.first(lab.models.transcript) { $0.value != nil && !$0.isLoading }
            let texts = try #require(around.value?.messages.map(\.content))
            #expect(texts.prefix(5) == ["text 57", "text 58", "text 59", "the needle", "text 61"])
            #expect(around.value?.isBackward == false)
            await lab.models.transcript.more()
            let more = try await lab.first(lab.models.transcript) {
                ($0.value?.messages.count ?? 0) > 50 && !$0.isLoading
            }
            #expect(more.value?.messages.last?.content == "text 130")
            #expect(try await lab.models.message(hit.messageID)?.content == "the needle")
        }
    }

    @Test func `the overview and the report say what the queries say`() async throws {
        try await HermesLiveLab.with(Self.few) { lab in
            let utc = try #require(TimeZone(identifier: "UTC"))
            await lab.models.overview.show(HermesOverview.Question(timeZone: utc))
            let overview = try await lab.first(lab.models.overview) { $0.value != nil && !$0.isLoading }
            let value = try #require(overview.value)
            #expect(value.statistics.totals.sessions == 2)
            #expect(value.statistics.messages == 2)
            #expect(value.today.sessions == 1)
            #expect(value.week.map(\.sessions) == [0, 0, 0, 1, 0, 0, 1])
            #expect(value.sessions.map(\.id) == ["a", "b"])
            #expect(try #require(value.validUntil) > Self.now)

            await lab.models.report.show(HermesReport.Question(.days(2), timeZone: utc))
            let report = try await lab.first(lab.models.report) { $0.value != nil && !$0.isLoading }
            #expect(report.value?.insights.totals.sessions == 1)
            #expect(report.value?.notable.map(\.session.id).first == "a")
            await lab.models.report.show(HermesReport.Question(.all, timeZone: utc))
            let all = try await lab.first(lab.models.report) { $0.question?.span == .all && $0.value != nil }
            #expect(all.value?.insights.totals.sessions == 2)
            #expect(all.value?.validUntil == nil)
        }
    }

    @Test func `when it is over, snapshots end and the database is closed`() async throws {
        try await HermesLab.with { lab in
            let path = try await lab.made("state.db", Self.few)
            let reader = SteeredReader()
            let clock = ManualClock()
            let models = HermesLiveDatabase(every: .seconds(2), clock: clock, wallTime: { Self.now }) {
                try await reader.opened(path)
            }
            let running = Task { try await models.run() }
            await clock.sleepers(1)
            await models.sessions.show(HermesSession.Filter())
            let following = Task {
                var count = 0
                for await _ in models.sessions.updates() { count += 1 }
                return count
            }
            running.cancel()
            await #expect(throws: CancellationError.self) { try await running.value }
            #expect(await following.value > 0)
            #expect(reader.steering.withLock { $0.closings } == 1)
            await #expect(throws: DataError.self) { try await models.message(1) }
        }
    }
}

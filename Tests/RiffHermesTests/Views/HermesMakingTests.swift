// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffHermes
import Testing

/// Snapshots that a front end makes for its previews, by public initializers alone.
struct HermesMakingTests {
    @Test func `every snapshot can be made, and is the same as another one like it`() {
        func overview() -> HermesAnswer<HermesOverview.Question, HermesOverview> {
            let session = HermesSession(id: "s", source: "cli", startedAt: 1)
            let result = HermesToolUse.Result(messageID: 2, timestamp: 3, content: "done")
            let call = HermesMessage.ToolCall(id: "c", name: "terminal", arguments: "{}")
            let use = HermesToolUse(sessionID: "s", messageID: 1, timestamp: 2, call: call, result: result)
            let value = HermesOverview(
                statistics: HermesStatistics(messages: 2, sizeBytes: 4096),
                week: [HermesInsights.Day(year: 2026, month: 3, day: 1, sessions: 1)],
                sessions: [session],
                toolUses: [use]
            )
            return HermesAnswer(question: HermesOverview.Question(timeZone: .gmt), value: value)
        }
        #expect(overview() == overview())
        var other = overview()
        other.isStale = true
        #expect(other != overview())
        let failed = HermesAnswer<HermesOverview.Question, HermesOverview>(
            problem: Problem(DataError(.databaseBusy, "It is held."))
        )
        #expect(failed == failed && failed != HermesAnswer())
    }

    @Test func `a transcript has its messages in order, from whichever end it was read`() {
        let messages = (1...3).map {
            HermesMessage(id: $0, sessionID: "s", role: .user, content: "\($0)", timestamp: Double($0))
        }
        for isBackward in [true, false] {
            let usage = [HermesInsights.ModelUsage(model: "m", requestCount: 1)]
            let transcript = HermesTranscript(
                session: HermesSession(id: "s", source: "cli", startedAt: 1),
                usage: usage,
                messages: messages,
                isBackward: isBackward,
                hasMore: true
            )
            #expect(transcript.messages == messages)
            #expect(transcript.hasMore)
        }
    }

    @Test func `what was found, and a report`() {
        let piece = HermesSearch.Hit.Piece(text: "word", isMatch: true)
        let hit = HermesSearch.Hit(messageID: 1, sessionID: "s", role: .user, timestamp: 1, snippet: [piece])
        let found = HermesSearch.Found(
            hits: HermesListing(elements: [hit], hasMore: true),
            method: .scan
        )
        #expect(found == found && found.hasMore && found.method != .words)
        let results = HermesSearch.Results(page: HermesPage(elements: [hit]))
        #expect(results == results && results.page.elements == [hit])
        let session = HermesSession(id: "s", source: "cli", startedAt: 1)
        func report(_ calls: Int64) -> HermesReport {
            HermesReport(
                insights: HermesInsights(models: [("m", HermesInsights.Totals())], tools: [("terminal", calls)]),
                notable: [HermesInsights.Notable(reason: .longest, session: session)]
            )
        }
        #expect(report(1) == report(1))
        #expect(report(1) != report(2))
    }
}

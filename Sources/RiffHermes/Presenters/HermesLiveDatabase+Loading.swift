// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The readings of the answers.
extension HermesLiveDatabase {
    static let loadSessions: AnswerRunner<HermesSession.Filter, HermesListing<HermesSession>>.Load = {
        reader,
        filter,
        want,
        report in
        let list = ListingReader<HermesSession>(pageSize: 50, limit: 5000) { cursor, limit in
            try await reader.sessions(filter, after: cursor, limit: limit, previewLength: 120)
        }
        return switch want {
        case .more(let old): try await list.more(old)
        case .fresh(let old): try await list.fresh(old, report: report)
        }
    }

    static let loadActivity: AnswerRunner<HermesToolUse.Filter, HermesListing<HermesToolUse>>.Load = {
        reader,
        filter,
        want,
        report in
        let list = ListingReader<HermesToolUse>(pageSize: 50, limit: 2000) { cursor, limit in
            try await reader.toolActivity(filter, after: cursor, limit: min(limit, 500), resultLimit: 400)
        }
        return switch want {
        case .more(let old): try await list.more(old)
        case .fresh(let old): try await list.fresh(old, report: report)
        }
    }

    static let loadFound: AnswerRunner<HermesSearch, HermesSearch.Found>.Load = { reader, search, want, report in
        let facts = SearchFacts()
        let list = ListingReader<HermesSearch.Hit>(pageSize: 50, limit: 2000) { cursor, limit in
            let results = try await reader.search(search, after: cursor, limit: min(limit, 500))
            await facts.take(results)
            return results.page
        }
        switch want {
        case .more(let old):
            let hits = try await list.more(old.hits)
            return await facts.found(hits)
        case .fresh(let old):
            let hits = try await list.fresh(old?.hits) { await report(facts.found($0)) }
            return await facts.found(hits)
        }
    }

    static let loadTranscript: AnswerRunner<HermesTranscript.Question, HermesTranscript>.Load = {
        reader,
        question,
        want,
        report in
        let start = try await beginning(of: question, reader)
        let list = ListingReader<HermesMessage>(pageSize: 50, limit: HermesTranscript.limit) { cursor, limit in
            try await reader.messages(
                of: question.sessionID,
                question.filter,
                question.direction,
                after: cursor ?? start,
                limit: limit,
                contentLimit: HermesTranscript.textLength
            )
        }
        if case .more(var transcript) = want {
            transcript.listing = try await list.more(transcript.listing)
            return transcript
        }
        var old: HermesTranscript?
        if case .fresh(let value) = want { old = value }
        let session = try await reader.session(question.sessionID)
        let isSame = session != nil && session == old?.session
        let usage = if let old, isSame { old.usage } else { try await reader.usage(of: question.sessionID) }
        let facts = (session, usage)
        func transcript(_ listing: HermesListing<HermesMessage>) -> HermesTranscript {
            let isBackward = question.direction == .backward
            return HermesTranscript(session: facts.0, usage: facts.1, isBackward: isBackward, listing: listing)
        }
        let listing = try await list.fresh(old?.listing) { first in
            // What is taken back, compacted or added is counted in the session's row or shows on the newest page.
            isSame && question.direction == .backward && old?.listing.elements.starts(with: first.elements) == true
        } report: {
            await report(transcript($0))
        }
        return transcript(listing)
    }

    /// The place a little before a message; `nil` for an end of the session.
    private static func beginning(
        of question: HermesTranscript.Question,
        _ reader: any HermesReading
    ) async throws -> HermesCursor? {
        guard case .message(let id, let timestamp) = question.place else { return nil }
        let before = try await reader.messages(
            of: question.sessionID,
            question.filter,
            .backward,
            after: HermesCursor(.real(timestamp), .integer(id)),
            limit: 4,
            contentLimit: 1
        )
        // A list goes on behind its cursor, so the message itself comes with the last of those that are left out.
        guard before.next != nil, let last = before.elements.last else { return nil }
        return HermesCursor(.real(last.timestamp), .integer(last.id))
    }

    static func loadReport(
        _ now: @escaping @Sendable () -> Double
    ) -> AnswerRunner<HermesReport.Question, HermesReport>.Load {
        { reader, question, _, _ in try await HermesReport(reading: reader, question, now: now()) }
    }

    static func loadOverview(
        _ now: @escaping @Sendable () -> Double
    ) -> AnswerRunner<HermesOverview.Question, HermesOverview>.Load {
        { reader, question, _, _ in
            let (today, endOfDay) = HermesReport.Span.days(1).period(now: now(), timeZone: question.timeZone)
            let (week, _) = HermesReport.Span.days(7).period(now: now(), timeZone: question.timeZone)
            let ofWeek = try await reader.days(in: week, timeZone: question.timeZone)
            return HermesOverview(
                statistics: try await reader.statistics(),
                today: try await reader.totals(in: today),
                week: days(ofWeek, from: week.from ?? 0, question.timeZone),
                sessions: try await reader.sessions(
                    HermesSession.Filter(),
                    after: nil,
                    limit: question.count,
                    previewLength: 120
                ).elements,
                toolUses: Array(
                    try await reader.toolActivity(
                        HermesToolUse.Filter(),
                        after: nil,
                        limit: question.count,
                        resultLimit: 200
                    ).elements.prefix(question.count)
                ),
                validUntil: endOfDay
            )
        }
    }

    /// Seven days from one on, whether or not a session began on them.
    private static func days(_ days: [HermesInsights.Day], from start: Double, _ timeZone: TimeZone) -> [HermesInsights
        .Day]
    {
        // Noon of the first day, where the user is.
        let date = Date(timeIntervalSince1970: start + 43_200)
        let first = Int((start + 43_200 + Double(timeZone.secondsFromGMT(for: date))) / 86_400)
        let known = Dictionary(days.map { ($0.number, $0) }) { first, _ in first }
        return (first..<first + 7).map { known[$0] ?? HermesInsights.Day(number: $0) }
    }
}

/// The facts that every page of a search has beside its hits.
private actor SearchFacts {
    private var method = HermesSearch.Method.words
    private var isRankingCapped = false

    func take(_ results: HermesSearch.Results) {
        method = results.method
        isRankingCapped = results.isRankingCapped
    }

    func found(_ hits: HermesListing<HermesSearch.Hit>) -> HermesSearch.Found {
        HermesSearch.Found(hits: hits, method: method, isRankingCapped: isRankingCapped)
    }
}

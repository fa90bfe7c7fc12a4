// Riff
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import RiffHermes

/// Everything that is known now, for the view.
package struct DashPicture: Sendable {
    package var name: String
    package var now: Double
    package var timeZone: TimeZone
    package var overview: HermesAnswer<HermesOverview.Question, HermesOverview>
    package var sessions: HermesAnswer<HermesSession.Filter, HermesListing<HermesSession>>
    package var search: HermesAnswer<HermesSearch, HermesSearch.Found>
    package var transcript: HermesAnswer<HermesTranscript.Question, HermesTranscript>
    package var activity: HermesAnswer<HermesToolUse.Filter, HermesListing<HermesToolUse>>
    package var report: HermesAnswer<HermesReport.Question, HermesReport>
    package var log: LogBook

    package init(
        _ database: HermesLiveDatabase,
        name: String,
        now: Double,
        timeZone: TimeZone,
        log: LogBook = LogBook()
    ) {
        self.name = name
        self.now = now
        self.timeZone = timeZone
        overview = database.overview.current
        sessions = database.sessions.current
        search = database.search.current
        transcript = database.transcript.current
        activity = database.activity.current
        report = database.report.current
        self.log = log
    }
}

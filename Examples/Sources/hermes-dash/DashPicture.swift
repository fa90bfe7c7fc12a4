// Riff
// SPDX-License-Identifier: Apache-2.0

package import Foundation
package import RiffHermes

/// Everything that is known now, for the view.
package struct DashPicture: Sendable {
    package var name: String
    package var now: Double
    package var timeZone: TimeZone
    package var overview: HermesModel<HermesOverview.Question, HermesOverview>.Snapshot
    package var sessions: HermesModel<HermesSessionFilter, HermesListing<HermesSession>>.Snapshot
    package var search: HermesModel<HermesSearch, HermesFound>.Snapshot
    package var transcript: HermesModel<HermesTranscript.Question, HermesTranscript>.Snapshot
    package var activity: HermesModel<HermesToolFilter, HermesListing<HermesToolUse>>.Snapshot
    package var report: HermesModel<HermesReport.Question, HermesReport>.Snapshot
    package var log: LogBook

    package init(_ models: HermesModels, name: String, now: Double, timeZone: TimeZone, log: LogBook = LogBook()) {
        self.name = name
        self.now = now
        self.timeZone = timeZone
        overview = models.overview.current
        sessions = models.sessions.current
        search = models.search.current
        transcript = models.transcript.current
        activity = models.activity.current
        report = models.report.current
        self.log = log
    }
}

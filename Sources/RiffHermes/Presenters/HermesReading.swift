// Riff
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A seam: what the presenters ask of a Hermes database. ``HermesDatabase`` is it; tests give one that waits and fails.
///
/// To the implementer: as ``HermesDatabase``, method by method.
package protocol HermesReading: Sendable {
    func glance() async throws -> HermesFingerprint
    func sessions(
        _ filter: HermesSession.Filter,
        after cursor: HermesCursor?,
        limit: Int,
        previewLength: Int
    ) async throws -> HermesPage<HermesSession>
    func session(_ id: String) async throws -> HermesSession?
    func usage(of sessionID: String) async throws -> [HermesInsights.ModelUsage]
    func messages(
        of sessionID: String,
        _ filter: HermesMessage.Filter,
        _ direction: HermesMessage.Direction,
        after cursor: HermesCursor?,
        limit: Int,
        contentLimit: Int
    ) async throws -> HermesPage<HermesMessage>
    func message(_ id: Int64) async throws -> HermesMessage?
    func search(
        _ search: HermesSearch,
        after cursor: HermesCursor?,
        limit: Int
    ) async throws -> HermesSearch.Results
    func toolActivity(
        _ filter: HermesToolUse.Filter,
        after cursor: HermesCursor?,
        limit: Int,
        resultLimit: Int
    ) async throws -> HermesPage<HermesToolUse>
    func insights(in period: HermesInsights.Period, timeZone: TimeZone) async throws -> HermesInsights
    func totals(in period: HermesInsights.Period) async throws -> HermesInsights.Totals
    func days(in period: HermesInsights.Period, timeZone: TimeZone) async throws -> [HermesInsights.Day]
    func statistics() async throws -> HermesStatistics
    func notableSessions(in period: HermesInsights.Period) async throws -> [HermesInsights.Notable]
    func close() async
}

extension HermesDatabase: HermesReading {}

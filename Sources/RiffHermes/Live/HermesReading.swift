// Riff
// SPDX-License-Identifier: Apache-2.0

package import Foundation

/// A seam: what the presenters ask of a Hermes database. ``HermesDatabase`` is it; tests give one that waits and fails.
///
/// To the implementer: as ``HermesDatabase``, method by method.
package protocol HermesReading: Sendable {
    func glance() async throws -> HermesFingerprint
    func sessions(
        _ filter: HermesSessionFilter,
        after cursor: HermesCursor?,
        limit: Int,
        previewLength: Int
    ) async throws -> HermesPage<HermesSession>
    func session(_ id: String) async throws -> HermesSession?
    func usage(of sessionID: String) async throws -> [HermesModelUsage]
    func messages(
        of sessionID: String,
        _ filter: HermesMessageFilter,
        _ direction: HermesDirection,
        after cursor: HermesCursor?,
        limit: Int,
        contentLimit: Int
    ) async throws -> HermesPage<HermesMessage>
    func message(_ id: Int64) async throws -> HermesMessage?
    func search(
        _ search: HermesSearch,
        after cursor: HermesCursor?,
        limit: Int
    ) async throws -> HermesSearchResults
    func toolActivity(
        _ filter: HermesToolFilter,
        after cursor: HermesCursor?,
        limit: Int,
        resultLimit: Int
    ) async throws -> HermesPage<HermesToolUse>
    func insights(in period: HermesPeriod, timeZone: TimeZone) async throws -> HermesInsights
    func totals(in period: HermesPeriod) async throws -> HermesTotals
    func days(in period: HermesPeriod, timeZone: TimeZone) async throws -> [HermesDay]
    func statistics() async throws -> HermesStatistics
    func notableSessions(in period: HermesPeriod) async throws -> [HermesNotable]
    func close() async
}

extension HermesDatabase: HermesReading {}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// What is asked of the histories, and what waits for them, by the histories' keys.
struct HubHistoryRequests: Sendable {
    /// The last request for each history.
    var last: [String: Int] = [:]
    /// The last request for older messages of each history.
    var older: [String: Int] = [:]
    /// Histories that were told empty, and were not so before: how far the machine was then, and when to ask again.
    var empty: [String: (last: Int, retry: Duration?)] = [:]
    /// Histories that an answer waits for.
    var stale: [String: StaleHistory] = [:]
    /// Histories that were not told in time over this connection: no answer waits for them any more.
    var silent: Set<String> = []
}

/// The sessions that have ended, by their ids.
struct HubDepartures: Sendable {
    /// How far the machine was then: a list that was asked for before may still have them.
    var places: [String: Int] = [:]
    /// The voices that they had.
    var voices: [String: String] = [:]
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// What is asked of the histories, and what waits for them, by the histories' keys.
struct HubHistoryRequests: Sendable {
    /// The last request for each history.
    var last: [HubVoice.ID: HubSequenceNumber] = [:]
    /// The last request for older messages of each history.
    var older: [HubVoice.ID: HubSequenceNumber] = [:]
    /// The most requests for one history that are not answered.
    static let most = 8

    /// The number of requests for each history, over the connection that is open, that were not answered.
    var open: [HubVoice.ID: Int] = [:]
    /// Histories that are asked for once more when one of their requests is answered.
    var again: Set<HubVoice.ID> = []
    /// Histories that were told empty, and were not so before: when to ask again, and how far the machine was then.
    var empty: [HubVoice.ID: (last: HubSequenceNumber?, retry: Duration?)] = [:]
    /// Histories that an answer waits for.
    var stale: [HubVoice.ID: StaleHistory] = [:]
    /// Histories that were not told in time over this connection: no answer waits for them any more.
    var silent: Set<HubVoice.ID> = []

    /// Forgets what concerns other histories.
    mutating func keep(where isKept: (HubVoice.ID) -> Bool) {
        last = last.filter { isKept($0.key) }
        older = older.filter { isKept($0.key) }
        open = open.filter { isKept($0.key) }
        again = again.filter(isKept)
        empty = empty.filter { isKept($0.key) }
        stale = stale.filter { isKept($0.key) }
        silent = silent.filter(isKept)
    }
}

/// The sessions that have ended, by their ids.
struct HubDepartures: Sendable {
    /// The machine's sequence number at that time: a list that was asked for before may still have the sessions.
    var places: [HubSession.ID: HubSequenceNumber] = [:]
    /// The voices that they had.
    var voices: [HubSession.ID: HubVoice.ID] = [:]

    /// Forgets those that ended long ago.
    mutating func forget(before place: HubSequenceNumber) {
        places = places.filter { $0.value > place }
        voices = voices.filter { places[$0.key] != nil }
    }
}

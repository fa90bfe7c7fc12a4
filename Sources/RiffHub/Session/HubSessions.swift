// Riff
// SPDX-License-Identifier: Apache-2.0

/// The sessions of a hub in the order in which they came, and which of them an event has touched: a value.
///
/// A grid holds many sessions and a message is about one. What is to be done after a message, the next deadline and the
/// grid's cards are made of those that were touched, and of the few that wait for something.
struct HubSessions: Sendable {
    /// The part of a session that is looked at without having been touched.
    private struct Watch: Sendable {
        var deadline: Duration?
        /// Whether an answer waits, so that the connection or a history may let it go.
        var hasAnswers: Bool
        /// Whether there may be something to do at any event.
        var isBusy: Bool
    }

    /// The most sessions of one list.
    static let listed = 1_024
    /// The most sessions that no list has told, which anything that the hub says makes; and the most that the hub has
    /// no more, while something of them was not heard.
    static let unlisted = 64

    private var models: [HubSession.ID: HubSessionMachine] = [:]
    /// The ids, in the order in which they came.
    private(set) var order: [HubSession.ID] = []
    private var places: [HubSession.ID: Int] = [:]
    private var lastPlace = 0
    private var watches: [HubSession.ID: Watch] = [:]
    private var keys: [HubSession.ID: HubVoice.ID] = [:]
    /// The ids that have one history, in order, by its key.
    private(set) var groups: [HubVoice.ID: [HubSession.ID]] = [:]
    private var mentions: [HubSession.ID] = []
    /// The ids that the last event touched; also of sessions that are gone by now.
    private(set) var touched: Set<HubSession.ID> = []
    /// Whether the last event brought a session, took one away, or told the voice of one.
    private(set) var isRegrouped = false
    private var gone: Set<HubSession.ID> = []
    /// The ids that no list has told.
    private var untold: Set<HubSession.ID> = []

    /// The session of an id. To change it in place touches it, even if nothing in it changes.
    subscript(id: HubSession.ID) -> HubSessionMachine? {
        get { models[id] }
        _modify {
            // Most events change one session several times.
            if mentions.last != id { mentions.append(id) }
            yield &models[id]
        }
    }

    /// All of them, in no order.
    var values: Dictionary<HubSession.ID, HubSessionMachine>.Values { models.values }

    /// The bytes of sound that all of them hold.
    var speechBytes: Int {
        // Only those that are watched may hold some.
        watches.keys.reduce(0) { $0 + (models[$1]?.speech.bytes ?? 0) }
    }

    /// Whether a session of a list may be added: a new list is kept beside the one before until that is let go.
    var hasRoomForListed: Bool { order.count < 2 * Self.listed }

    /// Whether a session may be added that no list has told.
    var hasRoomForUnlisted: Bool { untold.count < Self.unlisted && hasRoomForListed }

    /// A list has told a session.
    mutating func tell(_ id: HubSession.ID) { untold.remove(id) }

    /// Adds a session, or puts it in the place of one with its id; no list has told it yet.
    mutating func add(_ model: HubSessionMachine) {
        let id = model.session.id
        if places[id] == nil {
            lastPlace += 1
            places[id] = lastPlace
            order.append(id)
        }
        gone.remove(id)
        untold.insert(id)
        self[id] = model
    }

    /// The hub has a session no more, of which something was not heard.
    mutating func keepUntilHeard(_ id: HubSession.ID) {
        guard models[id] != nil else { return }
        gone.insert(id)
        untold.remove(id)
        self[id]?.leave()
    }

    /// Those of which the hub has no more, in order.
    var unheard: [HubSession.ID] { gone.isEmpty ? [] : sorted(gone) }

    /// Forgets sessions.
    mutating func remove(_ ids: Set<HubSession.ID>) {
        guard !ids.isEmpty else { return }
        for id in ids {
            self[id] = nil
            gone.remove(id)
            untold.remove(id)
            places[id] = nil
        }
        order.removeAll { ids.contains($0) }
    }

    /// Starts with an event: nothing is touched.
    mutating func begin() {
        mentions.removeAll(keepingCapacity: true)
        touched.removeAll(keepingCapacity: true)
        isRegrouped = false
    }

    /// The sessions in which something may have to be done now, in order: those that were touched, and those that wait.
    func due() -> [HubSession.ID] {
        if watches.isEmpty, mentions.count == 1 { return mentions.filter { places[$0] != nil } }
        var ids = Set(mentions)
        for (id, watch) in watches where watch.isBusy { ids.insert(id) }
        return sorted(ids)
    }

    private func sorted(_ ids: Set<HubSession.ID>) -> [HubSession.ID] {
        ids.compactMap { id in places[id].map { (place: $0, id: id) } }.sorted { $0.place < $1.place }.map(\.id)
    }

    /// Ends an event: notes what is to be looked at from now on.
    mutating func end() {
        for id in mentions where touched.insert(id).inserted { note(id) }
        guard isRegrouped else { return }
        groups = Dictionary(grouping: order) { keys[$0] ?? $0.asVoice }
    }

    private mutating func note(_ id: HubSession.ID) {
        guard let model = models[id] else {
            watches[id] = nil
            if keys.removeValue(forKey: id) != nil { isRegrouped = true }
            return
        }
        let key = model.historyKey
        if keys[id] != key {
            keys[id] = key
            isRegrouped = true
        }
        let (isBusy, deadline) = (model.isBusy, model.deadline)
        guard isBusy || deadline != nil || !model.speech.isEmpty else {
            if !watches.isEmpty { watches[id] = nil }
            return
        }
        watches[id] = Watch(deadline: deadline, hasAnswers: !model.answers.isEmpty, isBusy: isBusy)
    }

    /// The key of a session's history.
    func key(of id: HubSession.ID) -> HubVoice.ID? { keys[id] }

    /// The nearest deadline of the sessions themselves.
    var deadline: Duration? { watches.values.lazy.compactMap(\.deadline).min() }

    /// The sessions for which an answer waits.
    var answering: some Sequence<HubSessionMachine> {
        watches.lazy.filter { $0.value.hasAnswers }.compactMap { models[$0.key] }
    }
}

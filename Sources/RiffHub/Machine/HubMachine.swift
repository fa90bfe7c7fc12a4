// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

/// A whole client of a voice hub, as a value without clock or I/O: events in, effects out, and a state to look at. Times
/// are since any beginning.
///
/// Its parts are machines of their own: ``HubConnectionMachine``, ``HubTurn``, ``HubSpeechQueue``, ``HubAnswers``,
/// ``HubSilence``, ``HubSpawns``, ``HubHistory``, ``HubGenerationEvidence``.
public struct HubMachine: Sendable {
    /// How often the hub is asked for its sessions: it never tells that one died.
    public static let reconciliation = Duration.seconds(15)

    enum Poll: Sendable, Hashable { case sessions, settings }

    enum Microphone: Sendable, Hashable {
        case closed
        case watching(session: String, number: Int)
        case recording(session: String, number: Int)
        case finishing(session: String, number: Int)
    }

    /// The connection.
    public internal(set) var connection: HubConnectionMachine
    /// What is known of the hub's age.
    public internal(set) var evidence = HubGenerationEvidence()
    /// The hub's settings; its defaults until it told them.
    public internal(set) var settings = HubSettings()
    /// Whether the person is muted.
    public internal(set) var isMuted = false
    /// The session that is open; `nil` where the grid is.
    public internal(set) var openSession: String?
    /// The newest failure, until something else is done.
    public internal(set) var failure: HubFailure?
    /// Why there is no connection, where one could not be made.
    public internal(set) var connectionFailure: HubFailure?
    /// How many messages could not be read.
    public internal(set) var malformedFrames = 0
    /// How many messages were of an unknown type.
    public internal(set) var unknownFrames = 0
    /// The newest eight of them, oldest first; without those that are larger than 64 KiB.
    public internal(set) var unknownMessages: [JSONObject] = []
    /// Whether the hub is of a kind that is not spoken here.
    public internal(set) var isRefused = false

    var sessions: [String: HubSessionModel] = [:]
    var order: [String] = []
    var histories: [String: HubHistory] = [:]
    var spawns = HubSpawns()
    var spawnFailures: [String: HubFailure] = [:]
    var microphone = Microphone.closed
    /// The microphone that began to record by itself, while nobody has spoken into it.
    var unspoken: Int?
    /// Where the person was when the connection was lost: the hub may call them back there.
    var returning: String?
    /// Whether the hub has told its sessions over this connection: only then does a voice without one have none.
    public internal(set) var areSessionsKnown = false
    /// The voice that was tapped last, while its session is not there: it opens once it is.
    var awaited: String?
    /// The last request for older messages of each history.
    var olderRequests: [String: Int] = [:]
    /// The number of the settings that are here: what was asked for before says nothing of them.
    var lastSettings = 0
    /// What is asked for again and again, and failed: it goes once that is told.
    var pollFailures: [Poll: HubFailure] = [:]
    /// How far the machine was when sessions ended: a list that was asked for before may still have them.
    var endings: [String: Int] = [:]
    /// Whether to record again, once the last recording is over.
    var recordsNext = false
    var isInBackground = false
    var playing: (session: String, clip: Int)?
    var nextReconciliation: Duration?
    /// The mark of the history when a request was made; `seen` of the sessions when the list was asked for.
    var requests: [Int: Int] = [:]
    /// The last request for each history.
    var lastRequests: [String: Int] = [:]
    /// Histories that an answer waits for, by their keys.
    var staleHistories: [String: StaleHistory] = [:]
    /// Histories that were not told in time over this connection: no answer waits for them any more.
    var silentHistories: Set<String> = []
    var lastNumber = 0
    /// The last number when the connection was made.
    var connectedNumber = 0
    var effects: [HubEffect] = []

    /// A client that was not begun.
    ///
    /// - Parameter reconnect: How long it waits before it connects again.
    public init(reconnect: ReconnectPolicy = .standard) { connection = HubConnectionMachine(policy: reconnect) }

    /// What the hub is known to understand.
    public var features: HubFeatures { evidence.generation?.features ?? [] }

    /// When a `tick` is due.
    public var deadline: Duration? {
        var all: [Duration?] = [connection.deadline, isInBackground ? nil : nextReconciliation]
        for model in sessions.values {
            all += model.deadlines
            if isReadyToAnswer(model) { all.append(staleHistories[model.historyKey]?.deadline) }
        }
        if let model = openSession.flatMap({ sessions[$0] }), isSilenceDue(model) { all.append(model.silence.deadline) }
        return all.compactMap(\.self).min()
    }

    /// Takes what happened.
    ///
    /// - Returns: What is to be done, in order.
    public mutating func handle(_ event: HubEvent, at now: Duration) -> [HubEffect] {
        effects = []
        switch event {
        case .connection(let event): connectionChanged(event, now)
        case .frame(let socket, let frame):
            guard socket == connection.socket else { break }
            connectionChanged(.heard(socket: socket), now)
            take(frame, now)
        case .malformed(let socket):
            guard socket == connection.socket else { break }
            malformedFrames += 1
            connectionChanged(.heard(socket: socket), now)
        case .notSent(let session, let answer): sessions[session]?.answers.notSent(answer)
        case .arrived(let session, let answer): arrived(answer, in: session, now)
        case .unsayable(let session, let answer, let failure):
            if let answer { sessions[session]?.answers.drop(answer) }
            self.failure = failure
        case .sessions(let request, let list):
            guard let seen = requests.removeValue(forKey: request) else { break }
            reconcile(list, seenBefore: seen, now)
            for session in list { resumeLate(session.id, request, now) }
            spawnWished(request)
            polled(.sessions)
            if connection.socket != nil, request > connectedNumber { areSessionsKnown = true }
        case .sessionsFailed(let request, let failure):
            requests[request] = nil
            pollFailed(.sessions, failure)
            wishesFailed(request, failure)
        case .settings(let request, let settings):
            polled(.settings)
            if request > lastSettings { take(settings, request, now) }
        case .settingsFailed(let failure): pollFailed(.settings, failure)
        case .settingsChanged(let settings): take(settings, number(), now)
        case .history(let voice, let request, let page): merge(page, of: voice, request, now)
        case .older(let voice, let request, let page):
            guard olderRequests[voice] == request else { break }
            olderRequests[voice] = nil
            histories[voice]?.prepend(page.messages, hasMore: page.hasMore)
        case .historyFailed(let voice, let request) where olderRequests[voice] == request: olderRequests[voice] = nil
        case .historyFailed(let voice, let request):
            requests[request] = nil
            if lastRequests[voice] == request { staleHistories[voice]?.retry = now + StaleHistory.pause }
        case .spawned(let voice, let session): spawned(voice, session, now)
        case .spawnFailed(let voice, let failure): spawnFailed(voice, failure, now)
        case .endFailed(let session, let failure):
            self.failure = failure
            sessions[session]?.isEndingMissed = true
        case .failed(let failure): self.failure = failure
        case .connectFailed(let failure): if connection.socket == nil { connectionFailure = failure }
        case .refused(let failure):
            (self.failure, isRefused) = (failure, true)
        case .played(let clip, let failure): played(clip, failure, now)
        case .interrupted(let number): spokenInto(number, now)
        case .spoke(let number): if unspoken == number { unspoken = nil }
        case .recorded(let number, let file, let failure): recorded(number, file, failure, now)
        case .open(let voice): open(voice: voice, now)
        case .openSession(let session): open(session: session, now)
        case .showOlder: showOlder()
        case .showGrid:
            (returning, awaited) = (nil, nil)
            showGrid(now)
        case .end(let session):
            failure = nil
            effects.append(.terminate(session: session))
        case .ended(let session): ended(session)
        case .record: record(now)
        case .finishRecording: finishRecording()
        case .discardRecording: discardRecording()
        case .answer(let session, let content): answer(session, content)
        case .interrupt: interrupt(now)
        case .mute(let isMuted): mute(isMuted, now)
        case .say(let command): say(command)
        case .cleared(let voice):
            histories[voice, default: HubHistory()].clear()
            olderRequests[voice] = nil
        case .refresh:
            failure = nil
            refresh(now)
        case .tick: tick(now)
        }
        if evidence.generation == .chat, !isRefused {
            (failure, isRefused) = (HubFailure(HubError.tooNew), true)
        }
        if isRefused { connectionChanged(.stop, now) }
        settle(now)
        return effects
    }

    /// The answer of a session that was sent, and is not known to have been taken.
    package func sentAnswer(in session: String) -> Int? { sessions[session]?.answers.sentNumber }

    mutating func number() -> Int {
        lastNumber += 1
        return lastNumber
    }

    // MARK: The connection

    private mutating func connectionChanged(_ event: HubConnectionMachine.Event, _ now: Duration) {
        let before = connection.socket
        for effect in connection.handle(event, at: now) {
            switch effect {
            case .connect(let socket): effects.append(.connect(socket: socket))
            case .drop(let socket): effects.append(.drop(socket: socket))
            }
        }
        if before != nil, connection.socket == nil { lost(now) }
        if before == nil, connection.socket != nil { connected(now) }
        switch event {
        case .background: isInBackground = true
        case .foreground:
            isInBackground = false
            if connection.socket != nil { refresh(now) }
        default: break
        }
    }

    private mutating func connected(_ now: Duration) {
        (areSessionsKnown, connectedNumber, connectionFailure) = (false, lastNumber, nil)
        effects.append(.fetchSettings(request: number()))
        nextReconciliation = now + Self.reconciliation
        for key in staleHistories.keys { staleHistories[key]?.giveUp = now + StaleHistory.patience }
        // What was said meanwhile is only in the histories; and they tell what became of an answer.
        for key in Set(
            sessions.values.filter {
                $0.session.id == returning || $0.answers.needsHistory || $0.isHeardInDoubt
            }.map(\.historyKey)
        ) {
            fetchHistory(key)
        }
    }

    /// The hub's half of everything is unknown now; the person's half stays.
    private mutating func lost(_ now: Duration) {
        nextReconciliation = nil
        areSessionsKnown = false
        olderRequests = [:]
        silentHistories = []
        returning = openSession ?? returning
        for model in sessions.values { staleHistories[model.historyKey] = StaleHistory() }
        for id in sessions.keys {
            sessions[id]?.turn.handle(.lost, at: now)
            sessions[id]?.answers.lose(at: now)
            sessions[id]?.silence.withdraw()
            sessions[id]?.isEnding = false
            let speech = sessions[id]?.speech
            sessions[id]?.isHeardInDoubt = speech?.owesPlaybackDone == true || speech?.isDoneUnconfirmed == true
            sessions[id]?.isRepeatDue = false
            sessions[id]?.isAfterText = false
            sessions[id]?.isAfterSound = false
            sessions[id]?.uncertainUntil = nil
        }
        for key in histories.keys { histories[key]?.lose() }
    }

    mutating func refresh(_ now: Duration) {
        fetchSessions()
        nextReconciliation = now + Self.reconciliation
        effects.append(.fetchSettings(request: number()))
        if let model = openSession.flatMap({ sessions[$0] }) { fetchHistory(model.historyKey) }
    }

    @discardableResult
    mutating func fetchSessions() -> Int {
        let request = number()
        requests[request] = request
        effects.append(.fetchSessions(request: request))
        return request
    }

    private mutating func take(_ settings: HubSettings, _ number: Int, _ now: Duration) {
        let hasChanged = settings.recordsByItself != self.settings.recordsByItself
        (self.settings, lastSettings) = (settings, number)
        evidence.settings(settings.json)
        if hasChanged { recordIfInvited(now) }
    }

    /// What is asked for again by itself failed, though the connection stands.
    private mutating func pollFailed(_ poll: Poll, _ failure: HubFailure) {
        guard connection.socket != nil else { return }
        pollFailures[poll] = failure
        self.failure = failure
    }

    private mutating func polled(_ poll: Poll) {
        guard let old = pollFailures.removeValue(forKey: poll), failure == old else { return }
        failure = pollFailures.values.first
    }

    mutating func fetchHistory(_ key: String) {
        guard sessions[key] == nil || sessions[key]?.isKnown == true else { return }
        let request = number()
        requests[request] = histories[key]?.mark ?? 0
        lastRequests[key] = request
        effects.append(.fetchHistory(voice: key, request: request))
    }

    private func needsHistory(_ model: HubSessionModel) -> Bool {
        model.answers.needsHistory || model.isHeardInDoubt || histories[model.historyKey]?.isUncertain == true
            || isHistoryMissed(model)
    }

    /// Whether a person looks at a voice's history that could not be read.
    func isHistoryMissed(_ voice: String) -> Bool {
        sessions.values.contains { $0.historyKey == voice && isHistoryMissed($0) }
    }

    /// Whether a person looks at a history that was not told, or not since a connection was lost.
    private func isHistoryMissed(_ model: HubSessionModel) -> Bool {
        guard model.session.id == openSession, model.isKnown, !model.isGone else { return false }
        return histories[model.historyKey]?.isLoaded != true || staleHistories[model.historyKey] != nil
    }

    private mutating func tick(_ now: Duration) {
        connectionChanged(.tick, now)
        for id in order {
            sessions[id]?.turn.tick(at: now)
            if sessions[id]?.turn.isUnheard == true { failure = Self.unheard }
            guard let deadline = sessions[id]?.answers.deadline, deadline <= now else { continue }
            if sessions[id]?.answers.isOnItsWay == true { sessions[id]?.answers.lose() }
            // The request that it leads to is asked again with the sessions, where it fails.
            sessions[id]?.answers.isSettling = true
            if let key = sessions[id]?.historyKey { fetchHistory(key) }
        }
        if let due = nextReconciliation, due <= now, !isInBackground {
            nextReconciliation = now + Self.reconciliation
            fetchSessions()
            // Another client's change is seen only so.
            effects.append(.fetchSettings(request: number()))
            for id in order where sessions[id]?.isEndingMissed == true {
                sessions[id]?.isEnding = false
                sessions[id]?.isEndingMissed = false
            }
            for key in Set(sessions.values.filter(needsHistory).map(\.historyKey)) { fetchHistory(key) }
        }
        if endings.count > 256 { endings = endings.filter { $0.value > lastNumber - 4_096 } }
        if requests.count > 256 { requests = requests.filter { $0.key > lastNumber - 256 } }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// A whole client of a voice hub, as a value without clock or I/O: events in, effects out, and a state to look at.
/// Times are since any beginning.
///
/// Its parts are machines of their own: ``HubConnectionMachine``, ``HubTurn``, ``HubSpeechQueue``, ``HubAnswers``,
/// ``HubSilence``, ``HubSpawns``, ``HubHistory``, ``HubGenerationEvidence``.
package struct HubMachine: Sendable {
    /// The interval at which the hub is asked for its sessions: it never reports that one died.
    package static let reconciliation = Duration.seconds(15)

    enum Poll: Sendable, Hashable { case sessions, settings }

    /// A request of which the answer matters by what was known when it was made.
    enum Request: Sendable, Hashable {
        case sessions
        /// A voice's history, and how far it was.
        case history(mark: Int)
    }

    enum Microphone: Sendable, Hashable {
        case closed
        case watching(session: HubSession.ID, number: Int)
        case recording(session: HubSession.ID, number: Int)
        case finishing(session: HubSession.ID, number: Int)
    }

    /// The state of the connection.
    package internal(set) var connection: HubConnectionMachine
    /// What is known of the hub's age.
    package internal(set) var evidence = HubGenerationEvidence()
    /// The hub's settings; its defaults until it told them.
    package internal(set) var settings = HubSettings()
    /// Whether the person is muted.
    package internal(set) var isMuted = false
    /// The session that is open; `nil` where the grid is.
    package internal(set) var openSession: HubSession.ID?
    /// The newest failure, until something else is done.
    package internal(set) var failure: Problem? { didSet { if failure != nil { failureCount &+= 1 } } }
    /// The number of failures so far.
    package private(set) var failureCount = 0
    /// Why there is no connection, where one could not be made.
    package internal(set) var connectionFailure: Problem?
    /// The number of messages that could not be read.
    package internal(set) var malformedFrames = 0
    /// The number of messages of an unknown type.
    package internal(set) var unknownFrames = 0
    /// The newest eight of them, oldest first; without those that are larger than 64 KiB.
    package internal(set) var unknownMessages: [JSONObject] = []
    /// Whether the hub is of a kind that is not spoken here.
    package internal(set) var isRefused = false

    var sessions = HubSessions()
    var histories: [HubVoice.ID: HubHistory] = [:]
    var spawns = HubSpawns()
    var spawnFailures: [HubVoice.ID: Problem] = [:]
    /// Why the hub made no session, while a list tells whether another client's is there.
    var refusals: [HubVoice.ID: Problem] = [:]
    var microphone = Microphone.closed
    /// The microphone that began to record by itself, while the user has not spoken into it.
    var unspoken: Int?
    /// The session that was open when the connection was lost: the hub may call the person back there.
    var returning: HubSession.ID?
    /// Whether the hub has told its sessions over this connection: only then does a voice without one have none.
    package internal(set) var areSessionsKnown = false
    /// The voice that was tapped last, while its session is not there: it opens once it is.
    var awaited: HubVoice.ID?
    /// The number of the settings that are here: what was asked for before says nothing of them.
    var lastSettings = HubSequenceNumber.zero
    /// The failures of repeated requests: one goes once its request succeeds.
    var pollFailures: [Poll: Problem] = [:]
    /// The sessions that have ended.
    var departed = HubDepartures()
    /// Answers whose words never came.
    var lostAnswers = HubLostAnswers()
    /// Whether to record again, once the last recording is over.
    var recordsNext = false
    var isInBackground = false
    var hasAudio = true
    var playing: (session: HubSession.ID, clip: Int)?
    var nextReconciliation: Duration?
    /// The requests that were not answered.
    var requests: [HubSequenceNumber: Request] = [:]
    /// The request for the list that tells of sessions that no list has told, and whether more have come since.
    var unlisted: (request: HubSequenceNumber?, isAskedAgain: Bool) = (request: nil, isAskedAgain: false)
    /// What is asked of the histories, and what waits for them.
    var historyRequests = HubHistoryRequests()
    var lastNumber = HubSequenceNumber.zero
    /// The last number when the connection was made.
    var connectedNumber = HubSequenceNumber.zero
    var effects: [HubEffect] = []

    /// A client that was not begun.
    ///
    /// - Parameter reconnect: How long it waits before it connects again.
    package init(reconnect: ReconnectPolicy = .standard) { connection = HubConnectionMachine(policy: reconnect) }

    /// The features that the hub is known to have.
    package var features: HubFeatures { evidence.generation?.features ?? [] }

    /// When a `tick` is due.
    package var deadline: Duration? {
        var all: [Duration?] = [connection.deadline, isInBackground ? nil : nextReconciliation]
        if connection.socket != nil { all += historyRequests.empty.values.map(\.retry) }
        all.append(sessions.deadline)
        for model in sessions.answering where isReadyToAnswer(model) {
            all.append(historyRequests.stale[model.historyKey]?.deadline)
        }
        if let model = openSession.flatMap({ sessions[$0] }), isSilenceDue(model) { all.append(model.silence.deadline) }
        return all.compactMap(\.self).min()
    }

    /// Takes what happened.
    ///
    /// - Returns: What is to be done, in order.
    package mutating func handle(_ event: HubEvent, at now: Duration) -> [HubEffect] {
        effects = []
        sessions.begin()
        switch event {
        case .connection(let event): handle(connection: event, at: now)
        case .frame(let socket, let frame):
            guard socket == connection.socket else { break }
            handle(connection: .heard(socket: socket), at: now)
            handle(frame, at: now)
        case .malformed(let socket):
            guard socket == connection.socket else { break }
            malformedFrames += 1
            handle(connection: .heard(socket: socket), at: now)
        case .notSent(let session, let answer): sessions[session]?.answers.notSent(answer)
        case .arrived(let session, let answer): arrived(answer, in: session, at: now)
        case .unsayable(let session, let answer, let failure):
            if let answer { sessions[session]?.answers.drop(answer) }
            self.failure = failure
        case .sessions(let request, let list):
            guard case .sessions? = requests.removeValue(forKey: request) else { break }
            reconcile(list, seenBefore: request, at: now)
            for session in list { resume(session.id, listedBy: request, at: now) }
            spawnWished(listedBy: request)
            polled(.sessions)
            if connection.socket != nil, request > connectedNumber { areSessionsKnown = true }
            answeredUnlisted(by: request, isTold: true)
        case .sessionsFailed(let request, let failure):
            requests[request] = nil
            pollFailed(.sessions, with: failure)
            spawnWishesFailed(listedBy: request, with: failure)
            answeredUnlisted(by: request, isTold: false)
        case .settings(let request, let settings):
            polled(.settings)
            if request > lastSettings { update(settings, as: request, at: now) }
        case .settingsFailed(let failure): pollFailed(.settings, with: failure)
        case .settingsChanged(let settings): update(settings, as: advance(), at: now)
        case .history(let voice, let request, let page):
            let isAskedAgain = closeHistoryRequest(voice, request)
            merge(page, of: voice, request: request, at: now)
            if isAskedAgain { fetchHistory(voice) }
        case .older(let voice, let request, let page):
            guard historyRequests.older[voice] == request else { break }
            historyRequests.older[voice] = nil
            histories[voice]?.prepend(page.messages, hasMore: page.hasMore)
        case .historyFailed(let voice, let request) where historyRequests.older[voice] == request:
            historyRequests.older[voice] = nil
        case .historyFailed(let voice, let request):
            requests[request] = nil
            // What it would have told is asked for with the sessions.
            _ = closeHistoryRequest(voice, request)
            if historyRequests.last[voice] == request { historyRequests.stale[voice]?.retry = now + StaleHistory.pause }
        case .spawned(let voice, let session): spawned(session, with: voice, at: now)
        case .spawnFailed(let voice, let failure): spawnFailed(voice, with: failure, at: now)
        case .endFailed(let session, let failure):
            self.failure = failure
            sessions[session]?.missEnding()
        case .failed(let failure): self.failure = failure
        case .connectFailed(let failure): if connection.socket == nil { connectionFailure = failure }
        case .refused(let failure):
            (self.failure, isRefused) = (failure, true)
        case .played(let clip, let failure): played(clip, failure: failure, at: now)
        case .interrupted(let number): interrupted(byMicrophone: number, at: now)
        case .spoke(let number): if unspoken == number { unspoken = nil }
        case .recorded(let number, let file, let failure):
            recorded(byMicrophone: number, file: file, failure: failure, at: now)
        case .audio(let isThere): setAudio(isThere: isThere, at: now)
        case .open(let voice):
            hasAudio = true
            open(voice: voice, at: now)
        case .openSession(let session):
            hasAudio = true
            open(session: session, at: now)
        case .showOlder: showOlder()
        case .showGrid:
            (returning, awaited) = (nil, nil)
            showGrid(at: now)
        case .end(let session):
            failure = nil
            effects.append(.terminate(session: session))
        case .ended(let session): ended(session)
        case .record: record(at: now)
        case .finishRecording: finishRecording()
        case .discardRecording: discardRecording()
        case .answer(let session, let content): answer(content, in: session)
        case .sendAgain(let answer): sendAgain(answer)
        case .discard(let answer): discard(answer)
        case .interrupt: interrupt(at: now)
        case .mute(let isMuted): setMuted(isMuted, at: now)
        case .say(let command): say(command)
        case .cleared(let voice):
            histories[voice, default: HubHistory()].clear()
            historyRequests.older[voice] = nil
        case .refresh:
            failure = nil
            refresh(at: now)
        case .tick: tick(at: now)
        }
        if evidence.generation == .chat, !isRefused {
            (failure, isRefused) = (Problem(HubError.tooNew), true)
        }
        if isRefused { handle(connection: .stop, at: now) }
        settle(at: now)
        sessions.end()
        if sessions.isRegrouped { forgetHistories() }
        return effects
    }

    /// The answer of a session that was sent, and is not known to have been taken.
    package func sentAnswer(in session: HubSession.ID) -> Int? { sessions[session]?.answers.sentNumber }

    /// Shows a failure that was shown before, or none.
    ///
    /// - Parameters:
    ///   - earlier: The failure.
    ///   - count: The number of failures when it was shown, where others since then do not count.
    mutating func showEarlier(_ earlier: Problem?, count: Int? = nil) {
        let count = count ?? failureCount
        failure = earlier
        failureCount = count
    }

    /// Moves on by one: what is asked for and told from now on is later than all before.
    mutating func advance() -> HubSequenceNumber {
        lastNumber = lastNumber.next
        return lastNumber
    }

    /// Makes the number of an answer, a clip or a recording, which no other one has.
    mutating func number() -> Int { advance().rawValue }
}

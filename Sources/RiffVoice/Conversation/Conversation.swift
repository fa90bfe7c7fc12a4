// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import RiffTransport
internal import Synchronization

/// A hands-free conversation with an agent: the person speaks, the words are typed and submitted, the answer is spoken, and
/// the microphone opens again.
///
/// ```swift
/// let conversation = Conversation(
///     recognizer: recognizer, sink: session, feed: ClaudeAnswerFeed(transcripts),
///     voice: AnswerVoice(voice) { CommandAudioSink(.aplay()) }, makeSource: { CommandAudioSource(.arecord()) }
/// )
/// await conversation.enter()
/// for await snapshot in conversation.snapshots() { show(snapshot) }
/// ```
///
/// It is half-duplex: the microphone is never open while something is spoken, unless ``ConversationPolicy/bargeIn`` says
/// otherwise. Answers are spoken whatever the person's setting for narration is; stop a ``Narrator`` meanwhile, and skip
/// what it says. Call ``exit()`` before dropping it.
public actor Conversation {
    /// How loud the microphone is; the newest eight are kept. Ends with the conversation's own end. Single-consumer.
    public nonisolated let levels: AsyncStream<AudioLevel>
    /// How long each turn took; the newest 64 are kept. Single-consumer.
    public nonisolated let figures: AsyncStream<ConversationFigures>

    private let call: any CallSession
    private let sink: any TextInjecting
    private let feed: any AgentAnswerFeed
    private let voice: AnswerVoice
    private let clock: any Clock<Duration>
    private let stopwatch: Stopwatch
    private let parts: ListeningTurn.Parts
    private let source = StateSource(ConversationSnapshot())
    private let isMuted: MutedFlag
    private let levelReport: AsyncStream<AudioLevel>.Continuation
    private let figureReport: AsyncStream<ConversationFigures>.Continuation

    private var machine: ConversationMachine
    private var heard = ""
    private var turns: [Int: ListeningTurn] = [:]
    private var speeches: [Int: Task<Void, Never>] = [:]
    private var waits: [Int: Task<Void, Never>] = [:]
    private var lastWait = 0
    private var standing: [Task<Void, Never>] = []
    private var asked: [ApprovalRequest.ID: EventualValue<SpokenApproval>] = [:]
    private var current = ConversationFigures()
    /// Told when nothing is going on any more.
    private var rest: EventualValue<Void>?

    /// A conversation that has not begun.
    ///
    /// - Parameters:
    ///   - call: What it is to the system.
    ///   - policy: How it goes.
    ///   - recognizer: What turns speech into text; one turn of it for each turn here.
    ///   - sink: Where the text is typed and submitted.
    ///   - feed: What tells the agent's answers; nobody else asks it meanwhile.
    ///   - voice: What speaks them.
    ///   - detector: Tells speech while an answer is spoken; only ``ConversationPolicy/bargeIn`` needs one.
    ///   - clock: Measures pauses.
    ///   - makeSource: Makes the microphone of one turn.
    public init(
        call: any CallSession = PlainCall(),
        policy: ConversationPolicy = ConversationPolicy(),
        recognizer: any SpeechRecognizer,
        sink: any TextInjecting,
        feed: any AgentAnswerFeed,
        voice: AnswerVoice,
        detector: (any VoiceDetecting)? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        makeSource: @escaping @Sendable () async throws -> any AudioSource
    ) {
        let (isMuted, stopwatch) = (MutedFlag(), Stopwatch(clock))
        (self.call, self.sink, self.feed, self.voice) = (call, sink, feed, voice)
        (self.clock, self.stopwatch, self.isMuted) = (clock, stopwatch, isMuted)
        var policy = policy
        // Without a detector nobody would notice that somebody speaks.
        if detector == nil { policy.bargeIn = nil }
        machine = ConversationMachine(policy)
        parts = ListeningTurn.Parts(
            recognizer: recognizer,
            makeSource: makeSource,
            detector: detector,
            policy: policy,
            stopwatch: stopwatch,
            clock: clock,
            isMuted: { isMuted.value }
        )
        (levels, levelReport) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(8))
        (figures, figureReport) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    deinit {
        levelReport.finish()
        figureReport.finish()
    }

    /// How it stands now, then each change.
    public nonisolated func snapshots() -> AsyncStream<ConversationSnapshot> { source.updates() }

    /// How it stands now.
    public nonisolated var snapshot: ConversationSnapshot { source.current }

    // MARK: What a person does

    /// Begins, by whatever button, phrase or call; nothing where it has begun.
    public func enter() { send(.enter) }

    /// Ends it, and returns when the microphone, the voice and the call are released. What was being said is forgotten,
    /// and questions stay open.
    public func exit() async {
        send(.exit)
        guard !machine.isAtRest else { return }
        let rest = self.rest ?? EventualValue<Void>()
        self.rest = rest
        await rest.value()
    }

    /// Mutes the microphone, which then hears silence, or opens its ears again.
    public func setMuted(_ isMuted: Bool) {
        self.isMuted.value = isMuted
        publish()
    }

    /// Asks the person for permission by voice, and returns what becomes of it; see ``SpokenApprovalMachine``.
    ///
    /// - Returns: The answer; `pending` outside of a conversation, at its end, and when cancelled.
    public func ask(_ request: ApprovalRequest) async -> SpokenApproval {
        guard asked[request.id] == nil else { return .pending }
        let answer = EventualValue<SpokenApproval>()
        asked[request.id] = answer
        send(.asked(request))
        do { return try await answer.cancellableValue() } catch {
            withdraw(request.id)
            return .pending
        }
    }

    /// Tells that an agent does not ask any more, or was answered by hand.
    public func withdraw(_ id: ApprovalRequest.ID) {
        asked.removeValue(forKey: id)?.resolve(.pending)
        send(.withdrawn(id))
    }

    // MARK: Events and effects

    private func send(_ event: ConversationMachine.Event) {
        for effect in machine.handle(event) { perform(effect) }
        if machine.isAtRest {
            for task in waits.values + standing { task.cancel() }
            (waits, standing) = ([:], [])
            rest?.resolve(())
            rest = nil
        }
        publish()
    }

    private func publish() {
        var snapshot = ConversationSnapshot()
        snapshot.phase = machine.phase
        snapshot.isMuted = isMuted.value
        (snapshot.heard, snapshot.turns, snapshot.failure) = (heard, machine.turns, machine.failure)
        if snapshot != source.current { source.update(snapshot) }
    }

    private func perform(_ effect: ConversationMachine.Effect) {
        switch effect {
        case .beginCall: Task { await beginCall() }
        case .endCall: Task { await endCall() }
        case .open(let turn, let isArmed): open(turn, isArmed: isArmed)
        case .engage(let turn): Task { await turns[turn]?.engage() }
        case .close(let turn): Task { await turns[turn]?.close() }
        case .wait(let turn, let time): wait(time, then: .waited(turn: turn))
        case .submit(let turn, let text): Task { await submit(turn, text) }
        case .awaitAnswer(let turn, let time): wait(time, then: .answerIsLate(turn: turn))
        case .speak(let number, let content): speeches[number] = Task { await speak(number, content) }
        case .silence(let number): speeches[number]?.cancel()
        case .awaitApproval(let id, let reading, let time): wait(time, then: .approvalIsLate(id, reading: reading))
        case .decide(let id, let decision): asked.removeValue(forKey: id)?.resolve(decision)
        }
    }

    private func wait(_ time: Duration, then event: ConversationMachine.Event) {
        lastWait += 1
        let number = lastWait
        waits[number] = Task { [clock] in
            // Cancellation is the only error of a clock's sleep.
            guard (try? await clock.sleep(for: time)) != nil else { return }
            waits[number] = nil
            send(event)
        }
    }

    // MARK: The call

    private func beginCall() async {
        do {
            let events = try await call.begin()
            send(.callBegan)
            standing = [Task { for await event in events { follow(event) } }, Task { await followFeed() }]
        } catch {
            send(.callFailed(ConversationFailure(error)))
        }
    }

    private func endCall() async {
        await call.end()
        send(.callClosed)
    }

    private func follow(_ event: CallEvent) {
        switch event {
        case .ended: send(.callEnded)
        case .muted(let isMuted): setMuted(isMuted)
        case .audio(let isActive): send(.audio(isActive: isActive))
        }
    }

    /// Asks for answers as long as the call stands; a feed that fails is asked again.
    private func followFeed() async {
        var cursor: Double?
        var delay = Duration.seconds(1)
        while !Task.isCancelled {
            do {
                let after: Double
                if let cursor { after = cursor } else { after = try await feed.beginning() }
                cursor = after
                let answer = try await feed.next(after: after)
                cursor = max(after, answer.time)
                delay = .seconds(1)
                send(.answered(answer))
            } catch {
                guard !Task.isCancelled else { return }
                machine.failure = ConversationFailure(error)
                publish()
                // Cancellation is the only error of a clock's sleep.
                guard (try? await clock.sleep(for: delay)) != nil else { return }
                delay = min(delay * 2, .seconds(30))
            }
        }
    }

    // MARK: Turns

    private func open(_ number: Int, isArmed: Bool) {
        let turn = ListeningTurn(parts, isArmed: isArmed) { [weak self] news in await self?.hear(news, of: number) }
        turns[number] = turn
        if !isArmed { heard = "" }
        Task {
            do {
                let utterance = try await turn.run()
                turns[number] = nil
                if let utterance {
                    current = ConversationFigures()
                    (current.spoken, current.recognised) = (utterance.ended, stopwatch.now.offset)
                }
                send(.ended(turn: number, utterance))
            } catch let error as VoiceError where error.code == .microphoneTaken {
                // It is opened anew, which waits until it is given back.
                turns[number] = nil
                send(.ended(turn: number, nil))
            } catch {
                let text = await turn.text
                turns[number] = nil
                send(.failed(turn: number, ConversationFailure(error, text: text.isEmpty ? nil : text)))
            }
        }
    }

    private func hear(_ news: ListeningTurn.News, of turn: Int) {
        switch news {
        case .opened: send(.opened(turn: turn))
        case .level(let level): levelReport.yield(level)
        case .heard: send(.heard(turn: turn))
        case .interrupted:
            heard = ""
            send(.interrupted(turn: turn))
        case .text(let text):
            heard = text
            publish()
        case .failed(let error):
            machine.failure = ConversationFailure(error)
            publish()
        case .recognising: send(.recognising(turn: turn))
        }
    }

    private func submit(_ turn: Int, _ text: String) async {
        do {
            try await sink.type(text, submit: true)
            current.typed = stopwatch.now.offset
            send(.submitted(turn: turn, nil))
        } catch {
            send(.submitted(turn: turn, ConversationFailure(error, text: text)))
        }
    }

    private func speak(_ number: Int, _ content: AgentAnswer.Content) async {
        let begin = stopwatch.now.offset
        do {
            try Task.checkCancellation()
            try await voice.speak(content) { await self.soundBegan(after: begin) }
            send(.spoken(number, at: stopwatch.now.offset, nil))
        } catch {
            let failure = Task.isCancelled ? nil : ConversationFailure(error)
            send(.spoken(number, at: stopwatch.now.offset, failure))
        }
        speeches[number] = nil
    }

    private func soundBegan(after begin: Duration) {
        (current.answered, current.sounded) = (begin, stopwatch.now.offset)
        figureReport.yield(current)
    }
}

/// Read by every piece of audio, and set by whoever mutes.
private final class MutedFlag: Sendable {
    private let flag = Mutex(false)
    var value: Bool {
        get { flag.withLock(\.self) }
        set { flag.withLock { $0 = newValue } }
    }
}

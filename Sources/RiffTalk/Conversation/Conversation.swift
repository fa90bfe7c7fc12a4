// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
public import RiffVoice
internal import Synchronization

// sample: recognizer: some SpeechRecognizer, session: TerminalSession, transcripts: ClaudeTranscripts,
// voice: some TextToSpeech
/// A hands-free conversation with an agent: the person speaks, the words are typed and submitted, the answer is spoken,
/// and the microphone opens again.
///
/// ```swift
/// let conversation = Conversation(
///     recognizer: recognizer, sink: session, feed: ClaudeAnswerFeed(transcripts),
///     voice: AnswerVoice(voice) { CommandAudioSink { .aplay($0) } }, makeSource: { CommandAudioSource(.arecord()) }
/// )
/// await conversation.start()
/// for await snapshot in conversation.updates() { show(snapshot) }
/// ```
///
/// It is half-duplex: the microphone is never open while something is spoken, unless ``ConversationPolicy/bargeIn``
/// says otherwise. Answers are spoken whatever the person's setting for narration is; stop a ``Narrator`` meanwhile,
/// and skip what it says. Call ``stop()`` before dropping it.
public actor Conversation {
    /// How loud the microphone is; the newest eight are kept. Ends with the conversation's own end. Single-consumer.
    public nonisolated let levels: AsyncStream<AudioLevel>
    /// How long each turn took; the newest 64 are kept. Single-consumer.
    public nonisolated let figures: AsyncStream<Conversation.Figures>
    /// The answers into which the person spoke; the newest 64 are kept. Single-consumer.
    public nonisolated let interruptions: AsyncStream<Conversation.BrokenOffAnswer>

    let call: any CallSession
    let audio: SharedAudioSession?
    let sink: any TextInjecting
    let feed: any AgentAnswerFeed
    let voice: AnswerVoice
    let clock: any Clock<Duration>
    let stopwatch: Stopwatch
    let parts: ListeningTurn.Parts
    let source = StateSource(ConversationSnapshot())
    let isMuted: MutedFlag
    let levelReport: AsyncStream<AudioLevel>.Continuation
    let figureReport: AsyncStream<Conversation.Figures>.Continuation
    let interruptionReport: AsyncStream<Conversation.BrokenOffAnswer>.Continuation

    var machine: ConversationMachine
    var isSessionThere = true
    var isInForeground = true
    var heard = ""
    var turns: [Int: ListeningTurn] = [:]
    var speeches: [Int: Task<Void, Never>] = [:]
    var waits: [Int: Task<Void, Never>] = [:]
    var lastWait = 0
    var followers: [Task<Void, Never>] = []
    var asked: [ApprovalRequest.ID: EventualValue<SpokenApproval>] = [:]
    var turnFigures = Conversation.Figures()
    /// What is being spoken, or was last, and how far it is.
    var spoken: (content: AgentAnswer.Content, progress: AnswerProgress)?
    /// Told when nothing is going on any more.
    var rest: EventualValue<Void>?

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
    ///   - audio: The app's audio session, which is held while the microphone is open or something is spoken; a call
    ///     claims it by itself.
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
        audio: SharedAudioSession? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        makeSource: @escaping @Sendable () async throws -> any AudioSource
    ) {
        let (isMuted, stopwatch) = (MutedFlag(), Stopwatch(clock))
        self.call = call
        self.audio = audio
        self.sink = sink
        self.feed = feed
        self.voice = voice.holding(audio)
        (self.clock, self.stopwatch, self.isMuted) = (clock, stopwatch, isMuted)
        var policy = policy
        // Without a detector nobody would notice that somebody speaks.
        if detector == nil { policy.bargeIn = nil }
        machine = ConversationMachine(policy)
        parts = ListeningTurn.Parts(
            recognizer: recognizer,
            makeSource: { HeldAudioSource.make(try await makeSource(), audio) },
            detector: detector,
            policy: policy,
            stopwatch: stopwatch,
            clock: clock,
            isMuted: { isMuted.value }
        )
        (levels, levelReport) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(8))
        (figures, figureReport) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
        (interruptions, interruptionReport) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
    }

    deinit {
        levelReport.finish()
        figureReport.finish()
        interruptionReport.finish()
    }

    /// How it stands now, then each change.
    public nonisolated func updates() -> AsyncStream<ConversationSnapshot> { source.updates() }

    /// How it stands now.
    public nonisolated var current: ConversationSnapshot { source.current }

    // MARK: What a person does

    /// Begins, by whatever button, phrase or call; nothing where it has begun.
    public func start() {
        // A gesture is what an interruption waits for that the system did not end by itself.
        setAudio(isSessionThere: true)
        send(.enter)
    }

    /// Ends it, and returns when the microphone, the voice and the call are released. What was being said is forgotten,
    /// and questions stay open.
    public func stop() async {
        send(.exit)
        guard !machine.isAtRest else { return }
        let rest = self.rest ?? EventualValue<Void>()
        self.rest = rest
        await rest.value()
    }

    /// The app is visible: the conversation goes on, also after an interruption that the system did not end by itself.
    public func foreground() {
        setAudio(isSessionThere: true, isInForeground: true)
    }

    /// The app is not visible: the microphone closes and nothing is spoken until ``foreground()``, unless the call goes
    /// on in the background (``CallSession/runsInBackground``).
    public func background() {
        guard !call.runsInBackground else { return }
        setAudio(isInForeground: false)
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
}

/// Read by every piece of audio, and set by whoever mutes.
final class MutedFlag: Sendable {
    private let flag = Mutex(false)
    var value: Bool {
        get { flag.withLock(\.self) }
        set { flag.withLock { $0 = newValue } }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffVoice

// sample: transcripts: ClaudeTranscripts, voice: some TextToSpeech, dictation: Dictation
/// Reads out what an agent answers, outside of a call.
///
/// ```swift
/// let answers = AnswerVoice(voice) { CommandAudioSink { .aplay($0) } }
/// let narrator = Narrator(ClaudeAnswerFeed(transcripts), voice: answers)
/// await narrator.start()
/// for await snapshot in dictation.updates() { await narrator.follow(snapshot) }
/// ```
///
/// It is silent while somebody dictates, skips what is being spoken when something is submitted, and speaks nothing of
/// what was said while it was off. Call ``stop()`` before dropping it.
public actor Narrator {
    /// How it stands.
    public struct Snapshot: Sendable, Hashable {
        /// Whether answers are waited for, or spoken.
        public var isActive = false
        /// Whether an answer is being spoken.
        public var isSpeaking = false
        /// Whether it was paused, by ``Narrator/pause()`` or since the device that played has gone.
        public var isPaused = false
        /// Why answers cannot be asked for, or the last one was not heard; gone with the next success.
        public var problem: String?

        /// A narrator at rest.
        public init() {}

        init(_ machine: NarrationMachine, problem: String?) {
            (isActive, isSpeaking, isPaused) = (machine.isActive, machine.isSpeaking, machine.isPaused)
            self.problem = problem
        }
    }

    private let feed: any AgentAnswerFeed
    private let voice: AnswerVoice
    private let audio: SharedAudioSession?
    private let clock: any Clock<Duration>
    private let isWanted: @Sendable () async throws -> Bool
    private let source = StateSource(Snapshot())

    private var machine = NarrationMachine()
    private var polls: [Int: Task<Void, Never>] = [:]
    private var speech: Task<Void, Never>?
    private var reading: Task<Void, Never>?
    private var watching: Task<Void, Never>?
    /// How far the newest speech is, and where it began.
    private var spoken: (begin: AnswerPlace, progress: AnswerProgress)?
    private var problem: String?

    /// A narrator at rest.
    ///
    /// - Parameters:
    ///   - feed: What tells answers; nobody else asks it.
    ///   - voice: What speaks them.
    ///   - audio: The app's audio session, which is held while something is spoken.
    ///   - clock: Measures waits.
    ///   - isWanted: Says whether the person wants to hear answers; asked each second and before each answer. Where it
    ///     throws, nothing is spoken, and the snapshot's problem says why.
    public init(
        _ feed: any AgentAnswerFeed,
        voice: AnswerVoice,
        audio: SharedAudioSession? = nil,
        clock: any Clock<Duration> = ContinuousClock(),
        isWanted: @escaping @Sendable () async throws -> Bool = { true }
    ) {
        self.feed = feed
        self.voice = voice.holding(audio)
        self.audio = audio
        self.clock = clock
        self.isWanted = isWanted
    }

    /// A narrator that speaks while the person's settings ask for it (`riff.voice.narrate`), as they are at each
    /// moment.
    ///
    /// - Parameters:
    ///   - feed: What tells answers; nobody else asks it.
    ///   - voice: What speaks them.
    ///   - settings: The settings.
    ///   - audio: The app's audio session, which is held while something is spoken.
    ///   - clock: Measures waits.
    public init(
        _ feed: any AgentAnswerFeed,
        voice: AnswerVoice,
        settings: RiffSettings,
        audio: SharedAudioSession? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(feed, voice: voice, audio: audio, clock: clock) { try await settings.value(of: .narrate) }
    }

    /// How it stands now, then each change.
    public nonisolated func updates() -> AsyncStream<Snapshot> { source.updates() }

    /// How it stands now.
    public nonisolated var current: Snapshot { source.current }

    /// Begins; what was said before is not spoken.
    public func start() async {
        guard reading == nil else { return }
        await read()
        guard reading == nil else { return }
        send(.started)
        reading = Task { [weak self, clock] in
            // Cancellation is the only error of a clock's sleep.
            while (try? await clock.sleep(for: .seconds(1))) != nil { await self?.read() }
        }
        guard let audio else { return }
        watching = Task { [weak self] in await audio.watch { [self] change in await self?.hear(change) } }
    }

    /// Falls silent, and asks no more; returns when all of it has ended.
    public func stop() async {
        reading?.cancel()
        watching?.cancel()
        send(.stopped)
        await reading?.value
        await watching?.value
        for poll in polls.values { await poll.value }
        await speech?.value
        (reading, watching) = (nil, nil)
    }

    /// The app is visible: answers that come from now on are spoken, if it was started.
    public func foreground() { send(.background(false)) }

    /// The app is not visible: it falls silent, and nothing that is said meanwhile is spoken. An app that speaks in the
    /// background does not call it.
    public func background() { send(.background(true)) }

    /// Falls silent within a sentence; ``resume()`` speaks on with that sentence.
    public func pause() { send(.paused(true)) }

    /// Speaks on after a pause, or after an interruption that the system did not end by itself.
    public func resume() {
        send(.audio(isActive: true))
        send(.paused(false))
    }

    /// Breaks off what is being spoken: for a person who submits something, or has heard enough.
    public func skip() { send(.skipped) }

    /// Tells that somebody records or is being recognized, or no longer.
    public func setRecording(_ isRecording: Bool) { send(.recording(isRecording)) }

    /// Follows a dictation: silent while it records and recognizes.
    public func follow(_ dictation: DictationSnapshot) {
        switch dictation.state {
        case .recording, .transcribing: setRecording(true)
        case .idle, .error: setRecording(false)
        }
    }

    private func hear(_ change: AudioWatch.Change) {
        switch change {
        case .taken: send(.audio(isActive: false))
        case .back: send(.audio(isActive: true))
        case .outputLost: send(.paused(true))
        }
    }

    private func read() async {
        do {
            send(.wanted(try await isWanted()))
        } catch {
            problem = Self.text(of: error)
            send(.wanted(false))
        }
    }

    private func send(_ event: NarrationMachine.Event) {
        for effect in machine.handle(event) { perform(effect) }
        publish()
    }

    private func publish() {
        let snapshot = Snapshot(machine, problem: problem)
        if snapshot != source.current { source.update(snapshot) }
    }

    private func perform(_ effect: NarrationMachine.Effect) {
        switch effect {
        case .poll(let number, let time): polls[number] = Task { await poll(number, after: time) }
        case .cancelPoll(let number): polls[number]?.cancel()
        case .wait(let number, let duration): polls[number] = Task { await wait(number, duration) }
        case .speak(let number, let answer): launch(number, answer, isResumed: false)
        case .resume(let number, let answer): launch(number, answer, isResumed: true)
        case .silence: speech?.cancel()
        }
    }

    /// Each waits for the one before it: one voice at a time.
    private func launch(_ number: Int, _ answer: AgentAnswer, isResumed: Bool) {
        speech = Task { [before = speech] in
            await before?.value
            await speak(number, answer, isResumed: isResumed)
        }
    }

    private func poll(_ number: Int, after known: Double?) async {
        do {
            let time: Double
            if let known { time = known } else { time = try await feed.beginning() }
            if known == nil { send(.began(poll: number, time)) }
            let answer = try await feed.next(after: time)
            polls[number] = nil
            problem = nil
            // The setting may have changed while the feed was waited for.
            await read()
            send(.answered(poll: number, answer))
        } catch {
            polls[number] = nil
            if !Task.isCancelled { problem = Self.text(of: error) }
            send(.failed(poll: number))
        }
    }

    private func wait(_ number: Int, _ duration: Duration) async {
        try? await clock.sleep(for: duration)  // A cancelled wait is over as well.
        polls[number] = nil
        send(.waited(poll: number))
    }

    private func speak(_ number: Int, _ answer: AgentAnswer, isResumed: Bool) async {
        do {
            try Task.checkCancellation()
            let begin = isResumed ? spoken.map { $0.progress.place(after: $0.begin) } ?? AnswerPlace() : AnswerPlace()
            let progress = AnswerProgress(Stopwatch(clock))
            spoken = (begin, progress)
            try await voice.speak(answer.content, from: begin, progress) {}
            problem = nil
        } catch {
            if !Task.isCancelled { problem = Self.text(of: error) }
        }
        send(.spoken(number))
    }

    private static func text(of error: any Error) -> String {
        Problem(error).message
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
public import RiffVoice

// sample: recognizer: some SpeechToText, session: TerminalSession
/// Push-to-talk: records a person, has it recognized, and types it into a session.
///
/// ```swift
/// let dictation = Dictation(recognizer: recognizer, sink: session) { WAVFileSource("question.wav") }
/// await dictation.toggle()     // starts; the next toggle ends, recognizes and types
/// ```
///
/// Call ``shutdown()`` before dropping it.
public actor Dictation {
    /// How loud it is while recording; the newest eight are kept. Ends with ``shutdown()``. Single-consumer.
    public nonisolated let levels: AsyncStream<AudioLevel>

    private let recognizer: any SpeechToText
    private let sink: any TextInjecting
    private let settings: RiffSettings?
    private let limits: ClipRecorder.Limits
    private let detector: (any VoiceDetecting)?
    private let audio: SharedAudioSession?
    private let makeSource: @Sendable () async throws -> any AudioSource
    private nonisolated let source: StateSource<DictationSnapshot>
    private let levelReport: AsyncStream<AudioLevel>.Continuation

    private var machine: DictationStateMachine
    private var recorder: (take: Int, recorder: ClipRecorder)?
    private var recorded: (take: Int, parts: DictatedParts)?
    /// Recognizes the parts of a long recording beside it, one after another.
    private var early: Task<Void, Never>?
    /// The newest piece of work; it waits for the one before it, so that one microphone is open at a time.
    private var work: Task<Void, Never>?
    private var isShutDown = false

    /// A dictation at rest.
    ///
    /// - Parameters:
    ///   - recognizer: What turns the recording into text.
    ///   - sink: Where the text is typed.
    ///   - policy: What is done with what was heard.
    ///   - settings: A person's settings, which decide for each text whether Return follows it
    ///     (`riff.voice.autoSubmit`); the policy decides where `nil`. A setting that cannot be read types no Return,
    ///     and is the snapshot's warning.
    ///   - limits: How long one clip is that a recognizer gets, and what counts as speech. A longer recording is cut in
    ///     a silence before that, and what was cut off is recognized beside it.
    ///   - detector: Tells speech in noise, where the policy's endpoint waits for silence; the level alone without one.
    ///   - audio: The app's audio session, which is held while the microphone is open.
    ///   - makeSource: Makes the source of one recording.
    public init(
        recognizer: any SpeechToText,
        sink: any TextInjecting,
        policy: DictationPolicy = DictationPolicy(),
        settings: RiffSettings? = nil,
        limits: ClipRecorder.Limits = ClipRecorder.Limits(),
        detector: (any VoiceDetecting)? = nil,
        audio: SharedAudioSession? = nil,
        makeSource: @escaping @Sendable () async throws -> any AudioSource
    ) {
        self.recognizer = recognizer
        self.sink = sink
        self.settings = settings
        self.limits = limits
        self.detector = detector
        self.audio = audio
        self.makeSource = makeSource
        machine = DictationStateMachine(policy: policy)
        machine.guardsQuestions = sink.guardsQuestions
        source = StateSource(DictationSnapshot(machine))
        (levels, levelReport) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(8))
    }

    /// The dictation's state.
    public nonisolated var current: DictationSnapshot { source.current }

    /// The state, then each change, for any number of readers; a reader that is slow misses the oldest of more than 64.
    /// Ends with ``shutdown()``.
    public nonisolated func updates() -> AsyncStream<DictationSnapshot> { source.updates() }

    /// The one button: starts; ends a recording that has speech in it; nothing while it is silent or being sent.
    public func toggle() { send(.toggle) }

    /// Ends the recording; a silent one is forgotten.
    public func stop() { send(.stop) }

    /// Gives up whatever is going on, and forgets a held recording.
    public func cancel() { send(.cancel) }

    /// Sends the held recording again, after an error that kept it. A service that had received it may bill it twice:
    /// that is the person's choice, never made here.
    public func retry() { send(.retry) }

    /// The app is visible: recordings may begin.
    public func foreground() { send(.background(false)) }

    /// The app is not visible: a recording ends, and what was said is typed without Return. Until ``foreground()`` a
    /// gesture is an error with the code `inBackground`. An app that may record in the background does not call it.
    public func background() { send(.background(true)) }

    /// Changes what is done with what is heard, from the next transcript on.
    public func setPolicy(_ policy: DictationPolicy) { machine.policy = policy }

    /// Returns when nothing is going on: nothing is recorded, recognized or typed.
    public func settled() async {
        while let current = work {
            await current.value
            if work == current { return }
        }
    }

    /// Gives up what is going on, waits until the microphone and the recognizer are released, and ends the sequences.
    /// Nothing starts after it.
    public func shutdown() async {
        send(.cancel)
        isShutDown = true
        await settled()
        source.finish()
        levelReport.finish()
    }

    // MARK: Events and effects

    private func send(_ event: DictationStateMachine.Event) {
        guard !isShutDown else { return }
        let effects = machine.handle(event)
        let now = DictationSnapshot(machine)
        source.update { $0 == now ? nil : now }
        for effect in effects { perform(effect) }
    }

    private func perform(_ effect: DictationStateMachine.Effect) {
        switch effect {
        case .startCapture(let take): launch { await $0.capture(take) }
        case .stopCapture(let take):
            guard let recorder, recorder.take == take else { return }
            launch(after: false) { _ in _ = await recorder.recorder.stop() }
        case .abandon(let take):
            work?.cancel()
            forget()
            guard let recorder, recorder.take == take else { return }
            launch(after: false) { _ in await recorder.recorder.cancel() }
        case .transcribe(let take): launch { await $0.transcribe(take) }
        case .type(let take, let text, let submit): launch { await $0.type(text, submit: submit, take: take) }
        case .discard: forget()
        }
    }

    private func forget() {
        recorded = nil
        guard let early else { return }
        early.cancel()
        self.early = nil
        // It ends soon; whoever waits for the end of everything waits for it, too.
        launch(after: false) { _ in await early.value }
    }

    /// Runs a piece of work as the newest one; it ends after the piece before it, and starts after it too if asked.
    private func launch(after waits: Bool = true, _ body: @escaping @Sendable (Dictation) async -> Void) {
        let previous = work
        work = Task {
            if waits { await previous?.value }
            await body(self)
            if !waits { await previous?.value }
        }
    }

    private func capture(_ take: Int) async {
        guard !Task.isCancelled, machine.take == take else { return }
        do {
            let source = HeldAudioSource.make(try await makeSource(), audio)
            let recorder = ClipRecorder(source, limits: limits, detector: detector) { [weak self] part in
                await self?.hand(part, of: take) ?? false
            }
            self.recorder = (take, recorder)
            defer { self.recorder = nil }
            recorded = (take, DictatedParts())
            try Task.checkCancellation()
            try await recorder.start()
            send(.captureStarted(take: take))
            let watching = audio.map { audio in
                Task { await audio.watch { if $0 == .taken { await self.audioTaken(take) } } }
            }
            await follow(recorder, take)
            watching?.cancel()
            await watching?.value
            let recording = await recorder.stop()
            guard !Task.isCancelled, machine.take == take else { return }
            recorded?.parts.append(Recording.Part(clip: recording.clip, hasSpeech: recording.lastPartHasSpeech))
            var failure: DictationFailure?
            switch recording.end {
            case .failed(let error): failure = DictationFailure(error)
            case .limitReached: failure = DictationFailure(VoiceError.recordingLimitReached(recording.duration))
            case .stopped, .sourceEnded: break
            }
            send(.recorded(take: take, hasSpeech: recording.hasSpeech, failure: failure))
        } catch is CancellationError where Task.isCancelled || machine.take != take {
            // Given up; the machine knows.
        } catch {
            send(.failed(take: take, DictationFailure(error)))
        }
    }

    /// Tells how a recording goes, until it ends.
    private func follow(_ recorder: ClipRecorder, _ take: Int) async {
        var progress = DictationProgress(machine.policy.endpoint)
        for await step in recorder.progress {
            levelReport.yield(step.level)
            for news in progress.take(step) {
                switch news {
                case .speech: send(.speechHeard(take: take))
                case .timeLeft(let time): send(.timeLeft(take: take, time))
                case .ended: send(.turnEnded(take: take))
                }
            }
        }
    }

    private func audioTaken(_ take: Int) {
        send(.audioTaken(take: take, DictationFailure(VoiceError.audioInterrupted)))
    }

    // MARK: Recognition

    /// Takes a part of a long recording, and has it recognized while the recording goes on.
    private func hand(_ part: Recording.Part, of take: Int) -> Bool {
        guard machine.take == take, recorded?.take == take else { return false }
        // What a recognizer that is down has not taken is kept, up to a bound; then the recording ends, and says so.
        guard recorded.map({ $0.parts.heldBytes <= limits.bytes * DictatedParts.mostHeld }) ?? false else {
            return false
        }
        recorded?.parts.append(part)
        early = Task { [previous = early] in
            await previous?.value
            // A failure is kept with the part, and told when the recording is over.
            try? await recognize(take)
        }
        return true
    }

    /// Has everything recognized that was not.
    private func recognize(_ take: Int) async throws {
        while let (number, clip) = recorded.flatMap({ $0.take == take ? $0.parts.next : nil }) {
            do {
                try Task.checkCancellation()
                let transcript = try await recognizer.transcribe(clip, expecting: machine.policy.keyTerms)
                guard recorded?.take == take else { throw CancellationError() }
                recorded?.parts.recognized(number, transcript)
            } catch {
                if recorded?.take == take { recorded?.parts.failed(number, error) }
                throw error
            }
        }
        if recorded?.take == take, let error = recorded?.parts.failure { throw error }
    }

    private func transcribe(_ take: Int) async {
        guard !Task.isCancelled, recorded?.take == take else { return }
        do {
            await early?.value
            try await recognize(take)
            guard let parts = recorded?.parts, recorded?.take == take else { return }
            await readSettings(take)
            send(.transcribed(take: take, parts.transcript))
        } catch is CancellationError where Task.isCancelled || machine.take != take {
            // Given up; the machine knows.
        } catch {
            // Asked again by the person's retry alone: a service may have received it.
            recorded?.parts.forgetFailure()
            send(.failed(take: take, DictationFailure(error, keepsRecording: true)))
        }
    }

    private func readSettings(_ take: Int) async {
        guard let settings else { return }
        do {
            machine.policy.submits = try await settings.value(of: .autoSubmit)
        } catch {
            machine.policy.submits = false
            send(.warned(take: take, DictationFailure(error)))
        }
    }

    private func type(_ text: String, submit: Bool, take: Int) async {
        guard !Task.isCancelled, machine.take == take else { return }
        do {
            let before = await sink.destination()
            try await sink.typeSpoken(text, submit: submit)
            // Another page may have come to the front meanwhile: then nobody knows which one it was.
            let after = await sink.destination()
            send(.typed(take: take, destination: before == after ? after : nil))
        } catch is CancellationError where Task.isCancelled || machine.take != take {
            // Given up; the machine knows.
        } catch {
            send(.failed(take: take, DictationFailure(error, text: text)))
        }
    }
}

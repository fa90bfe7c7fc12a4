// Riff
// SPDX-License-Identifier: Apache-2.0

internal import RiffCore
internal import RiffVoice

/// One opening of the microphone: captures, recognizes, and finds the end of what is said.
actor ListeningTurn {
    /// What is told while it goes on.
    enum News: Sendable {
        /// The microphone is open.
        case opened
        case level(AudioLevel)
        /// Somebody speaks.
        case heard
        /// Somebody spoke into the answer for long enough; the turn is recognized from a moment before on.
        case interrupted
        /// The words so far.
        case text(String)
        /// A line could not be recognized.
        case failed(any Error)
        /// The microphone is closed.
        case recognizing
    }

    /// What a turn needs.
    struct Parts: Sendable {
        let recognizer: any SpeechRecognizer
        let makeSource: @Sendable () async throws -> any AudioSource
        /// Tells speech while an answer is spoken; only for barge-in.
        let detector: (any VoiceDetecting)?
        let policy: ConversationPolicy
        let stopwatch: Stopwatch
        let clock: any Clock<Duration>
        let isMuted: @Sendable () -> Bool
    }

    private enum Stage { case armed, listening, ending }
    /// How an armed turn came to be recognized.
    private enum Engagement { case never, afterAnswer, intoAnswer }

    private let parts: Parts
    private let report: @Sendable (News) async -> Void
    private var stage: Stage
    private var source: (any AudioSource)?
    private var endpointer: Endpointer
    private var transcript = TranscriptAccumulator()
    private var start = Duration.zero
    private var began: Duration?
    private var fell: Duration?
    private var timer: Task<Void, Never>?
    private var isForgotten = false
    private let engaged = EventualValue<Engagement>()

    init(_ parts: Parts, isArmed: Bool, report: @escaping @Sendable (News) async -> Void) {
        (self.parts, self.report) = (parts, report)
        stage = isArmed ? .armed : .listening
        let completeness = UtteranceCompleteness(language: parts.policy.language)
        endpointer = Endpointer(parts.policy.endpoint, completeness: completeness)
    }

    /// What was recognized so far.
    var text: String { transcript.text }

    /// Listens, and returns when the microphone is closed and all of it is recognized.
    ///
    /// - Returns: What was said; `nil` where nothing was, or it was closed.
    /// - Throws: What the source and the recognizer throw; the microphone is closed then.
    func run() async throws -> Utterance? {
        defer { timer?.cancel() }
        // Before the microphone is open, so that no word is lost while a recognizer makes itself ready.
        let turn = stage == .listening ? try await parts.recognizer.beginTurn() : nil
        do {
            try await listen(turn)
        } catch {
            await source?.stop()
            await turn?.cancel()
            if isForgotten { return nil }
            throw error
        }
        guard !isForgotten, let began else { return nil }
        let text = transcript.text
        return text.allSatisfy(\.isWhitespace) ? nil : Utterance(text, began: began, ended: fell)
    }

    private func listen(_ turn: (any SpeechTurn)?) async throws {
        let source = try await parts.makeSource()
        self.source = source
        if isForgotten { throw CancellationError() }
        let format = try await source.start()
        try format.checkCaptured()
        if isForgotten { throw CancellationError() }
        start = parts.stopwatch.now.offset
        await report(.opened)
        restartTimer()
        try await capture(source, CaptureFeed(parts, format), turn)
        await source.stop()
    }

    /// Recognizes from now on, where it was armed.
    func engage() {
        guard stage == .armed else { return }
        stage = .listening
        start = parts.stopwatch.now.offset
        restartTimer()
        engaged.resolve(.afterAnswer)
    }

    /// Somebody broke the answer off: what they said until now belongs to the turn.
    ///
    /// - Parameter kept: How much of it.
    private func interrupt(after kept: Duration) async {
        guard stage == .armed, let policy = parts.policy.bargeIn else { return }
        stage = .listening
        let now = parts.stopwatch.now.offset
        (start, began) = (now - kept, now - policy.sustained)
        await report(.interrupted)
        restartTimer()
        engaged.resolve(.intoAnswer)
    }

    /// Closes the microphone, and forgets what was heard.
    func close() async {
        isForgotten = true
        await end()
    }

    private func end() async {
        stage = .ending
        timer?.cancel()
        engaged.resolve(.never)
        await source?.stop()
    }

    // MARK: Audio

    private func capture(_ source: any AudioSource, _ feed: CaptureFeed, _ turn: (any SpeechTurn)?) async throws {
        if let turn { try await feed.begin(turn, withPreRoll: false) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.pump(source, into: feed) }
            do {
                if let turn { try await follow(turn) } else { try await followWhenEngaged(feed) }
            } catch {
                await source.stop()
                throw error
            }
            try await group.waitForAll()
        }
        if stage != .ending, began == nil {
            let message = "The microphone ended by itself before anything was said."
            throw VoiceError(.audioSourceFailed, message, recovery: .retry)
        }
    }

    private func followWhenEngaged(_ feed: CaptureFeed) async throws {
        let engagement = await engaged.value()
        guard engagement != .never, !isForgotten else { return }
        let turn = try await parts.recognizer.beginTurn()
        try await feed.begin(turn, withPreRoll: engagement == .intoAnswer)
        try await follow(turn)
    }

    private func follow(_ turn: any SpeechTurn) async throws {
        do {
            for try await event in turn.events { await hear(event) }
        } catch {
            await turn.cancel()
            throw error
        }
        if isForgotten { await turn.cancel() }
    }

    private func pump(_ source: any AudioSource, into feed: CaptureFeed) async throws {
        do {
            for try await event in source.events {
                if isForgotten { break }
                let result = try await feed.take(event)
                for level in result.levels { await report(.level(level)) }
                if let kept = result.interruption { await interrupt(after: kept) }
            }
            await closed()
            try await feed.finish(forgetting: isForgotten)
        } catch {
            await closed()
            // What was said before it broke is recognized, so that it can be shown.
            try? await feed.finish(forgetting: isForgotten)
            throw error
        }
    }

    /// The source has ended: by us, or by itself.
    private func closed() async {
        await source?.stop()
        timer?.cancel()
        engaged.resolve(.never)
        if !isForgotten { await report(.recognizing) }
    }

    // MARK: Words

    private var time: Duration { parts.stopwatch.now.offset - start }

    private func hear(_ event: RecognitionEvent) async {
        guard !isForgotten else { return }
        switch event {
        case .speechStarted(let time):
            if began == nil { began = start + time }
            endpointer.voiceChanged(isSpeaking: true, at: time)
            await report(.heard)
        case .speechEnded(let time):
            fell = start + time
            endpointer.voiceChanged(isSpeaking: false, at: time)
        case .line(var line):
            line.text = SoundMarks.removed(from: line.text)
            transcript.update(line)
            guard !transcript.text.allSatisfy(\.isWhitespace) else { break }
            // A recognizer without a voice detector tells of speech by its words.
            if began == nil {
                began = start + time
                await report(.heard)
            }
            endpointer.heard(transcript.text, at: time)
            await report(.text(transcript.text))
        case .failed(let failure):
            if case .abandoned = failure.outcome { await report(.failed(failure.error)) }
        }
        restartTimer()
    }

    private func restartTimer() {
        timer?.cancel()
        guard stage == .listening else { return }
        let due = endpointer.due ?? (began == nil ? parts.policy.longestSilence : nil)
        guard let due else { return }
        let wait = max(.zero, due - time)
        timer = Task { [clock = parts.clock] in
            // Cancellation is the only error of a clock's sleep.
            guard (try? await clock.sleep(for: wait)) != nil else { return }
            await self.timeIsOver()
        }
    }

    private func timeIsOver() async {
        guard !Task.isCancelled, stage == .listening else { return }
        if endpointer.reason(at: time) != nil { return await end() }
        if began == nil, time >= parts.policy.longestSilence { return await end() }
        restartTimer()
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore
internal import Synchronization

/// One turn of a ``SegmentingRecognizer``: gives its machine what happens, and does what it says.
actor SegmentingTurn: SpeechTurn {
    nonisolated var events: any AsyncSequence<RecognitionEvent, any Error> & Sendable { told }

    private struct Work {
        var task: Task<Void, Never>?
        var isCancelled = false

        mutating func cancel() {
            isCancelled = true
            task?.cancel()
        }
    }

    private nonisolated let told = RecognitionEvents()
    /// The one call of the engine, or the wait before the next one; to be cancelled from anywhere.
    private nonisolated let work = Mutex(Work())
    private let engine: any SpeechToText
    private let keyTerms: [String]
    private let clock: any Clock<Duration>
    private var detector: any VoiceDetecting
    private var machine: SegmentingMachine
    private var isEnding = false
    private var isOver = false

    init(
        _ machine: SegmentingMachine,
        engine: any SpeechToText,
        detector: any VoiceDetecting,
        keyTerms: [String],
        clock: any Clock<Duration>
    ) {
        (self.machine, self.engine, self.detector) = (machine, engine, detector)
        (self.keyTerms, self.clock) = (keyTerms, clock)
    }

    func hear(_ frames: [UInt8]) async throws {
        try Task.checkCancellation()
        guard !isEnding else { throw SegmentingTurn.isOver }
        guard !told.isFull else {
            throw VoiceError(.recognitionUnread, "Nobody reads what is recognized; read the events of the turn.")
        }
        perform(machine.hear(frames, detector.process(speech: frames)))
    }

    func finish() async throws {
        guard !isEnding else { throw SegmentingTurn.isOver }
        isEnding = true
        perform(machine.finish(detector.finish()))
        await withTaskCancellationHandler {
            // Each call of the engine ends in the next one, until there is none.
            while let current = work.withLock({ $0.task }), !isOver { await current.value }
        } onCancel: {
            work.withLock { $0.cancel() }
        }
        try Task.checkCancellation()
    }

    func cancel() async {
        isEnding = true
        isOver = true
        told.finish()
        let current = work.withLock { work in
            work.cancel()
            return work.task
        }
        await current?.value
    }

    private func perform(_ actions: [SegmentingMachine.Action]) {
        guard !isOver else { return }
        for action in actions {
            switch action {
            case .report(let event): told.send(event)
            case .transcribe(let clip): start { await self.transcribe(clip) }
            case .wait(let delay): start { await self.wait(delay) }
            case .finish:
                isOver = true
                told.finish()
            }
        }
    }

    /// Starts the next piece of work; the one before it has nothing left to do when it comes here.
    private func start(_ body: @escaping @Sendable () async -> Void) {
        let task = Task { await body() }
        work.withLock { work in
            work.task = task
            if work.isCancelled { task.cancel() }
        }
    }

    private func transcribe(_ clip: AudioClip) async {
        let (result, latency) = await Self.measure(engine, clip, keyTerms, on: clock)
        if Task.isCancelled { return end() }
        switch result {
        case .success(let transcript): perform(machine.transcribed(transcript, latency: latency))
        case .failure(let error): perform(machine.failed(error))
        }
    }

    private func wait(_ delay: Duration) async {
        // Only cancellation ends it early, and that is looked at next.
        try? await clock.sleep(for: delay)
        if Task.isCancelled { return end() }
        perform(machine.retry())
    }

    private func end() {
        isEnding = true
        isOver = true
        told.finish()
    }

    /// Recognizes a clip outside this actor, which continues to hear meanwhile.
    @concurrent
    private static func measure<C: Clock>(
        _ engine: any SpeechToText,
        _ clip: AudioClip,
        _ keyTerms: [String],
        on clock: C
    ) async -> (Result<Transcript, any Error>, Duration) where C.Duration == Duration {
        let begun = clock.now
        do {
            let transcript = try await engine.transcribe(clip, expecting: keyTerms)
            return (.success(transcript), begun.duration(to: clock.now))
        } catch {
            return (.failure(error), begun.duration(to: clock.now))
        }
    }

    private static let isOver = VoiceError(.turnIsOver, "This turn of speech is over; begin a new one.")
}

extension VoiceErrorCode {
    /// Audio came after the end of its turn.
    public static let turnIsOver = VoiceError.Code(rawValue: "turnIsOver")
    /// More events wait than anybody could have missed.
    public static let recognitionUnread = VoiceError.Code(rawValue: "recognitionUnread")
}

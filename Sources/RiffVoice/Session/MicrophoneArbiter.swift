// Riff
// SPDX-License-Identifier: Apache-2.0

public import RiffCore

// sample: engine: some SpeechToText, recognizer: some SpeechRecognizer, session: TerminalSession,
// feed: some AgentAnswerFeed, voice: AnswerVoice
/// Lets one capture at a time have the microphone: a person's own gesture takes it from a conversation, which gets it
/// back afterwards.
///
/// ```swift
/// let microphone = MicrophoneArbiter()
/// let dictation = Dictation(recognizer: engine, sink: session) {
///     await microphone.source(.gesture, CommandAudioSource(.arecord()))
/// }
/// let conversation = Conversation(recognizer: recognizer, sink: session, feed: feed, voice: voice) {
///     await microphone.source(.handsFree, CommandAudioSource(.arecord()))
/// }
/// ```
public actor MicrophoneArbiter {
    /// A claim to the microphone; a later case takes it from an earlier one.
    public enum Claim: Int, Sendable, Comparable {
        /// A conversation, which listens by itself.
        case handsFree
        /// A person who pressed a button.
        case gesture

        /// By who takes it from whom.
        public static func < (left: Claim, right: Claim) -> Bool { left.rawValue < right.rawValue }
    }

    private var holder: (claim: Claim, source: ArbitratedSource)?
    private var waiting: [(claim: Claim, source: ArbitratedSource, turn: EventualValue<Void>)] = []

    /// An arbiter of one microphone.
    public init() {}

    /// Returns a source that captures when its turn has come: its `start` takes the microphone from a holder with less
    /// claim to it, and waits for any other. One that it is taken from ends with ``VoiceError`` and `microphoneTaken`.
    public nonisolated func source(_ claim: Claim, _ source: any AudioSource) -> any AudioSource {
        ArbitratedSource(source, claim, self)
    }

    fileprivate func take(_ claim: Claim, for source: ArbitratedSource) async throws {
        while let holder {
            if holder.claim < claim {
                // Released here, and not only asked to stop: two devices open at once is what this is for.
                await holder.source.lose()
                release(holder.source)
            } else {
                let turn = EventualValue<Void>()
                waiting.append((claim, source, turn))
                try await turn.cancellableValue()
                if await source.isStopped { throw CancellationError() }
            }
        }
        holder = (claim, source)
    }

    /// It is stopped, whether it has the microphone or waits for it.
    fileprivate func release(_ source: ArbitratedSource) {
        for entry in waiting where entry.source === source { entry.turn.resolve(()) }
        waiting.removeAll { $0.source === source }
        guard holder?.source === source else { return }
        holder = nil
        let all = waiting.sorted { $0.claim > $1.claim }
        waiting = []
        // Each looks again; whoever has the most claim looks first.
        for entry in all { entry.turn.resolve(()) }
    }
}

/// A source that holds the microphone while it captures.
private actor ArbitratedSource: AudioSource {
    private let source: any AudioSource
    private let claim: MicrophoneArbiter.Claim
    private let arbiter: MicrophoneArbiter
    private var isLost = false
    private(set) var isStopped = false

    init(_ source: any AudioSource, _ claim: MicrophoneArbiter.Claim, _ arbiter: MicrophoneArbiter) {
        (self.source, self.claim, self.arbiter) = (source, claim, arbiter)
    }

    func start() async throws -> AudioFormat {
        try await arbiter.take(claim, for: self)
        do {
            if isStopped { throw CancellationError() }
            if isLost { throw Self.taken }
            let format = try await source.start()
            if isLost { throw Self.taken }
            return format
        } catch {
            await source.stop()
            await arbiter.release(self)
            throw isLost ? Self.taken : error
        }
    }

    nonisolated var frames: any AsyncSequence<[UInt8], any Error> & Sendable { Self.framesOfOneFormat(told) }

    nonisolated var events: any AsyncSequence<CaptureEvent, any Error> & Sendable { told }

    func stop() async {
        isStopped = true
        await source.stop()
        await arbiter.release(self)
    }

    /// Gives the microphone up to a holder with more claim to it.
    func lose() async {
        isLost = true
        await source.stop()
    }

    private nonisolated var told: EndingSequence {
        EndingSequence(events: source.events) { if await self.isLost { throw Self.taken } }
    }

    private static var taken: VoiceError {
        VoiceError(.microphoneTaken, "The microphone was taken for a recording by hand; say it again afterwards.")
    }
}

/// A capture whose end may be an error.
private struct EndingSequence: AsyncSequence, Sendable {
    typealias Failure = any Error
    let events: any AsyncSequence<CaptureEvent, any Error> & Sendable
    let end: @Sendable () async throws -> Void

    struct Iterator: AsyncIteratorProtocol {
        var base: any AsyncIteratorProtocol<CaptureEvent, any Error>
        let end: @Sendable () async throws -> Void

        mutating func next() async throws -> CaptureEvent? {
            if let event = try await base.next(isolation: nil) { return event }
            try await end()
            return nil
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(base: events.makeAsyncIterator(), end: end) }
}

extension VoiceErrorCode {
    /// The microphone was taken from a capture by one that has more claim to it.
    public static let microphoneTaken = VoiceError.Code(rawValue: "microphoneTaken")
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTalk
import RiffTesting
import RiffTransport
import RiffVoice
import Synchronization
import TestSupport
import Testing
import VoiceTestSupport

@Suite(.timeLimit(.minutes(5)))
struct ConversationTests {
    /// A conversation whose parts a test holds in its hands.
    struct Lab: Sendable {
        let conversation: Conversation
        let recognizer = ScriptedSpeechRecognizer()
        let typed = TypedTexts()
        let feed: GivenAnswers
        let audio = WatchedAudio()
        let voice = ScriptedTextToSpeech(perCharacter: .milliseconds(1))

        init(
            call: any CallSession = PlainCall(),
            policy: ConversationPolicy = ConversationPolicy(endpoint: Lab.prompt),
            feed: GivenAnswers = GivenAnswers(),
            detector: (any VoiceDetecting)? = nil,
            format: AudioFormat = .speech,
            arbiter: MicrophoneArbiter? = nil,
            makeSink: (@Sendable () -> any AudioSink)? = nil
        ) {
            self.feed = feed
            let audio = audio
            conversation = Conversation(
                call: call,
                policy: policy,
                recognizer: recognizer,
                sink: typed,
                feed: feed,
                voice: AnswerVoice(voice) { audio.makeSink(makeSink?() ?? MemoryAudioSink()) },
                detector: detector
            ) {
                let source = audio.makeSource(format: format)
                return arbiter?.source(.handsFree, source) ?? source
            }
        }

        /// An utterance that is whole ends its turn at once.
        static let prompt = EndpointPolicy(
            basis: .voice,
            pauseWhenComplete: .milliseconds(10),
            pause: .milliseconds(50),
            backstop: .milliseconds(100)
        )

        /// Waits for the microphone of a turn, counted from 1.
        func listening(_ turn: Int) async throws -> ScriptedSpeechTurn {
            try await conversation.wait { $0.isMicrophoneLive }
            try await waitUntil { recognizer.turns.count >= turn && conversation.current.isMicrophoneLive }
            return recognizer.turns[turn - 1]
        }

        static func line(_ text: String) -> TranscriptLine {
            TranscriptLine(id: .init(rawValue: 1), text: text, start: .zero, duration: .zero, isComplete: true)
        }

        func say(_ text: String, in turn: ScriptedSpeechTurn) {
            turn.tell(.speechStarted(at: .zero))
            turn.tell(.line(Self.line(text)))
            turn.tell(.speechEnded(at: .milliseconds(1)))
        }
    }

    @Test func `five turns: each is typed and submitted, each answer is heard, and nothing overlaps`() async throws {
        let lab = Lab()
        await lab.conversation.start()
        for number in 1...5 {
            let turn = try await lab.listening(number)
            lab.say("question \(number)", in: turn)
            try await lab.conversation.wait { $0.phase == .waiting }
            lab.feed.give("Answer \(number).", at: Double(number))
        }
        _ = try await lab.listening(6)
        await lab.conversation.stop()
        #expect(await lab.typed.texts == (1...5).map { "question \($0) \r" })
        #expect(lab.voice.texts == (1...5).map { "Answer \($0)." })
        #expect(lab.feed.asked.withLock { $0 } == [0, 1, 2, 3, 4, 5], "N6: each answer once")
        lab.audio.state.withLock { state in
            #expect(!state.hasOverlapped && state.mostMicrophones == 1 && state.microphones == 0 && state.voices == 0)
            #expect(state.openings == 6)
        }
        // N14: a fresh turn of the recognizer each time; the last one was cancelled.
        #expect(lab.recognizer.turns.map(\.end) == Array(repeating: .finished, count: 5) + [.cancelled])
        #expect(lab.conversation.current.phase == .idle)
    }

    @Test func `what a recognizer writes for noise is no question`() async throws {
        let lab = Lab()
        await lab.conversation.start()
        for (number, noise) in ["[BLANK_AUDIO]", "(silence)", "♪"].enumerated() {
            lab.say(noise, in: try await lab.listening(number + 1))
        }
        lab.say("run it [now]", in: try await lab.listening(4))
        try await lab.conversation.wait { $0.phase == .waiting }
        await lab.conversation.stop()
        #expect(await lab.typed.texts == ["run it [now] \r"])
    }

    @Test func `muted, the microphone is open and hears silence`() async throws {
        let lab = Lab()
        await lab.conversation.setMuted(true)
        await lab.conversation.start()
        let turn = try await lab.listening(1)
        let source = try #require(lab.audio.state.withLock { $0.sources.first })
        try await source.push([UInt8](repeating: 7, count: 320))
        try await waitUntil { turn.heard.count >= 320 }
        #expect(turn.heard == [UInt8](repeating: 0, count: 320))
        await lab.conversation.setMuted(false)
        try await source.push([UInt8](repeating: 7, count: 320))
        try await waitUntil { turn.heard.count >= 640 }
        #expect(turn.heard.suffix(320).allSatisfy { $0 == 7 })
        await lab.conversation.stop()
    }

    /// N17.
    @Test func `a device that says 0 Hz is an error that is told, tried again, and no crash`() async throws {
        let lab = Lab(format: AudioFormat(sampleRate: 0))
        await lab.conversation.start()
        try await lab.conversation.wait { $0.problem != nil }
        #expect(lab.conversation.current.problem?.code == "voice.audioSourceHasNoFormat")
        await lab.conversation.stop()
        #expect(lab.audio.state.withLock { $0.microphones } == 0)
    }

    /// N12.
    @Test func `the end of the call ends everything, whoever ends it; muting and interruption come from the call too`()
        async throws
    {
        let call = ScriptedCall()
        let lab = Lab(call: call)
        await lab.conversation.start()
        _ = try await lab.listening(1)
        call.happen(.muted(true))
        try await lab.conversation.wait { $0.isMuted }
        call.happen(.audio(isActive: false))
        try await lab.conversation.wait { $0.phase == .interrupted }
        try await waitUntil { lab.audio.state.withLock({ $0.microphones }) == 0 }
        call.happen(.audio(isActive: true))
        _ = try await lab.listening(2)
        call.happen(.ended)
        try await lab.conversation.wait { $0.phase == .idle }
        #expect(lab.audio.state.withLock { $0.microphones } == 0)
        #expect(call.ends.withLock { $0 } == 0, "it has ended")
        // N18: the same funnel begins it anew.
        await lab.conversation.start()
        _ = try await lab.listening(3)
        await lab.conversation.stop()
        #expect(call.ends.withLock { $0 } == 1)
    }

    @Test func `started again while its call is being ended, it asks for answers once and speaks each once`()
        async throws
    {
        let call = SlowlyEndingCall()
        let lab = Lab(call: call)
        await lab.conversation.start()
        _ = try await lab.listening(1)
        let stopping = Task { await lab.conversation.stop() }
        await call.isEnding.value()
        await lab.conversation.start()
        call.mayEnd.resolve(())
        let turn = try await lab.listening(2)
        lab.say("question", in: turn)
        try await lab.conversation.wait { $0.phase == .waiting }
        lab.feed.give("Answer.", at: 1)
        _ = try await lab.listening(3)
        await lab.conversation.stop()
        await stopping.value
        #expect(lab.voice.texts == ["Answer."])
        #expect(lab.feed.asked.withLock { $0 }.filter { $0 == 1 }.count == 1)
    }

    @Test func `a call that cannot be made is told, and nothing is opened`() async throws {
        let lab = Lab(call: ScriptedCall(failure: VoiceError(.audioSessionFailed, "Another call is going on.")))
        await lab.conversation.start()
        try await lab.conversation.wait { $0.problem != nil }
        #expect(lab.conversation.current.phase == .idle)
        #expect(lab.conversation.current.problem?.message == "Another call is going on.")
        #expect(lab.audio.state.withLock { $0.openings } == 0)
    }

    /// N15.
    @Test func `dictation by hand takes the microphone, and gives it back`() async throws {
        let arbiter = MicrophoneArbiter()
        let lab = Lab(arbiter: arbiter)
        await lab.conversation.start()
        let turn = try await lab.listening(1)
        turn.tell(.speechStarted(at: .zero))
        let inner = MemoryAudioSource(Speech.tone(.milliseconds(500)))
        let watched = WatchedSource(inner, lab.audio)
        let said = ScriptedSpeechToText { _, _ in Transcript(text: "by hand") }
        let dictation = Dictation(recognizer: said, sink: lab.typed) { arbiter.source(.gesture, watched) }
        await dictation.toggle()
        await dictation.settled()
        #expect(await lab.typed.texts == ["by hand "])
        let second = try await lab.listening(2)
        lab.say("hands free", in: second)
        try await lab.conversation.wait { $0.phase == .waiting }
        await lab.conversation.stop()
        await dictation.shutdown()
        #expect(await lab.typed.texts == ["by hand ", "hands free \r"])
        #expect(lab.audio.state.withLock { $0.mostMicrophones } == 1)
    }

    @Test func `a conversation that waits for the microphone can be left`() async throws {
        let arbiter = MicrophoneArbiter()
        let byHand = arbiter.source(.gesture, MemoryAudioSource())
        _ = try await byHand.start()
        let lab = Lab(arbiter: arbiter)
        await lab.conversation.start()
        try await waitUntil { !lab.audio.state.withLock({ $0.sources.isEmpty }) }
        await lab.conversation.stop()
        #expect(lab.audio.state.withLock { $0.openings } == 0)
        await byHand.stop()
        let next = arbiter.source(.handsFree, MemoryAudioSource())
        _ = try await next.start()
        await next.stop()
    }

    @Test func `a text that cannot be typed is not lost, and a feed that fails is asked again`() async throws {
        let lab = Lab(feed: GivenAnswers(failures: 1))
        await lab.typed.fail(TransportError(.notConnected, "The session is not connected."))
        await lab.conversation.start()
        try await lab.conversation.wait { $0.problem?.code == "voice.serverUnreachable" }
        let turn = try await lab.listening(1)
        lab.say("question", in: turn)
        try await lab.conversation.wait { $0.unsentText == "question " }
        #expect(lab.conversation.current.problem?.code == "transport.notConnected")
        _ = try await lab.listening(2)
        await lab.conversation.stop()
    }

    // MARK: Approvals

    @Test func `a question is read and answered by voice, and only by what is said after it`() async throws {
        var policy = ConversationPolicy(endpoint: Lab.prompt)
        policy.approvals.settling = .zero
        let lab = Lab(policy: policy)
        await lab.conversation.start()
        let first = try await lab.listening(1)
        async let early = lab.conversation.ask(
            ApprovalRequest(id: .init(rawValue: "1"), question: "May I run make?")
        )
        try await waitUntil { first.end != nil }
        let second = try await lab.listening(2)
        #expect(lab.voice.texts == ["May I run make?"])
        lab.say("Yes, go ahead.", in: second)
        #expect(await early == .allowedOnce)
        let third = try await lab.listening(3)
        async let late = lab.conversation.ask(
            ApprovalRequest(id: .init(rawValue: "2"), question: "May I push?")
        )
        try await waitUntil { third.end != nil }
        _ = try await lab.listening(4)
        await lab.conversation.stop()
        #expect(await late == .pending)
        #expect(await lab.typed.texts.isEmpty, "an answer is no prompt")
        let outside = await lab.conversation.ask(ApprovalRequest(id: .init(rawValue: "3"), question: "?"))
        #expect(outside == .pending)
    }

    // MARK: Barge-in

    @Test func `speaking into an answer breaks it off within the words that did it, which are heard`() async throws {
        // 100 ms of silence, then speech.
        let script = [Float](repeating: 0, count: 10) + [Float](repeating: 0.9, count: 100)
        let policy = ConversationPolicy(endpoint: Lab.prompt, bargeIn: BargeInPolicy())
        let lab = Lab(policy: policy, detector: ScriptedVoiceDetector(script), makeSink: { StuckSink() })
        await lab.conversation.start()
        _ = try await lab.listening(1)
        lab.feed.give("A long answer that nobody wants to hear to its end.", at: 1)
        try await lab.conversation.wait { $0.phase == .speaking }
        try await waitUntil { lab.audio.state.withLock({ $0.sources.count }) >= 2 }
        let source: MemoryAudioSource = lab.audio.state.withLock { $0.sources[1] }
        for _ in 0..<45 { try await source.push([UInt8](repeating: 5, count: 320)) }
        let turn = try await lab.listening(2)
        try await waitUntil { turn.heard.count >= 32 * 400 }
        #expect(turn.heard.allSatisfy { $0 == 5 })
        lab.say("stop that", in: turn)
        try await lab.conversation.wait { $0.phase == .waiting }
        await lab.conversation.stop()
        let broken = try #require(await lab.conversation.interruptions.first { _ in true })
        #expect(broken.content == .prose("A long answer that nobody wants to hear to its end."))
        // The loudspeaker has not played the first frames yet that it was given.
        #expect(broken.heard >= .zero && broken.heard < .milliseconds(100))
        #expect(await lab.typed.texts == ["stop that \r"])
        #expect(lab.audio.state.withLock { $0.mostMicrophones } == 1)
    }

    @Test(arguments: [
        (1, "This is the first of two sentences, and the longer one."),
        (3, "This is the first of two sentences, and the longer one. The second is shorter."),
    ])
    func `what was heard of an answer that is broken off is told`(seconds: Int, text: String) async throws {
        let (clock, audio, feed, loudspeaker) = (ManualClock(), WatchedAudio(), GivenAnswers(), EndlessSink())
        // Each character lasts 50 ms: 2.8 seconds, and 1.1.
        let voice = AnswerVoice(ScriptedTextToSpeech(perCharacter: .milliseconds(50))) { loudspeaker }
        let conversation = Conversation(
            policy: ConversationPolicy(endpoint: Lab.prompt, bargeIn: BargeInPolicy()),
            recognizer: ScriptedSpeechRecognizer(),
            sink: TypedTexts(),
            feed: feed,
            voice: voice,
            detector: ScriptedVoiceDetector([Float](repeating: 0.9, count: 100)),
            clock: clock
        ) { audio.makeSource() }
        await conversation.start()
        try await conversation.wait { $0.isMicrophoneLive }
        let all = "This is the first of two sentences, and the longer one. The second is shorter."
        feed.give(all, at: 1)
        try await waitUntil { audio.state.withLock({ $0.sources.count }) >= 2 }
        try await waitUntil { await loudspeaker.hasAll }
        clock.advance(by: .seconds(seconds))
        let source = audio.state.withLock { $0.sources[1] }
        for _ in 0..<45 { try await source.push([UInt8](repeating: 5, count: 320)) }
        let broken = try #require(await conversation.interruptions.first { _ in true })
        #expect(broken.content == .prose(all) && broken.text == text)
        #expect(broken.heard == .seconds(seconds))
        await conversation.stop()
    }

    @Test func `recorded speech breaks an answer off, and is recognized from before its first sound on`() async throws {
        let policy = ConversationPolicy(endpoint: Lab.prompt, bargeIn: BargeInPolicy())
        let lab = Lab(policy: policy, detector: try NeuralVoiceDetector(), makeSink: { StuckSink() })
        await lab.conversation.start()
        _ = try await lab.listening(1)
        lab.feed.give("A long answer.", at: 1)
        try await waitUntil { lab.audio.state.withLock({ $0.sources.count }) >= 2 }
        let source: MemoryAudioSource = lab.audio.state.withLock { $0.sources[1] }
        let clip = try Speech.file("goforward")
        let said = Speech.silence(.seconds(2)) + (try clip.samples())
        for start in stride(from: 0, to: said.count, by: 640) {
            try await source.push(Array(said[start..<min(start + 640, said.count)]))
        }
        let turn = try await lab.listening(2)
        try await waitUntil {
            let heard = turn.heard
            return heard.count >= 32_000 && said.suffix(heard.count).elementsEqual(heard)
        }
        var activity = try VoiceActivityDetector(NeuralVoiceDetector())
        guard case .started(let first)? = activity.process(try clip.floats()).first else {
            Issue.record("no speech was found")
            return
        }
        #expect(said.count - turn.heard.count <= 32 * 2_000 + 2 * first)
        #expect(said.count - turn.heard.count > 32 * 1_000, "and the silence before it is not")
        lab.say("go forward", in: turn)
        try await lab.conversation.wait { $0.phase == .waiting }
        await lab.conversation.stop()
        #expect(await lab.typed.texts == ["go forward \r"])
    }
}

/// A loudspeaker that takes all at once, and plays for ever.
actor EndlessSink: AudioSink {
    private let end = EventualValue<Void>()
    private(set) var hasAll = false

    func start(_ format: AudioFormat) async throws {}
    func write(_ frames: [UInt8]) async throws {}
    func cancel() async { end.resolve(()) }

    func finish() async throws {
        hasAll = true
        try await end.cancellableValue()
    }
}

/// A loudspeaker that never plays its first frames.
private actor StuckSink: AudioSink {
    private var waiting: CheckedContinuation<Void, any Error>?
    private var isCancelled = false

    func start(_ format: AudioFormat) async throws {}

    func write(_ frames: [UInt8]) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            if isCancelled { continuation.resume(throwing: CancellationError()) } else { waiting = continuation }
        }
    }

    func finish() async throws {}

    func cancel() async {
        isCancelled = true
        waiting?.resume(throwing: CancellationError())
        waiting = nil
    }
}

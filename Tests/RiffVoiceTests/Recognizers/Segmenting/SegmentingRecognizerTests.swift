// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTesting
import RiffVoice
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct SegmentingRecognizerTests {
    /// Two lines of two words.
    static let scene: SpokenScene = {
        var scene = SpokenScene()
        for _ in 0..<2 {
            scene.pause(milliseconds: 500)
            for _ in 0..<2 { scene.say() }
            scene.pause(milliseconds: 1_000)
        }
        return scene
    }()

    static func make(
        _ engine: any SpeechToText,
        _ options: SegmentingRecognizer.Options = SegmentingRecognizer.Options(partialInterval: nil),
        clock: any Clock<Duration> = ManualClock()
    ) throws -> SegmentingRecognizer {
        let detector = ScriptedVoiceDetector(scene.probabilities, frameSamples: SpokenScene.frame)
        return try SegmentingRecognizer(engine, detector: detector, options: options, clock: clock)
    }

    static func makeEngine() -> ScriptedSpeechToText {
        ScriptedSpeechToText { clip, _ in Transcript(text: SpokenScene.heard(in: clip)) }
    }

    static func transcript(of turn: any SpeechTurn) async throws -> TranscriptAccumulator {
        var transcript = TranscriptAccumulator()
        for try await event in turn.events { if case .line(let line) = event { transcript.update(line) } }
        return transcript
    }

    @Test func `a turn ends when all of it is told, and engines get their key terms`() async throws {
        let engine = Self.makeEngine()
        let options = SegmentingRecognizer.Options(keyTerms: ["tmux", "Riff"])
        let turn = try await Self.make(engine, options).beginTurn()
        for frame in Self.scene.frames { try await turn.hear(frame) }
        try await turn.finish()
        let transcript = try await Self.transcript(of: turn)
        #expect(transcript.text == "w1 w2 w3 w4")
        #expect(transcript.lines.count == 2 && transcript.isComplete)
        #expect(transcript.lines.allSatisfy { $0.latency == .zero }, "nobody moved the clock")
        #expect(engine.mostAtOnce == 1)
        #expect(engine.requests.allSatisfy { $0.keyTerms == ["tmux", "Riff"] })
    }

    @Test func `each turn has requests and lines of its own`() async throws {
        let engine = Self.makeEngine()
        let recognizer = try Self.make(engine)
        var ids: Set<TranscriptLine.ID> = []
        for number in 1...3 {
            let turn = try await recognizer.beginTurn()
            // Half of a frame that the next turn must not hear.
            try await turn.hear(Self.scene.frames.flatMap { $0 } + [0, 0])
            try await turn.finish()
            let transcript = try await Self.transcript(of: turn)
            #expect(transcript.text == "w1 w2 w3 w4")
            ids.formUnion(transcript.lines.map(\.id))
            #expect(ids.count == 2 * number)
            #expect(engine.requests.count == 2 * number)
        }
    }

    @Test func `a detector that has heard something hears a turn as if it had not`() async throws {
        var detector = ScriptedVoiceDetector(Self.scene.probabilities, frameSamples: SpokenScene.frame)
        _ = detector.process([Float](repeating: 0, count: 20_007))
        let options = SegmentingRecognizer.Options(partialInterval: nil)
        let recognizer = try SegmentingRecognizer(Self.makeEngine(), detector: detector, options: options)
        let turn = try await recognizer.beginTurn()
        try await turn.hear(Self.scene.frames.flatMap { $0 })
        try await turn.finish()
        #expect(try await Self.transcript(of: turn).text == "w1 w2 w3 w4")
    }

    @Test func `a failing engine is tried again when the clock says so`() async throws {
        let clock = ManualClock()
        let engine = ScriptedSpeechToText { clip, number in
            if number == 0 { throw VoiceError(.speechEngineFailed, "Not now.", recovery: .retry) }
            return Transcript(text: SpokenScene.heard(in: clip))
        }
        let turn = try await Self.make(engine, clock: clock).beginTurn()
        try await turn.hear(Self.scene.frames.flatMap { $0 })
        async let end: Void = turn.finish()
        await clock.sleepers(1)
        #expect(engine.requests.count == 1)
        clock.advance(by: .seconds(1))
        try await end
        #expect(clock.waits == [.seconds(1)])
        #expect(try await Self.transcript(of: turn).text == "w1 w2 w3 w4")
    }

    @Test func `cancelling ends the events and lets go of the engine`() async throws {
        let (began, begin) = AsyncStream<Void>.makeStream()
        let engine = ScriptedSpeechToText { _, _ in
            begin.yield()
            try await ManualClock().sleep(for: .seconds(1))
            return Transcript(text: "never")
        }
        let turn = try await Self.make(engine).beginTurn()
        try await turn.hear(Self.scene.frames.flatMap { $0 })
        for await _ in began { break }
        await turn.cancel()
        // Joined: nothing runs any more, and the engine saw the cancellation.
        #expect(try await Self.transcript(of: turn).text.isEmpty)
        let error = await #expect(throws: VoiceError.self) { try await turn.hear([0, 0]) }
        #expect(error?.code == .turnIsOver)
        await #expect(throws: VoiceError.self) { try await turn.finish() }
        await turn.cancel()
        #expect(engine.requests.count == 1)
    }

    @Test func `a cancelled end is a cancelled turn, also while it waits to try again`() async throws {
        let clock = ManualClock()
        let engine = ScriptedSpeechToText { _, _ in
            throw VoiceError(.speechEngineFailed, "Not now.", recovery: .retry)
        }
        let turn = try await Self.make(engine, clock: clock).beginTurn()
        try await turn.hear(Self.scene.frames.flatMap { $0 })
        let end = Task { try await turn.finish() }
        await clock.sleepers(1)
        end.cancel()
        await #expect(throws: CancellationError.self) { try await end.value }
        _ = try await Self.transcript(of: turn)
        #expect(engine.requests.count == 1)
    }

    @Test func `events that nobody reads stop the turn instead of filling the memory`() async throws {
        var scene = SpokenScene()
        for _ in 0..<520 {
            scene.say(milliseconds: 160)
            scene.pause(milliseconds: 120)
        }
        let segmentation = SpeechSegmentation(minSilenceDuration: .milliseconds(100), speechPadding: .zero)
        let options = SegmentingRecognizer.Options(segmentation: segmentation)
        let detector = ScriptedVoiceDetector(scene.probabilities, frameSamples: SpokenScene.frame)
        let recognizer = try SegmentingRecognizer(Self.makeEngine(), detector: detector, options: options)
        let turn = try await recognizer.beginTurn()
        let error = await #expect(throws: VoiceError.self) { for frame in scene.frames { try await turn.hear(frame) } }
        #expect(error?.code == .recognitionUnread)
        await turn.cancel()
    }

    @Test(arguments: [
        SegmentingRecognizer.Options(segmentation: SpeechSegmentation(threshold: 0)),
        SegmentingRecognizer.Options(longestClip: .seconds(3)),
        SegmentingRecognizer.Options(mostWaiting: .seconds(5)),
    ])
    func `options that contradict themselves are refused`(options: SegmentingRecognizer.Options) {
        let error = #expect(throws: VoiceError.self) { try Self.make(Self.makeEngine(), options) }
        #expect(error?.code == .invalidSegmentation)
    }

    @Test func `preparing is the engine's, and the end of it is told where there is nothing to do`() async throws {
        let steps = Told()
        try await Self.make(Self.makeEngine()).prepare { steps.add($0) }
        #expect(steps.all == [.ready])
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffVoice
import Testing

/// What becomes of speech while its engine fails.
@Suite struct SegmentingFailureTests {
    static let retriable = VoiceError(.speechEngineFailed, "Not now.", recovery: .retry)
    static let final = VoiceError(.speechEngineMissing, "No key.", recovery: .openSettings(.key))

    /// A line of a second.
    static let line: SpokenScene = {
        var scene = SpokenScene()
        scene.say(milliseconds: 1_000)
        scene.pause(milliseconds: 1_000)
        return scene
    }()

    @Test func `a line is tried again after each delay, and is whole then`() throws {
        var run = try MachineRun(SegmentingRecognizer.Options(partialInterval: nil)) { clip, number in
            number < 2 ? .failure(Self.retriable) : .success(Transcript(text: SpokenScene.heard(in: clip)))
        }
        run.hear(Self.line)
        run.finish()
        #expect(run.waits == [.seconds(1), .seconds(3)])
        #expect(run.failures.map(\.outcome) == [.retried(after: .seconds(1)), .retried(after: .seconds(3))])
        #expect(Set(run.clips).count == 1, "it is the same audio each time")
        #expect(run.transcript.text == "w1")
        #expect(run.transcript.isComplete)
    }

    @Test func `a line that fails for good is told with its audio, and the next one is recognized`() throws {
        var run = try MachineRun(SegmentingRecognizer.Options(partialInterval: nil)) { clip, number in
            number == 0 ? .failure(Self.final) : .success(Transcript(text: "next"))
        }
        run.hear(Self.line)
        run.hear(Self.line)
        run.finish()
        #expect(run.waits.isEmpty)
        let failure = try #require(run.failures.first)
        #expect(run.failures.count == 1)
        #expect((failure.error as? VoiceError)?.code == .speechEngineMissing)
        #expect(failure.outcome == .abandoned(run.clips[0]))
        #expect(SpokenScene.heard(in: run.clips[0]) == "w1")
        #expect(run.transcript.text == "next")
        #expect(failure.line.id != run.transcript.lines.first?.id)
    }

    @Test func `attempts end, and later lines keep their order behind a line that is tried again`() throws {
        var run = try MachineRun(SegmentingRecognizer.Options(partialInterval: nil, retryDelays: [.seconds(4)])) {
            clip,
            number in
            number < 2 ? .failure(Self.retriable) : .success(Transcript(text: "line \(number)"))
        }
        for _ in 0..<3 { run.hear(Self.line) }
        run.finish()
        #expect(run.failures.map(\.outcome) == [.retried(after: .seconds(4)), .abandoned(run.clips[0])])
        #expect(run.transcript.text == "line 2 line 3")
        #expect(run.transcript.lines.map(\.start) == [.milliseconds(1_700), .milliseconds(3_700)])
    }

    @Test func `a version in between that fails is only missing`() throws {
        var run = try MachineRun { clip, number in
            number == 0 ? .failure(Self.retriable) : .success(Transcript(text: SpokenScene.heard(in: clip)))
        }
        var scene = SpokenScene()
        for _ in 0..<10 { scene.say() }
        scene.pause(milliseconds: 1_000)
        run.hear(scene)
        run.finish()
        #expect(run.failures.map(\.outcome) == [.partialMissed])
        #expect(run.clips.count == 2, "no further version of a line on which the engine failed")
        #expect(run.transcript.text == scene.text)
        #expect(run.transcript.isComplete)
    }

    @Test func `a version that was to be the last one and fails is tried as a line`() throws {
        var run = try MachineRun(latencyFrames: 70) { clip, number in
            number == 0 ? .failure(Self.retriable) : .success(Transcript(text: "heard"))
        }
        var scene = SpokenScene()
        scene.say(milliseconds: 600)
        scene.pause(milliseconds: 1_500)
        run.hear(scene)
        run.finish()
        #expect(run.clips.count == 2)
        #expect(run.transcript.text == "heard")
        #expect(run.transcript.isComplete)
    }

    @Test func `an engine that never answers costs a bounded memory, and the audio is told`() throws {
        let options = SegmentingRecognizer.Options(partialInterval: nil, mostWaiting: .seconds(20))
        var run = try MachineRun(options, latencyFrames: 60_000)
        for _ in 0..<100 { run.hear(Self.line) }
        let abandoned = run.failures.compactMap { failure -> AudioClip? in
            #expect((failure.error as? VoiceError)?.code == .recognizerTooSlow)
            if case .abandoned(let clip) = failure.outcome { return clip }
            return nil
        }
        // A line is 1.3 to 1.6 s with its padding: one is with the engine, and the rest of 20 s waits.
        let kept = 100 - abandoned.count
        #expect((12...15).contains(kept), "\(kept) lines are kept")
        run.finish()
        let told = Set(abandoned.map(SpokenScene.heard(in:)))
        #expect(told == ["w1"], "each has its word")
        #expect(run.transcript.lines.count == kept)
        #expect(zip(run.transcript.lines, run.transcript.lines.dropFirst()).allSatisfy { $0.start < $1.start })
    }
}

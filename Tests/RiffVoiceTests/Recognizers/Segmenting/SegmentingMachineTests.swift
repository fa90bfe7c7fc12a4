// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffVoice
import Testing

@Suite struct SegmentingMachineTests {
    static func scene(_ build: (inout SpokenScene) -> Void) -> SpokenScene {
        var scene = SpokenScene()
        build(&scene)
        return scene
    }

    /// One word after another without a pause between them.
    static func speech(words: Int) -> SpokenScene { scene { scene in for _ in 0..<words { scene.say() } } }

    @Test func `silence is never given to the engine, nor what is too short to be speech`() throws {
        var run = try MachineRun { _, _ in .success(Transcript(text: "Thank you for watching.")) }
        run.hear(
            Self.scene { scene in
                scene.pause(milliseconds: 20_000)
                scene.say(milliseconds: 100)
                scene.pause(milliseconds: 20_000)
            }
        )
        run.finish()
        #expect(run.clips.isEmpty)
        #expect(run.versions.isEmpty && run.voice.isEmpty)
        #expect(run.isFinished)
    }

    @Test(arguments: ["[BLANK_AUDIO]", "(music)", "♪"])
    func `what an engine writes for noise is no line`(answer: String) throws {
        var run = try MachineRun { _, _ in .success(Transcript(text: answer)) }
        run.hear(
            Self.scene { scene in
                for _ in 0..<5 { scene.say() }
                scene.pause(milliseconds: 2_000)
            }
        )
        run.finish()
        #expect(!run.clips.isEmpty)
        #expect(run.versions.isEmpty)
        #expect(run.transcript.text.isEmpty)
    }

    @Test func `a line grows under one id, and the version of its pause is the last one`() throws {
        var run = try MachineRun()
        run.hear(
            Self.scene { scene in
                scene.pause(milliseconds: 1_000)
                for _ in 0..<5 { scene.say() }
                scene.pause(milliseconds: 2_000)
            }
        )
        // A second with what is before the first sound, and then all of it as soon as the voice paused.
        #expect(run.versions.map(\.text) == ["w1 w2", "w1 w2 w3 w4 w5", "w1 w2 w3 w4 w5"])
        #expect(run.versions.map(\.isComplete) == [false, false, true])
        #expect(Set(run.versions.map(\.id)).count == 1)
        #expect(run.clips.count == 2, "the complete version needs no third call")
        let line = try #require(run.transcript.lines.first)
        #expect(line.start == .milliseconds(700), "300 ms before the first sound")
        #expect(line.duration == .milliseconds(300 + 1_500 + 300))
        #expect(run.voice.map(\.isSpeaking) == [true, false])
        #expect(run.voice.last?.time == .milliseconds(2_500), "the last sound, not the moment of telling")
    }

    @Test func `without partials each line is one call`() throws {
        var run = try MachineRun(SegmentingRecognizer.Options(partialInterval: nil))
        for _ in 0..<3 {
            run.hear(
                Self.scene { scene in
                    scene.say(milliseconds: 3_000)
                    scene.pause(milliseconds: 1_000)
                }
            )
        }
        run.finish()
        #expect(run.clips.count == 3)
        #expect(run.versions.allSatisfy { $0.isComplete })
        #expect(Set(run.versions.map(\.id)).count == 3)
    }

    @Test func `a slow engine gets the newest audio, and not what it missed`() throws {
        var run = try MachineRun(latencyFrames: 250)
        run.hear(Self.speech(words: 30))
        #expect(run.clips.map(\.milliseconds) == [1_000, 3_500, 6_000, 8_500])
        run.finish()
        #expect(run.transcript.text == Self.speech(words: 30).text)
        #expect(run.transcript.isComplete)
    }

    @Test func `an answer that was on its way at the end of the line is its last version`() throws {
        var run = try MachineRun(latencyFrames: 70)
        run.hear(
            Self.scene { scene in
                scene.say(milliseconds: 600)
                scene.pause(milliseconds: 1_500)
            }
        )
        #expect(run.clips.count == 1)
        #expect(run.versions.map(\.isComplete) == [true])
        #expect(run.transcript.text == "w1")
    }

    @Test func `a long line is cut in its best pause and goes on under another id`() throws {
        var run = try MachineRun()
        let scene = Self.scene { scene in
            for word in 1...36 {
                scene.say()
                // The longest one of the first ten seconds is not the last one, and lies in their second half.
                scene.pause(milliseconds: word == 18 ? 250 : word % 6 == 0 ? 120 : 0)
            }
            scene.pause(milliseconds: 1_000)
        }
        run.hear(scene)
        run.finish()
        #expect(run.clips.allSatisfy { $0.milliseconds <= 10_000 })
        #expect(run.transcript.lines.count == 2)
        #expect(run.transcript.lines.first?.text.hasSuffix("w18") == true)
        #expect(run.transcript.text == scene.text)
        let (first, second) = (run.transcript.lines[0], run.transcript.lines[1])
        #expect(first.start + first.duration == second.start)
        #expect(run.voice.map(\.isSpeaking) == [true, false], "the voice never stopped")
    }

    /// Where lines begin that were cut out of speech with pauses at these seconds.
    @Test(arguments: [
        // The longest pause is in the first half, and would leave a short line: one in the second half is better.
        ([(3, 400), (7, 150)], 14, [7]),
        // None in the second half: the longest one that there is.
        ([(2, 150), (4, 300)], 12, [4]),
        // A pause behind the first cut is remembered for the second one.
        ([(6, 400), (9, 200)], 18, [6, 9]),
    ])
    func `the best pause of a long line is where it is cut`(
        pauses: [(second: Int, milliseconds: Int)],
        seconds: Int,
        cuts: [Int]
    ) throws {
        var scene = SpokenScene()
        var begun = 0
        for pause in pauses {
            scene.say(milliseconds: 1_000 * (pause.second - begun))
            scene.pause(milliseconds: pause.milliseconds)
            begun = pause.second
        }
        scene.say(milliseconds: 1_000 * (seconds - begun))
        var run = try MachineRun(SegmentingRecognizer.Options(partialInterval: nil))
        run.hear(scene)
        run.finish()
        let starts = run.transcript.lines.dropFirst().map { Int(($0.start / .seconds(1)).rounded(.down)) }
        // The pauses before it make each a little later than its second.
        #expect(starts == cuts)
    }

    @Test func `the rest of a pause in which a long line was cut is no line`() throws {
        var run = try MachineRun()
        run.hear(
            Self.scene { scene in
                scene.say(milliseconds: 9_600)
                scene.pause(milliseconds: 3_000)
            }
        )
        run.finish()
        #expect(run.transcript.lines.count == 1)
        #expect(run.clips.allSatisfy { !SpokenScene.heard(in: $0).isEmpty }, "each clip has a voice in it")
        #expect(run.voice.map(\.isSpeaking) == [true, false])
    }

    @Test func `a long line without a pause is cut, and loses nothing`() throws {
        var run = try MachineRun(SegmentingRecognizer.Options(partialInterval: nil))
        run.hear(Self.scene { $0.say(milliseconds: 35_000) })
        run.finish()
        #expect(run.clips.allSatisfy { $0.milliseconds <= 10_000 && $0.milliseconds >= 1_000 })
        #expect(run.clips.reduce(0) { $0 + $1.milliseconds } == 35_000)
        #expect(
            zip(run.transcript.lines, run.transcript.lines.dropFirst()).allSatisfy {
                $0.start + $0.duration == $1.start
            }
        )
    }

    @Test func `the vocabulary is mended in every version`() throws {
        let fixer = VocabularyFixer([VocabularyFixer.Rule(heard: "spin", meant: "Sven")])
        var run = try MachineRun(SegmentingRecognizer.Options(vocabulary: fixer)) { _, _ in
            .success(Transcript(text: " ask \n spin  about spinning "))
        }
        run.hear(Self.speech(words: 5))
        run.finish()
        #expect(run.versions.count >= 2)
        #expect(run.versions.allSatisfy { $0.text == "ask Sven about spinning" })
    }

    @Test func `an engine that hears nothing at the end takes nothing back, and nothing at all is no line`() throws {
        for answers in [["five", ""], ["", ""]] {
            var run = try MachineRun { _, number in .success(Transcript(text: answers[min(number, 1)])) }
            run.hear(Self.speech(words: 5))
            run.finish()
            #expect(run.transcript.text == answers[0])
            #expect(run.transcript.isComplete)
            #expect(run.transcript.lines.count == (answers[0].isEmpty ? 0 : 1))
        }
    }

    /// Words in lines of many lengths, with partials and pauses of all lengths, at any speed of the engine.
    @Test(arguments: 0..<12) func `every word comes once, in order`(seed: UInt64) throws {
        let scene = SpokenScene.random(seed, words: 60)
        let slowness = [0, 5, 30, 90][Int(seed) % 4]
        let partials: Duration? = seed % 3 == 0 ? nil : .milliseconds(700)
        var run = try MachineRun(
            SegmentingRecognizer.Options(partialInterval: partials),
            percent: slowness
        )
        run.hear(scene)
        run.finish()
        #expect(run.isFinished)
        #expect(run.transcript.isComplete)
        #expect(run.transcript.text == scene.text)
        #expect(run.clips.allSatisfy { $0.milliseconds <= 10_000 })
        #expect(run.clips.allSatisfy { !SpokenScene.heard(in: $0).isEmpty }, "each clip has a voice in it")
        #expect(run.failures.isEmpty)
    }
}

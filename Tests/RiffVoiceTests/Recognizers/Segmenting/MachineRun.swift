// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffVoice
import Testing

/// Runs a machine through a scene, with an engine that takes a given time of the scene for each clip.
struct MachineRun {
    typealias Engine = (AudioClip, Int) -> Result<Transcript, any Error>

    private(set) var transcript = TranscriptAccumulator()
    private(set) var versions: [TranscriptLine] = []
    private(set) var failures: [RecognitionEvent.Failure] = []
    private(set) var clips: [AudioClip] = []
    private(set) var voice: [(isSpeaking: Bool, time: Duration)] = []
    private(set) var waits: [Duration] = []
    private(set) var isFinished = false

    private var machine: SegmentingMachine
    private let engine: Engine
    private let latencyFrames: Int
    private let percent: Int
    private var running: (clip: AudioClip, until: Int)?
    private var pausedUntil: Int?
    private var now = 0

    /// - Parameters:
    ///   - options: The machine's.
    ///   - latencyFrames: How long the engine takes for each clip.
    ///   - percent: How long it takes besides, in parts of what the clip lasts.
    ///   - engine: What it answers; the number counts clips from 0.
    /// - Throws: What the machine throws.
    init(
        _ options: SegmentingRecognizer.Options = SegmentingRecognizer.Options(),
        latencyFrames: Int = 0,
        percent: Int = 0,
        engine: @escaping Engine = { clip, _ in .success(Transcript(text: SpokenScene.heard(in: clip))) }
    ) throws {
        machine = try SegmentingMachine(options, frameSamples: SpokenScene.frame, turn: 1)
        (self.engine, self.latencyFrames, self.percent) = (engine, latencyFrames, percent)
    }

    mutating func hear(_ scene: SpokenScene) {
        for (frame, probability) in zip(scene.frames, scene.probabilities) {
            settle()
            perform(machine.hear(frame, [probability]))
            now += 1
        }
    }

    /// Ends the audio, and lets the time go on until everything is told.
    mutating func finish() {
        settle()
        perform(machine.finish(nil))
        while running != nil || pausedUntil != nil {
            now += 1
            settle()
        }
    }

    /// In frames.
    private func latency(of clip: AudioClip) -> Int { latencyFrames + clip.milliseconds * percent / 1_000 }

    /// Answers what is due by now.
    private mutating func settle() {
        while true {
            if let (clip, until) = running, until <= now {
                running = nil
                switch engine(clip, clips.count - 1) {
                case .success(let heard):
                    perform(machine.transcribed(heard, latency: .milliseconds(10 * latency(of: clip))))
                case .failure(let error): perform(machine.failed(error))
                }
            } else if let until = pausedUntil, until <= now {
                pausedUntil = nil
                perform(machine.retry())
            } else {
                return
            }
        }
    }

    private mutating func perform(_ actions: [SegmentingMachine.Action]) {
        for action in actions {
            #expect(!isFinished, "nothing comes after the end")
            switch action {
            case .transcribe(let clip):
                #expect(running == nil && pausedUntil == nil, "one clip at a time")
                clips.append(clip)
                running = (clip, now + latency(of: clip))
            case .wait(let delay):
                waits.append(delay)
                pausedUntil = now + Int(delay / .milliseconds(10))
            case .report(.line(let line)):
                versions.append(line)
                transcript.update(line)
            case .report(.failed(let failure)): failures.append(failure)
            case .report(.speechStarted(let time)): voice.append((true, time))
            case .report(.speechEnded(let time)): voice.append((false, time))
            case .finish: isFinished = true
            }
        }
    }
}

extension AudioClip {
    /// How long samples of the speech format are, in milliseconds.
    var milliseconds: Int { bytes.count / 32 }
}

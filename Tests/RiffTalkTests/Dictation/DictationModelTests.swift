// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTalk
import RiffTesting
import RiffVoice
import Testing

struct DictationModelTests {
    /// What the effects of a dictation do: one microphone, one recognizer, one keyboard, each of which takes its time.
    private struct World {
        var machine: DictationStateMachine
        var captures: Set<Int> = []
        var transcribing: Set<Int> = []
        var typing: Set<Int> = []
        /// Takes into which somebody spoke, and those that were given up.
        var spoken: Set<Int> = []
        var abandoned: Set<Int> = []
        var typed: [Int] = []
        var faults: [String] = []

        mutating func send(_ event: DictationStateMachine.Event) {
            for effect in machine.handle(event) { perform(effect) }
        }

        private mutating func perform(_ effect: DictationStateMachine.Effect) {
            switch effect {
            case .startCapture(let take):
                // The one before may still be closing: it was given up, or its recording is on its way.
                if captures.contains(where: { !abandoned.contains($0) }) { faults.append("two captures: \(effect)") }
                captures.insert(take)
            case .stopCapture(let take): if !captures.contains(take) { faults.append("no capture: \(effect)") }
            case .abandon(let take):
                abandoned.insert(take)
                transcribing.remove(take)
                typing.remove(take)
            case .transcribe(let take):
                if !spoken.contains(take) { faults.append("nobody spoke: \(effect)") }
                if captures.contains(take) { faults.append("still recording: \(effect)") }
                transcribing.insert(take)
            case .type(let take, let text, _):
                if !spoken.contains(take) || text.allSatisfy(\.isWhitespace) {
                    faults.append("nothing said: \(effect)")
                }
                if abandoned.contains(take) || typed.contains(take) { faults.append("not wanted: \(effect)") }
                typed.append(take)
                typing.insert(take)
            case .discard(let take): if captures.contains(take) { faults.append("still recording: \(effect)") }
            }
        }

        /// Something that was begun goes on, or comes to its end.
        mutating func complete(_ generator: inout SeededGenerator) {
            let failure = DictationFailure(
                VoiceError(.audioSourceFailed, "x"),
                keepsRecording: Bool.random(using: &generator)
            )
            if let take = captures.randomElement(using: &generator) {
                switch Int.random(in: 0..<6, using: &generator) {
                case 0: send(.captureStarted(take: take))
                case 1, 2:
                    spoken.insert(take)
                    send(.speechHeard(take: take))
                case 3:
                    captures.remove(take)
                    let broken = DictationFailure(VoiceError(.audioSourceFailed, "x"))
                    send(.failed(take: take, broken))
                default:
                    captures.remove(take)
                    send(.recorded(take: take, hasSpeech: spoken.contains(take), failure: nil))
                }
            } else if let take = transcribing.randomElement(using: &generator) {
                transcribing.remove(take)
                let texts = ["fix it", " ", "", "yes"]
                let text = texts.randomElement(using: &generator) ?? ""
                if Int.random(in: 0..<4, using: &generator) == 0 {
                    send(.failed(take: take, failure))
                } else {
                    send(.transcribed(take: take, Transcript(text: text)))
                }
            } else if let take = typing.randomElement(using: &generator) {
                typing.remove(take)
                let lost = DictationFailure(VoiceError(.audioSinkFailed, "x"), text: "fix it ")
                if Bool.random(using: &generator) { send(.typed(take: take)) } else { send(.failed(take: take, lost)) }
            }
        }
    }

    @Test func `no order of events records twice, types what nobody said or what was given up, or ends half`() {
        var generator = SeededGenerator(seed: 23)
        var typed = 0
        for history in 0..<10_000 {
            var world = World(machine: DictationStateMachine(policy: DictationPolicy(submits: true)))
            for _ in 0..<40 {
                let old = Int.random(in: 0...3, using: &generator)
                switch Int.random(in: 0..<16, using: &generator) {
                case 0..<3: world.send(.toggle)
                case 3: world.send(.stop)
                case 4: world.send(.cancel)
                case 5: world.send(.retry)
                // What a take that was given up still reports.
                case 6 where world.abandoned.contains(old):
                    world.send(.transcribed(take: old, Transcript(text: "stale")))
                case 7 where world.abandoned.contains(old): world.send(.speechHeard(take: old))
                case 8 where world.abandoned.contains(old):
                    world.send(.recorded(take: old, hasSpeech: true, failure: nil))
                default: world.complete(&generator)
                }
            }
            world.send(.cancel)
            for _ in 0..<40 where !world.captures.isEmpty { world.complete(&generator) }
            if case .error = world.machine.state { world.send(.cancel) }
            typed += world.typed.count
            guard world.faults.isEmpty, world.machine.state == .idle else {
                Issue.record("history \(history): \(world.machine.state) \(world.faults.prefix(3))")
                return
            }
        }
        #expect(typed > 1_000, "the test reaches what it is about: \(typed)")
    }
}

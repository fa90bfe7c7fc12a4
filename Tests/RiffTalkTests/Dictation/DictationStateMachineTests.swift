// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTalk
import RiffVoice
import Testing

struct DictationStateMachineTests {
    typealias Machine = DictationStateMachine

    /// Brings a machine into a state by the events that lead there.
    static func machine(_ name: String, submits: Bool = false) -> Machine {
        var machine = Machine(policy: DictationPolicy(submits: submits))
        let failure = DictationFailure(VoiceError(.transcriptionUnavailable, "x"), keepsRecording: name == "held")
        let steps: [Machine.Event] =
            switch name {
            case "idle": []
            case "opening": [.toggle]
            case "silent": [.toggle, .captureStarted(take: 1)]
            case "speaking": [.toggle, .captureStarted(take: 1), .speechHeard(take: 1)]
            case "sending": [.toggle, .captureStarted(take: 1), .speechHeard(take: 1), .toggle]
            default: [.toggle, .captureStarted(take: 1), .speechHeard(take: 1), .toggle, .failed(take: 1, failure)]
            }
        for step in steps { _ = machine.handle(step) }
        return machine
    }

    @Test(arguments: [
        ("idle", "toggle", [Machine.Effect.startCapture(take: 1)]), ("opening", "toggle", []), ("silent", "toggle", []),
        ("speaking", "toggle", [.stopCapture(take: 1)]), ("sending", "toggle", []),
        ("error", "toggle", [.startCapture(take: 2)]),
        ("held", "toggle", [.discard(take: 1), .startCapture(take: 2)]),
        ("idle", "stop", []), ("opening", "stop", [.abandon(take: 1)]), ("silent", "stop", [.abandon(take: 1)]),
        ("speaking", "stop", [.stopCapture(take: 1)]), ("sending", "stop", []), ("held", "stop", []),
        ("idle", "cancel", []), ("opening", "cancel", [.abandon(take: 1)]), ("speaking", "cancel", [.abandon(take: 1)]),
        ("sending", "cancel", [.abandon(take: 1)]), ("error", "cancel", []), ("held", "cancel", [.discard(take: 1)]),
        ("idle", "retry", []), ("speaking", "retry", []), ("error", "retry", []),
        ("held", "retry", [.transcribe(take: 1)]),
    ])
    func `each gesture does one thing in each state`(state: String, gesture: String, effects: [Machine.Effect]) {
        var machine = Self.machine(state)
        let before = machine.state
        let event: Machine.Event =
            switch gesture {
            case "toggle": .toggle
            case "stop": .stop
            case "cancel": .cancel
            default: .retry
            }
        #expect(machine.handle(event) == effects)
        if effects.isEmpty, gesture != "cancel" { #expect(machine.state == before) }
    }

    @Test(arguments: [false, true])
    func `submitting is the policy's, whatever ended the recording`(submits: Bool) {
        for ending in [Machine.Event.toggle, .stop, .recorded(take: 1, hasSpeech: true, failure: nil)] {
            var machine = Self.machine("speaking", submits: submits)
            _ = machine.handle(ending)
            _ = machine.handle(.recorded(take: 1, hasSpeech: true, failure: nil))
            #expect(machine.state == .transcribing)
            let effects = machine.handle(.transcribed(take: 1, Transcript(text: "\n hello there \t")))
            #expect(effects == [.type(take: 1, text: "hello there ", submit: submits)])
            #expect(machine.handle(.typed(take: 1)) == [.discard(take: 1)])
            #expect(machine.state == .idle)
        }
    }

    @Test(arguments: ["", "  ", "\n\t"])
    func `nothing heard types nothing, and submits nothing`(text: String) {
        var machine = Self.machine("sending", submits: true)
        _ = machine.handle(.recorded(take: 1, hasSpeech: true, failure: nil))
        #expect(machine.handle(.transcribed(take: 1, Transcript(text: text))) == [.discard(take: 1)])
        #expect(machine.state == .idle)
    }

    @Test func `a missing permission is an error with a way out, not a dead recording`() throws {
        var machine = Self.machine("opening")
        let failure = DictationFailure(VoiceError.permissionRequired(missing: .microphone))
        _ = machine.handle(.failed(take: 1, failure))
        #expect(machine.state == .error(failure))
        #expect(failure.missingPermission == .microphone)
        #expect(failure.problem.recovery == .openSettings(.microphone))
        #expect(machine.handle(.toggle) == [.startCapture(take: 2)])
    }

    @Test func `what a given-up take still reports is ignored`() {
        var machine = Self.machine("sending")
        _ = machine.handle(.cancel)
        for late in [
            Machine.Event.recorded(take: 1, hasSpeech: true, failure: nil),
            .transcribed(take: 1, Transcript(text: "late")),
            .typed(take: 1), .speechHeard(take: 1), .failed(take: 1, DictationFailure(CancellationError())),
        ] {
            #expect(machine.handle(late).isEmpty)
            #expect(machine.state == .idle)
        }
    }

    @Test func `speech before a broken capture is used, with a warning; without speech it is an error`() {
        let failure = DictationFailure(VoiceError(.audioSourceFailed, "unplugged"))
        var machine = Self.machine("speaking")
        #expect(machine.handle(.recorded(take: 1, hasSpeech: true, failure: failure)) == [.transcribe(take: 1)])
        #expect(machine.warning == failure)
        machine = Self.machine("silent")
        _ = machine.handle(.recorded(take: 1, hasSpeech: false, failure: failure))
        #expect(machine.state == .error(failure))
    }
}

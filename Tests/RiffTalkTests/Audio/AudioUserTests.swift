// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffTalk
import RiffTesting
import RiffVoice
import Synchronization
import TestSupport
import Testing
import VoiceTestSupport

/// Each user of an app's audio by itself: what it holds, and what calls, alarms and routes do to it.
@Suite(.timeLimit(.minutes(5)))
struct AudioUserTests {
    struct Lab {
        let platform = WatchedPlatform()
        let audio: SharedAudioSession
        let typed = TypedTexts()
        let clock = ManualClock()

        init() { audio = SharedAudioSession(platform) }

        var isActive: Bool { platform.state.withLock { $0.isActive } }
        var faults: [String] { platform.state.withLock { $0.faults } }

        func dictation(_ policy: DictationPolicy, on microphone: WatchedMicrophone) -> Dictation {
            let words = ScriptedSpeechToText { _, _ in Transcript(text: "run the tests") }
            return Dictation(recognizer: words, sink: typed, policy: policy, audio: audio) { microphone }
        }

        func narrator(_ feed: GivenAnswers, _ voice: ScriptedTextToSpeech, _ sink: any AudioSink) -> Narrator {
            Narrator(feed, voice: AnswerVoice(voice) { sink }, audio: audio, clock: clock)
        }
    }

    static func wait(_ dictation: Dictation, _ isThere: (DictationSnapshot) -> Bool) async throws {
        for await snapshot in dictation.updates() where isThere(snapshot) { return }
        throw CancellationError()
    }

    @Test func `a dictation holds the session while it captures, and no longer`() async throws {
        let lab = Lab()
        let microphone = WatchedMicrophone(lab.platform)
        let dictation = lab.dictation(DictationPolicy(submits: true), on: microphone)
        #expect(!lab.isActive)
        await dictation.toggle()
        try await Self.wait(dictation) { $0.isMicrophoneLive }
        #expect(lab.isActive && lab.audio.current.isActive)
        try await microphone.inner.push(Speech.tone(.milliseconds(200)))
        try await Self.wait(dictation) { $0.state == .recording(isLive: true, hasSpeech: true) }
        await dictation.toggle()
        await dictation.settled()
        #expect(!lab.isActive && lab.faults.isEmpty)
        #expect(await lab.typed.texts == ["run the tests \r"])
        await dictation.shutdown()
    }

    @Test func `what a call cuts short is typed, and Return is left to the person`() async throws {
        let lab = Lab()
        let microphone = WatchedMicrophone(lab.platform)
        let dictation = lab.dictation(DictationPolicy(submits: true), on: microphone)
        await dictation.toggle()
        try await Self.wait(dictation) { $0.isMicrophoneLive }
        try await microphone.inner.push(Speech.tone(.milliseconds(200)))
        try await Self.wait(dictation) { $0.state == .recording(isLive: true, hasSpeech: true) }
        lab.platform.happen(.interrupted)
        try await Self.wait(dictation) { $0.outcome != nil }
        #expect(await lab.typed.texts == ["run the tests "])
        #expect(dictation.current.outcome?.heldBack == .brokenOff)
        #expect(dictation.current.warning?.problem.code == "voice.audioInterrupted")
        await dictation.shutdown()
        #expect(!lab.isActive && lab.faults.isEmpty)
    }

    @Test func `a silence that a call cuts short is an error, and the next gesture begins again`() async throws {
        let lab = Lab()
        let dictation = Dictation(
            recognizer: ScriptedSpeechToText { _, _ in Transcript(text: "x") },
            sink: lab.typed,
            audio: lab.audio
        ) {
            WatchedMicrophone(lab.platform)
        }
        await dictation.toggle()
        try await Self.wait(dictation) { $0.isMicrophoneLive }
        lab.platform.happen(.interrupted)
        try await Self.wait(dictation) { if case .error = $0.state { true } else { false } }
        await dictation.settled()
        await dictation.toggle()
        try await Self.wait(dictation) { $0.isMicrophoneLive }
        #expect(lab.isActive)
        await dictation.shutdown()
        #expect(!lab.isActive && lab.faults.isEmpty)
    }

    @Test func `in the background nothing is recorded, and what was said is typed`() async throws {
        let lab = Lab()
        let microphone = WatchedMicrophone(lab.platform)
        let dictation = lab.dictation(DictationPolicy(submits: true), on: microphone)
        await dictation.toggle()
        try await Self.wait(dictation) { $0.isMicrophoneLive }
        try await microphone.inner.push(Speech.tone(.milliseconds(200)))
        try await Self.wait(dictation) { $0.state == .recording(isLive: true, hasSpeech: true) }
        await dictation.background()
        await dictation.settled()
        #expect(await lab.typed.texts == ["run the tests "])
        await dictation.toggle()
        guard case .error(let failure) = dictation.current.state else {
            Issue.record("\(dictation.current)")
            return
        }
        #expect(failure.problem.code == "voice.inBackground")
        #expect(!lab.isActive)
        await dictation.shutdown()
    }

    @Test func `an alarm silences a narrator, which then speaks on with the sentence that was cut`() async throws {
        let lab = Lab()
        let (feed, voice, sink) = (GivenAnswers(), ScriptedTextToSpeech(perCharacter: .milliseconds(1)), EndlessSink())
        let narrator = lab.narrator(feed, voice, sink)
        await narrator.start()
        feed.give("The first sentence is this one. The second sentence is that one.", at: 1)
        try await waitUntil { narrator.current.isSpeaking && lab.isActive }
        try await waitUntil { !voice.texts.isEmpty }
        lab.platform.happen(.interrupted)
        try await waitUntil { !narrator.current.isSpeaking }
        let before = voice.texts.count
        lab.platform.happen(.interruptionEnded(mayResume: false))
        for _ in 0..<200 { await Task.yield() }
        #expect(!narrator.current.isSpeaking, "the system did not ask for it")
        await narrator.resume()
        try await waitUntil { voice.texts.count > before }
        #expect(voice.texts[before] == "The first sentence is this one.", "nothing of it had been heard to its end")
        await narrator.stop()
        #expect(!lab.isActive && lab.faults.isEmpty)
    }

    @Test func `a headset that is unplugged pauses a narrator`() async throws {
        let lab = Lab()
        let (feed, voice) = (GivenAnswers(), ScriptedTextToSpeech(perCharacter: .milliseconds(1)))
        let narrator = lab.narrator(feed, voice, EndlessSink())
        await narrator.start()
        feed.give("One.", at: 1)
        try await waitUntil { narrator.current.isSpeaking && lab.isActive }
        lab.platform.happen(.outputLost)
        try await waitUntil { narrator.current.isPaused && !narrator.current.isSpeaking }
        try await waitUntil { !lab.isActive }
        await narrator.stop()
        #expect(lab.faults.isEmpty)
    }

    @Test func `a session that cannot be given back is the snapshot's problem`() async throws {
        struct Kept: AudioSessionOwner {
            struct Refused: Error {}
            func activate() async throws {}
            func deactivate() async throws { throw Refused() }
        }
        let audio = SharedAudioSession(Kept())
        let hold = try await audio.hold()
        await audio.release(hold)
        #expect(audio.current.problem?.code == "voice.audioSessionFailed")
    }

    @Test func `a hold whose owner is cancelled is given back all the same`() async throws {
        let lab = Lab()
        let task = Task {
            try await lab.audio.withActiveSession {
                withUnsafeCurrentTask { $0?.cancel() }
                async let other: Void = lab.audio.withActiveSession { await Task.yield() }
                _ = try? await other
            }
        }
        _ = await task.result
        try await waitUntil { !lab.isActive }
        #expect(!lab.audio.current.isActive && lab.faults.isEmpty)
    }
}

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

/// A dictation that ends by itself, what it submits, and what it tells.
@Suite(.timeLimit(.minutes(5)))
struct DictationEndTests {
    /// Guards as a terminal session does.
    private struct GuardedTexts: TextInjecting {
        let texts = TypedTexts()
        var guardsQuestions: Bool { true }
        func type(_ text: String, submit: Bool) async throws { try await texts.type(text, submit: submit) }
        func destination() async -> String? { "riff/main" }
    }

    static func dictation(
        _ policy: DictationPolicy,
        _ sink: any TextInjecting,
        saying text: String = "run the tests",
        limits: ClipRecorder.Limits = ClipRecorder.Limits(),
        on source: MemoryAudioSource
    ) -> Dictation {
        let words = ScriptedSpeechToText { _, _ in Transcript(text: text) }
        return Dictation(recognizer: words, sink: sink, policy: policy, limits: limits) { source }
    }

    /// A5: measured in the sound, so that no clock is needed.
    @Test func `two seconds of silence end a recording, and less does not`() async throws {
        let (typed, source) = (TypedTexts(), MemoryAudioSource())
        let dictation = Self.dictation(DictationPolicy(submits: true, endpoint: .sven), typed, on: source)
        await dictation.toggle()
        // Silence before the first word ends nothing.
        for _ in 0..<10 { try await source.push(Speech.silence(.seconds(1))) }
        try await source.push(Speech.tone(.milliseconds(500)))
        for _ in 0..<19 { try await source.push(Speech.silence(.milliseconds(100))) }
        try await AudioUserTests.wait(dictation) { $0.state == .recording(isLive: true, hasSpeech: true) }
        for _ in 0..<200 { await Task.yield() }
        #expect(dictation.current.state == .recording(isLive: true, hasSpeech: true))
        for _ in 0..<2 { try await source.push(Speech.silence(.milliseconds(100))) }
        try await AudioUserTests.wait(dictation) { $0.outcome != nil }
        #expect(await typed.texts == ["run the tests \r"])
        #expect(dictation.current.outcome?.isSubmitted == true)
        await dictation.shutdown()
    }

    @Test func `two minutes end a recording, which is told from a minute before on`() async throws {
        let (typed, source) = (TypedTexts(), MemoryAudioSource())
        let dictation = Self.dictation(DictationPolicy(endpoint: .sven), typed, on: source)
        let told = Task {
            var told: [Duration] = []
            for await snapshot in dictation.updates() {
                if let time = snapshot.timeLeft, told.last != time { told.append(time) }
                if snapshot.outcome != nil { break }
            }
            return told
        }
        await dictation.toggle()
        for second in 0..<119 {
            try await source.push(Speech.tone(.seconds(1)))
            if second == 118 { #expect(dictation.current.outcome == nil) }
        }
        try await source.push(Speech.tone(.milliseconds(1_100)))
        let times = await told.value
        #expect(times.allSatisfy { $0 <= .seconds(60) } && times.count > 1)
        #expect(times == times.sorted(by: >))
        #expect(await typed.texts == ["run the tests "])
        await dictation.shutdown()
    }

    /// V6: nothing ends it where the policy is a person's alone.
    @Test func `a minute of silence ends nothing without an endpoint`() async throws {
        let (typed, source) = (TypedTexts(), MemoryAudioSource())
        let dictation = Self.dictation(DictationPolicy(), typed, on: source)
        await dictation.toggle()
        try await source.push(Speech.tone(.milliseconds(500)))
        for _ in 0..<60 { try await source.push(Speech.silence(.seconds(1))) }
        try await AudioUserTests.wait(dictation) { $0.state == .recording(isLive: true, hasSpeech: true) }
        #expect(await typed.texts.isEmpty)
        await dictation.shutdown()
    }

    /// FE11.
    @Test(
        arguments: [
            ("run the tests", false, true, nil), ("run the tests and then", false, false, .incomplete),
            ("1.", false, false, .couldAnswer), ("two", false, false, .couldAnswer),
            ("Yes.", false, false, .couldAnswer),
            ("Nein", false, false, .couldAnswer), ("y", false, false, .couldAnswer), ("42", false, false, .couldAnswer),
            ("yes", true, true, nil), ("option number two", false, false, .couldAnswer), ("2026", false, true, nil),
            ("yes run all of the tests again", false, true, nil),
        ] as [(String, Bool, Bool, DictationSnapshot.Outcome.HeldBack?)]
    )
    func `only what is whole is submitted, and no answer into a question`(
        text: String,
        isGuarded: Bool,
        isSubmitted: Bool,
        heldBack: DictationSnapshot.Outcome.HeldBack?
    ) async throws {
        let source = MemoryAudioSource(Speech.tone(.milliseconds(300)))
        let sink: any TextInjecting = isGuarded ? GuardedTexts() : TypedTexts()
        let policy = DictationPolicy(submits: true, completeness: UtteranceCompleteness())
        let dictation = Self.dictation(policy, sink, saying: text, on: source)
        await dictation.toggle()
        await dictation.settled()
        let outcome = try #require(dictation.current.outcome)
        #expect(outcome.isSubmitted == isSubmitted)
        #expect(outcome.heldBack == heldBack)
        #expect(outcome.text == text + " ")
        #expect(outcome.destination == (isGuarded ? "riff/main" : nil))
        await dictation.shutdown()
    }

    @Test func `a recording longer than a clip is cut in a pause, and recognized beside it`() async throws {
        let (typed, source) = (TypedTexts(), MemoryAudioSource())
        let clips = Mutex<[AudioClip]>([])
        let words = ScriptedSpeechToText { clip, _ in
            clips.withLock { clips in
                clips.append(clip)
                return Transcript(text: "part \(clips.count)")
            }
        }
        // Ten seconds a clip.
        let dictation = Dictation(
            recognizer: words,
            sink: typed,
            limits: ClipRecorder.Limits(bytes: 320_000)
        ) { source }
        await dictation.toggle()
        for _ in 0..<3 {
            try await source.push(Speech.tone(.milliseconds(9_000)))
            try await source.push(Speech.silence(.milliseconds(600)))
        }
        try await waitUntil { clips.withLock { $0.count } == 3 }
        #expect(dictation.current.state == .recording(isLive: true, hasSpeech: true), "it goes on")
        try await source.push(Speech.tone(.milliseconds(9_000)))
        // Nobody pauses: cut at the limit.
        try await source.push(Speech.tone(.milliseconds(3_000)))
        try await waitUntil { clips.withLock { $0.count } == 4 }
        await dictation.toggle()
        await dictation.settled()
        #expect(await typed.texts == ["part 1 part 2 part 3 part 4 part 5 "])
        let sizes = clips.withLock { $0.map(\.bytes.count) }
        let all = 32 * (3 * 9_600 + 12_000)
        #expect(sizes.reduce(0, +) == all, "no sample is lost")
        #expect(sizes.allSatisfy { $0 <= 320_000 })
        #expect(dictation.current.warning == nil)
        await dictation.shutdown()
    }

    @Test func `a part that fails is sent once, and again by the person's retry alone`() async throws {
        let (typed, source) = (TypedTexts(), MemoryAudioSource())
        let asked = Mutex(0)
        let words = ScriptedSpeechToText { _, _ in
            let number = asked.withLock { asked in
                asked += 1
                return asked
            }
            if number == 1 { throw VoiceError(.transcriptionUnavailable, "busy", recovery: .retry) }
            return Transcript(text: "word \(number)")
        }
        let dictation = Dictation(recognizer: words, sink: typed, limits: ClipRecorder.Limits(bytes: 320_000)) {
            source
        }
        await dictation.toggle()
        try await source.push(Speech.tone(.seconds(11)))
        try await waitUntil { asked.withLock { $0 } == 1 }
        try await AudioUserTests.wait(dictation) { $0.state == .recording(isLive: true, hasSpeech: true) }
        await dictation.toggle()
        await dictation.settled()
        #expect(asked.withLock { $0 } == 1, "V14: not sent again by itself")
        guard case .error(let failure) = dictation.current.state else {
            Issue.record("\(dictation.current)")
            return
        }
        #expect(failure.keepsRecording)
        await dictation.retry()
        await dictation.settled()
        #expect(await typed.texts == ["word 2 word 3 "])
        await dictation.shutdown()
    }

    @Test func `a recognizer that is down ends a recording before memory does, and what was said is kept`() async throws
    {
        let (typed, source) = (TypedTexts(), MemoryAudioSource())
        let words = ScriptedSpeechToText { _, _ in throw VoiceError(.transcriptionUnavailable, "busy", recovery: .retry)
        }
        let dictation = Dictation(recognizer: words, sink: typed, limits: ClipRecorder.Limits(bytes: 32_000)) { source }
        await dictation.toggle()
        let pushing = Task {
            // The source is stopped by the recorder; then it takes no more.
            for _ in 0..<60 { try await source.push(Speech.tone(.milliseconds(500))) }
        }
        try await AudioUserTests.wait(dictation) { if case .error = $0.state { true } else { false } }
        pushing.cancel()
        _ = await pushing.result
        guard case .error(let failure) = dictation.current.state else { return }
        #expect(failure.keepsRecording)
        #expect(dictation.current.warning?.problem.code == "voice.recordingLimitReached")
        await dictation.shutdown()
    }
}

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

/// Remembers what was typed.
private final class Typist: TextInjecting {
    private let state = Mutex((typed: [String](), failure: (any Error)?.none))
    init(failing failure: (any Error)? = nil) { state.withLock { $0.failure = failure } }
    var typed: [String] { state.withLock { $0.typed } }
    func type(_ text: String, submit: Bool) async throws {
        try state.withLock { state in
            if let failure = state.failure { throw failure }
            state.typed.append(text + (submit ? "<submit>" : ""))
        }
    }
}

/// Says what it is told, clip after clip, then fails.
private final class Script: SpeechToText {
    private let state: Mutex<(answers: [Result<String, VoiceError>], clips: [AudioClip])>
    init(_ answers: Result<String, VoiceError>...) { state = Mutex((answers, [])) }
    var clips: [AudioClip] { state.withLock { $0.clips } }
    func transcribe(_ clip: AudioClip) async throws -> Transcript {
        try state.withLock { state in
            state.clips.append(clip)
            return Transcript(text: try state.answers.removeFirst().get())
        }
    }
}

/// Never answers until it is cancelled.
private struct Stuck: SpeechToText {
    let asked: AsyncStream<Void>.Continuation
    func transcribe(_ clip: AudioClip) async throws -> Transcript {
        asked.yield()
        let (forever, end) = AsyncStream<Never>.makeStream()
        for await _ in forever {}
        withExtendedLifetime(end) {}
        throw CancellationError()
    }
}

extension InTurn {
    @Suite(.timeLimit(.minutes(5)))
    struct DictationTests {
        static let spoken = Speech.silence(.milliseconds(100)) + Speech.tone(.milliseconds(300))

        @Test func `a recording that ends is recognized and typed, and its states are seen in order`() async throws {
            let typist = Typist()
            let script = Script(.success(" ask spin. "))
            let policy = DictationPolicy(
                submits: true,
                vocabulary: VocabularyFixer([VocabularyFixer.Rule(heard: "spin", meant: "Sven")])
            )
            let dictation = Dictation(recognizer: script, sink: typist, policy: policy) {
                MemoryAudioSource(Self.spoken)
            }
            let seen = dictation.updates()
            await dictation.toggle()
            await dictation.settled()
            #expect(typist.typed == ["ask Sven. <submit>"])
            #expect(script.clips == [AudioClip(Self.spoken, encoding: .pcm(.speech))])
            await dictation.shutdown()
            var states: [DictationStateMachine.State] = []
            for await snapshot in seen { states.append(snapshot.state) }
            #expect(
                states == [
                    .idle, .recording(isLive: false, hasSpeech: false), .recording(isLive: true, hasSpeech: false),
                    .recording(isLive: true, hasSpeech: true), .transcribing, .idle,
                ]
            )
        }

        @Test func `the person's setting decides about Return for each text`() async throws {
            let store = InMemoryKeyValueStore()
            let typist = Typist()
            let words = ScriptedSpeechToText { _, _ in Transcript(text: "heard") }
            let dictation = Dictation(recognizer: words, sink: typist, settings: RiffSettings(store)) {
                MemoryAudioSource(Self.spoken)
            }
            for text in [nil, "true", "false", "maybe"] {
                try await store.set(text, for: "riff.voice.autoSubmit")
                await dictation.toggle()
                await dictation.settled()
            }
            #expect(typist.typed == ["heard ", "heard <submit>", "heard ", "heard "])
            let warning = dictation.current.warning?.problem
            #expect(warning?.code == "core.invalidSetting")
            #expect(warning?.recovery?.setting == SettingName(rawValue: "riff.voice.autoSubmit"))
            await dictation.shutdown()
        }

        @Test func `words to expect reach the recognizer`() async throws {
            let engine = ScriptedSpeechToText { _, _ in Transcript(text: "heard") }
            let policy = DictationPolicy(keyTerms: ["tmux", "Riff"])
            let dictation = Dictation(recognizer: engine, sink: Typist(), policy: policy) {
                MemoryAudioSource(Self.spoken)
            }
            await dictation.toggle()
            await dictation.settled()
            #expect(engine.requests.map(\.keyTerms) == [["tmux", "Riff"]])
            await dictation.shutdown()
        }

        @Test func `ten minutes of silence end nothing; speech after them is sent by the next toggle`() async throws {
            let typist = Typist()
            let source = MemoryAudioSource()
            let dictation = Dictation(recognizer: Script(.success("at last")), sink: typist) { source }
            await dictation.toggle()
            for _ in 0..<600 { try await source.push(Speech.silence(.seconds(1))) }
            await dictation.toggle()
            #expect(dictation.current.state != .transcribing)
            try await source.push(Speech.tone(.milliseconds(200)))
            for await snapshot in dictation.updates()
            where snapshot.state == .recording(isLive: true, hasSpeech: true) { break }
            #expect(typist.typed.isEmpty)
            await dictation.toggle()
            await dictation.settled()
            #expect(typist.typed == ["at last "])
            await dictation.shutdown()
        }

        @Test func `hostile text is inert before it reaches the sink`() async {
            let typist = Typist()
            let hostile = "rm -rf x\r\u{3}\u{1B}[201~\u{202E}"
            let dictation = Dictation(recognizer: Script(.success(hostile)), sink: typist) {
                MemoryAudioSource(Self.spoken)
            }
            await dictation.toggle()
            await dictation.settled()
            #expect(typist.typed == ["rm -rf x "])
            await dictation.shutdown()
        }

        @Test func `silence is never sent`() async {
            let script = Script()
            let dictation = Dictation(recognizer: script, sink: Typist()) {
                MemoryAudioSource(Speech.silence(.seconds(1)))
            }
            await dictation.toggle()
            await dictation.settled()
            #expect(script.clips.isEmpty)
            #expect(dictation.current.state == .idle)
            await dictation.shutdown()
        }

        @Test(arguments: ["[BLANK_AUDIO]", "(silence)", "[MUSIC]", "♪", " ... ", "(upbeat music playing)"])
        func `what a recognizer writes for noise is not typed, and no Return is`(answer: String) async {
            let typist = Typist()
            let script = Script(.success(answer), .success("run it [now]"))
            let dictation = Dictation(recognizer: script, sink: typist, policy: DictationPolicy(submits: true)) {
                MemoryAudioSource(Self.spoken)
            }
            await dictation.toggle()
            await dictation.settled()
            #expect(typist.typed.isEmpty)
            #expect(script.clips.count == 1)
            #expect(dictation.current.state == .idle)
            await dictation.toggle()
            await dictation.settled()
            #expect(typist.typed == ["run it [now] <submit>"])
            await dictation.shutdown()
        }

        @Test func `after a failure the recording can be sent again`() async {
            let typist = Typist()
            let script = Script(
                .failure(VoiceError(.transcriptionUnavailable, "busy", recovery: .retry)),
                .success("again")
            )
            let dictation = Dictation(recognizer: script, sink: typist) { MemoryAudioSource(Self.spoken) }
            await dictation.toggle()
            await dictation.settled()
            guard case .error(let failure) = dictation.current.state else {
                Issue.record("not an error")
                return
            }
            #expect(failure.keepsRecording && failure.problem.code == "voice.transcriptionUnavailable")
            #expect(failure.problem.message == "busy")
            await dictation.retry()
            await dictation.settled()
            #expect(typist.typed == ["again "])
            #expect(script.clips.count == 2 && script.clips.first == script.clips.last)
            await dictation.shutdown()
        }

        @Test func `text that cannot be typed is kept in the error`() async {
            let typist = Typist(failing: VoiceError(.audioSourceFailed, "gone"))
            let dictation = Dictation(recognizer: Script(.success("precious")), sink: typist) {
                MemoryAudioSource(Self.spoken)
            }
            await dictation.toggle()
            await dictation.settled()
            guard case .error(let failure) = dictation.current.state else {
                Issue.record("not an error")
                return
            }
            #expect(failure.text == "precious ")
            await dictation.shutdown()
        }

        @Test func `a denied microphone is an error that names the setting`() async {
            let dictation = Dictation(recognizer: Script(), sink: Typist()) {
                MemoryAudioSource(startFailure: VoiceError.permissionRequired(missing: .microphone))
            }
            await dictation.toggle()
            await dictation.settled()
            guard case .error(let failure) = dictation.current.state else {
                Issue.record("not an error")
                return
            }
            #expect(failure.missingPermission == .microphone)
            await dictation.shutdown()
        }

        @Test func `cancelling while it is sent frees it for the next take`() async {
            let (asked, ask) = AsyncStream<Void>.makeStream()
            let typist = Typist()
            let dictation = Dictation(recognizer: Stuck(asked: ask), sink: typist) { MemoryAudioSource(Self.spoken) }
            await dictation.toggle()
            for await _ in asked { break }
            await dictation.cancel()
            await dictation.settled()
            #expect(dictation.current.state == .idle)
            #expect(typist.typed.isEmpty)
            await dictation.shutdown()
        }

        @Test func `shutting down while recording releases the source and ends the sequences`() async throws {
            let source = MemoryAudioSource()
            let dictation = Dictation(recognizer: Script(), sink: Typist()) { source }
            await dictation.toggle()
            await dictation.shutdown()
            for await _ in dictation.levels {}
            await dictation.toggle()
            #expect(dictation.current.state == .idle)
        }
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffTalk
import RiffTesting
import RiffTransport
import RiffVoice
import Synchronization
import TestSupport
import Testing
import VoiceTestSupport

@Suite(.timeLimit(.minutes(5)))
struct NarratorTests {
    private static func narrator(
        _ feed: GivenAnswers,
        _ voice: ScriptedTextToSpeech,
        isWanted: @escaping @Sendable () async -> Bool = { true }
    ) -> Narrator {
        Narrator(feed, voice: AnswerVoice(voice) { MemoryAudioSink() }, isWanted: isWanted)
    }

    private static func wait(_ narrator: Narrator, _ isThere: (Narrator.Snapshot) -> Bool) async throws {
        for await snapshot in narrator.updates() where isThere(snapshot) { return }
        throw CancellationError()
    }

    @Test func `answers are spoken one after another, each once`() async throws {
        let (feed, voice) = (GivenAnswers(), ScriptedTextToSpeech(perCharacter: .milliseconds(1)))
        let narrator = Self.narrator(feed, voice)
        await narrator.start()
        feed.give("The first answer.", at: 1)
        try await waitUntil { voice.texts.count >= 1 }
        feed.give("The first answer.", at: 1)
        feed.give("The second answer.", at: 2)
        try await waitUntil { voice.texts.count >= 2 }
        await narrator.stop()
        #expect(voice.texts == ["The first answer.", "The second answer."])
        #expect(!narrator.current.isActive && !narrator.current.isSpeaking)
    }

    /// N7: the setting is read each loop.
    @Test func `off, nothing is asked and nothing is spoken`() async throws {
        let (feed, voice) = (GivenAnswers(), ScriptedTextToSpeech(perCharacter: .milliseconds(1)))
        let isWanted = Mutex(false)
        let narrator = Self.narrator(feed, voice) { isWanted.withLock { $0 } }
        await narrator.start()
        feed.give("Nobody asked.", at: 1)
        #expect(feed.asked.withLock { $0 } == [])
        isWanted.withLock { $0 = true }
        try await Self.wait(narrator) { $0.isActive }
        try await waitUntil { !voice.texts.isEmpty }
        isWanted.withLock { $0 = false }
        feed.give("Switched off meanwhile.", at: 2)
        try await Self.wait(narrator) { !$0.isActive }
        await narrator.stop()
        #expect(voice.texts == ["Nobody asked."])
    }

    @Test func `it is silent while somebody dictates, and problems are told`() async throws {
        let (feed, voice) = (GivenAnswers(failures: 1), ScriptedTextToSpeech(perCharacter: .milliseconds(1)))
        let narrator = Self.narrator(feed, voice)
        await narrator.start()
        try await Self.wait(narrator) { $0.problem == "The server cannot be reached." }
        await narrator.setRecording(true)
        feed.give("Not now.", at: 1)
        for _ in 0..<1_000 { await Task.yield() }
        #expect(voice.texts.isEmpty)
        await narrator.setRecording(false)
        try await waitUntil { !voice.texts.isEmpty }
        try await Self.wait(narrator) { $0.problem == nil }
        await narrator.stop()
        #expect(voice.texts == ["Not now."])
    }

    /// N7: what a person submits or dictates is not talked over.
    @Test func `a dictation silences it, and submitting skips what is being said`() async throws {
        let (feed, voice, loudspeaker) = (GivenAnswers(), ScriptedTextToSpeech(perCharacter: .milliseconds(1)), Held())
        let narrator = Narrator(feed, voice: AnswerVoice(voice) { loudspeaker.make() })
        let said = ScriptedSpeechToText { _, _ in Transcript(text: "by hand") }
        let dictation = Dictation(recognizer: said, sink: TypedTexts()) { MemoryAudioSource() }
        let following = Task { for await snapshot in dictation.updates() { await narrator.follow(snapshot) } }
        await narrator.start()
        for (number, text) in ["Skipped by hand.", "Broken off by a dictation."].enumerated() {
            feed.give(text, at: Double(number + 1))
            try await Self.wait(narrator) { $0.isSpeaking }
            try await waitUntil { loudspeaker.count >= number + 1 }
            if number == 0 {
                await narrator.skip()
            } else {
                await dictation.toggle()
            }
            try await Self.wait(narrator) { !$0.isSpeaking }
        }
        feed.give("Said meanwhile.", at: 3)
        for _ in 0..<1_000 { await Task.yield() }
        #expect(!voice.texts.contains("Said meanwhile."))
        await dictation.cancel()
        try await waitUntil { voice.texts.contains("Said meanwhile.") }
        following.cancel()
        await narrator.stop()
    }

    /// N16.
    @Test func `a conversation speaks answers although narration is off`() async throws {
        let lab = ConversationTests.Lab()
        let silent = ScriptedTextToSpeech(perCharacter: .milliseconds(1))
        let narrator = Self.narrator(GivenAnswers(), silent) { false }
        await narrator.start()
        await lab.conversation.start()
        lab.say("what is new", in: try await lab.listening(1))
        try await lab.conversation.wait { $0.phase == .waiting }
        lab.feed.give("The tests pass.", at: 1)
        _ = try await lab.listening(2)
        await lab.conversation.stop()
        await narrator.stop()
        #expect(lab.voice.texts == ["The tests pass."])
        #expect(silent.texts.isEmpty)
    }
}

/// Loudspeakers that play for ever.
private final class Held: Sendable {
    private let made = Mutex(0)
    var count: Int { made.withLock { $0 } }

    func make() -> any AudioSink {
        made.withLock { $0 += 1 }
        return EndlessSink()
    }
}

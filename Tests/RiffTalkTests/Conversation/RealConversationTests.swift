// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTalk
import RiffTesting
import RiffTransport
import RiffVoice
import Synchronization
import TestSupport
import Testing
import VoiceTestSupport

extension InTurn {
    /// N9 on real parts: recorded speech at the speed of speech, a voice detector, sshd, tmux, a program that writes
    /// down what it says as Claude Code does, a voice, and files of sound.
    @Suite(
        .enabled(
            if: ThrowawaySSHServer.isInstalled && SystemProgram.path("tmux") != nil
                && SystemProgram.path("espeak-ng") != nil,
            "needs sshd, tmux and espeak-ng"
        ),
        .timeLimit(.minutes(5))
    )
    struct RealConversationTests {
        /// What is said in each turn, and its recording.
        private static let said = [
            ("cards_001", "one"), ("cards_003", "two"), ("cards_004", "three"), ("cards_005", "four"),
            ("goforward", "five"),
        ]

        @Test func `five turns by voice alone, and the microphone is never open while something is spoken`()
            async throws
        {
            try await TalkingAgent.with { agent in
                let audio = WatchedAudio()
                let played = Mutex<[String]>([])
                let turn = Mutex(0)
                let engine = ScriptedSpeechToText { _, _ in
                    Transcript(text: "please count to \(Self.said[turn.withLock { $0 } - 1].1)")
                }
                let recognizer = try SegmentingRecognizer(engine)
                let transcripts = ClaudeTranscripts(on: LocalHostSession(), folder: "\(agent.folder)/projects")
                let conversation = Conversation(
                    policy: ConversationPolicy(endpoint: .remoteClaw),
                    recognizer: recognizer,
                    // The agent is a script, whose prompt Riff does not know.
                    sink: agent.manager.typingAnywhere,
                    feed: ClaudeAnswerFeed(transcripts),
                    voice: AnswerVoice(try EspeakTextToSpeech()) {
                        let path = "\(agent.folder)/answer-\(played.withLock { $0.count }).wav"
                        played.withLock { $0.append(path) }
                        return audio.makeSink(AudioFileSink(path))
                    }
                ) {
                    let number = turn.withLock { number in
                        number += 1
                        return number
                    }
                    guard number <= Self.said.count else { return WatchedSource(MemoryAudioSource(), audio) }
                    let path = Speech.path(Self.said[number - 1].0)
                    return WatchedSource(WAVFileSource(path, pace: .realTimeThenSilence), audio)
                }
                let figures = Task { await conversation.figures.prefix(5).reduce(into: []) { $0.append($1) } }
                await conversation.start()
                try await conversation.wait {
                    let isListening = $0.phase == .listening(isLive: true, hasSpeech: false)
                    return $0.problem != nil || ($0.turns == 5 && isListening)
                }
                #expect(conversation.current.problem == nil)
                await conversation.stop()

                let lines = (1...5).map { "\($0): please count to \(Self.said[$0 - 1].1) " }
                #expect(try agent.lines() == lines, "each once, submitted, in order")
                #expect(played.withLock { $0.count } == 5)
                for path in played.withLock({ $0 }) {
                    let clip = AudioClip([UInt8](try Data(contentsOf: URL(filePath: path))), encoding: .wav)
                    #expect(try #require(try clip.duration()) > .milliseconds(800))
                }
                audio.state.withLock { state in
                    #expect(!state.hasOverlapped && state.mostMicrophones == 1)
                    #expect(state.microphones == 0 && state.voices == 0)
                }
                for turn in await figures.value {
                    let typed = try #require(turn.speechToTyped).rounded
                    let sounded = try #require(turn.answerToSound).rounded
                    print("conversation: end of speech to typed \(typed), answer to first sound \(sounded)")
                }
            }
        }
    }
}

extension Duration {
    fileprivate var rounded: String { formatted(.units(allowed: [.milliseconds])) }
}

/// A program in a tmux session on a throw-away host that takes lines, and writes its answers as Claude Code writes
/// them.
struct TalkingAgent: Sendable {
    let folder: String
    let manager: SessionManager

    static func with(_ body: (TalkingAgent) async throws -> Void) async throws {
        let folder = "/tmp/riff-v\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: "\(folder)/projects/-work", withIntermediateDirectories: true)
        let server = try await ThrowawaySSHServer.start()
        let identity = SSHPrivateKey.makeEd25519(comment: "test")
        try server.authorize(try #require(identity.publicKey).line)
        let host = try SSHHost(
            server.host,
            port: server.port,
            user: server.user,
            key: identity,
            trust: .firstUse(InMemoryHostKeyStore())
        )
        let script = "\(folder)/agent.sh"
        try Self.script(folder).write(toFile: script, atomically: true, encoding: .utf8)
        let tmux = TmuxServer(.path("\(folder)/tmux"))
        let base = NewSessionSpec(harness: .custom("exec sh \(script)"))
        let manager = SessionManager(
            host,
            size: .standard,
            configuration: SessionsConfiguration(server: tmux, base: base)
        )
        let result: Result<Void, any Error>
        do {
            await manager.start()
            try await manager.waitUntilOpen()
            let prompt = EventualValue<Void>()
            let reader = Task {
                guard let terminal = manager.current.active.terminal else { return }
                var text = ""
                for await bytes in terminal.output {
                    text = text.suffix(100) + String(decoding: bytes, as: UTF8.self)
                    if text.contains("> ") { prompt.resolve(()) }
                }
            }
            try await prompt.cancellableValue()
            try await body(TalkingAgent(folder: folder, manager: manager))
            reader.cancel()
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await Task {
            await manager.shutdown()
            await host.shutdown()
            // Cleanup: it may not have started.
            _ = try? await SystemProgram.run("tmux", ["-S", "\(folder)/tmux", "kill-server"])
            await server.stop()
            try? FileManager.default.removeItem(atPath: folder)  // Cleanup.
        }.value
        try result.get()
    }

    private static func script(_ folder: String) -> String {
        #"""
        n=0
        while printf '> ' && IFS= read -r line; do
            n=$((n + 1))
            printf '%s: %s\n' "$n" "$line" >>\#(folder)/lines
            text="Turn $n is done: $line"
            stamp="$(date -u +%Y-%m-%dT%H:%M:%S).00${n}Z"
            printf '{"type":"assistant","isSidechain":false,"timestamp":"%s","message":{"stop_reason":"end_turn","content":[{"type":"text","text":"%s"}]}}\n' "$stamp" "$text" >>\#(folder)/projects/-work/session.jsonl
            printf '%s\n' "$text"
        done
        """#
    }

    /// What was submitted.
    func lines() throws -> [String] {
        try String(contentsOfFile: "\(folder)/lines", encoding: .utf8).split(separator: "\n").map(String.init)
    }
}

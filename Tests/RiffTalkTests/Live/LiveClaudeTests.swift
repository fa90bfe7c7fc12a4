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
    /// The real Claude Code, driven as a front end does; see docs/testing.md for what these need.
    @Suite(
        .enabled(if: ClaudeLab.isPossible, "set RIFF_TEST_CLAUDE and RIFF_TEST_MODEL; needs sshd, tmux, git"),
        .timeLimit(.minutes(5))
    )
    struct LiveClaudeTests {
        @Test
        func `it is dictated to, survives a cut in the middle of an answer, is scrolled, and works in a worktree`()
            async throws
        {
            try await ClaudeLab.with { lab in
                // A worktree for each new session; the base session is at home, where there is no repository.
                let configuration = SessionsConfiguration(
                    server: lab.tmux,
                    launch: { ClaudeArguments(effort: "low", worktrees: Worktrees()).launch }
                )
                let size = TerminalSize(columns: 100, rows: 30)
                let manager = SessionManager(lab.host, size: size, configuration: configuration)
                let reader = Task { await lab.read(manager) }
                try await lab.host.installHostScripts()
                await manager.start()
                do {
                    try await manager.waitUntilOpen()
                    try await lab.wait(for: "the prompt") { $0.contains("❯") }
                    let pane = try await lab.ask("display-message", "-p", "-t", "=riff:", "#{pane_pid}")
                    try await dictate(to: manager, lab)
                    try await cut(manager, lab)
                    try await scroll(manager, lab)
                    #expect(try await lab.ask("display-message", "-p", "-t", "=riff:", "#{pane_pid}") == pane)
                    try await workInTree(manager, lab)
                } catch {
                    await manager.shutdown()
                    throw error
                }
                await manager.shutdown()
                await reader.value
            }
        }

        @Test(.enabled(if: SystemProgram.path("espeak-ng") != nil, "needs espeak-ng"))
        func `it is talked to for five turns, and heard out of its own transcript`() async throws {
            try await ClaudeLab.with { lab in
                let configuration = SessionsConfiguration(
                    server: lab.tmux,
                    launch: { ClaudeArguments(effort: "low").launch }
                )
                let manager = SessionManager(
                    lab.host,
                    size: TerminalSize(columns: 100, rows: 30),
                    configuration: configuration
                )
                let reader = Task { await lab.read(manager) }
                await manager.start()
                let result: Result<Void, any Error>
                do {
                    try await manager.waitUntilOpen()
                    try await lab.wait(for: "the prompt") { $0.contains("❯") }
                    try await talk(to: manager, lab)
                    result = .success(())
                } catch {
                    result = .failure(error)
                }
                await manager.shutdown()
                await reader.value
                try result.get()
            }
        }

        private func talk(to manager: SessionManager, _ lab: ClaudeLab) async throws {
            let audio = WatchedAudio()
            let turn = Mutex(0)
            let voice = NotingVoice(try EspeakTextToSpeech())
            let said = (1...5).map { "count to \($0) please" }
            let engine = ScriptedSpeechToText { _, _ in Transcript(text: said[turn.withLock { $0 } - 1]) }
            let transcripts = ClaudeTranscripts(on: lab.host.files, folder: "\(lab.folder)/home/.claude/projects")
            let conversation = Conversation(
                policy: ConversationPolicy(endpoint: .remoteClaw),
                recognizer: try SegmentingRecognizer(engine),
                sink: manager,
                feed: ClaudeAnswerFeed(transcripts),
                voice: AnswerVoice(voice) {
                    audio.makeSink(AudioFileSink("\(lab.folder)/\(UInt32.random(in: 0 ... .max)).wav"))
                }
            ) {
                turn.withLock { $0 += 1 }
                guard turn.withLock({ $0 }) <= 5 else { return WatchedSource(MemoryAudioSource(), audio) }
                let path = Speech.path("goforward")
                return WatchedSource(WAVFileSource(path, pace: .realTimeThenSilence), audio)
            }
            let figures = Task { await conversation.figures.prefix(5).reduce(into: []) { $0.append($1) } }
            await conversation.start()
            try await conversation.wait { $0.turns == 5 && $0.phase == .listening(isLive: true, hasSpeech: false) }
            await conversation.stop()
            #expect(voice.texts.withLock { $0 } == said.map { "Echo: \($0)." })
            audio.state.withLock { state in
                #expect(!state.hasOverlapped && state.mostMicrophones == 1 && state.microphones + state.voices == 0)
            }
            for turn in await figures.value {
                let times = [turn.speechToTyped, turn.typed.flatMap { typed in turn.answered.map { $0 - typed } }]
                let sounded = turn.answerToSound
                print("claude: speech to typed, typed to answer, answer to sound", times, sounded as Any)
            }
        }

        @Test func `its questions for permission are read out, and answered by voice`() async throws {
            try await ClaudeLab.with { lab in
                // By itself it lets a model of its own decide.
                let base = NewSessionSpec(harness: .custom("exec claude --permission-mode default"))
                let configuration = SessionsConfiguration(server: lab.tmux, base: base)
                let size = TerminalSize(columns: 100, rows: 40)
                let manager = SessionManager(lab.host, size: size, configuration: configuration)
                let reader = Task { await lab.read(manager) }
                await manager.start()
                var policy = ConversationPolicy(endpoint: ConversationTests.Lab.prompt)
                policy.approvals.settling = .zero
                let talk = ConversationTests.Lab(policy: policy)
                let approvals = ClaudeApprovals { try await manager.write($0) }
                await approvals.answer(by: talk.conversation)
                let watcher = Task {
                    for await _ in lab.drawn.updates() {
                        let screen = try await lab.ask("capture-pane", "-p", "-t", "=riff:")
                        await approvals.look(screen.components(separatedBy: "\n"))
                    }
                }
                let result: Result<Void, any Error>
                do {
                    try await manager.waitUntilOpen()
                    try await lab.wait(for: "the prompt") { $0.contains("❯") }
                    await talk.conversation.start()
                    try await answer("yes, go ahead", to: "made.txt", talk, manager)
                    try await lab.wait(for: "the end of the turn") { !$0.contains("1. Yes") }
                    try await answer("no, don't", to: "other.txt", talk, manager)
                    try await lab.wait(for: "the end of the question") { !$0.contains("1. Yes") }
                    result = .success(())
                } catch {
                    result = .failure(error)
                }
                await talk.conversation.stop()
                watcher.cancel()
                await manager.shutdown()
                await reader.value
                try result.get()
                let home = "\(lab.folder)/home"
                #expect(FileManager.default.fileExists(atPath: "\(home)/made.txt"))
                #expect(!FileManager.default.fileExists(atPath: "\(home)/other.txt"))
            }
        }

        private func answer(
            _ words: String,
            to file: String,
            _ talk: ConversationTests.Lab,
            _ manager: SessionManager
        ) async throws {
            let turns = talk.recognizer.turns.count
            let command = #"{"command": "touch \#(file) && ls", "description": "Make a file"}"#
            try await manager.type("@tool Bash \(command)", submit: true)
            try await talk.conversation.wait { $0.phase == .asking }
            let turn = try await talk.listening(max(turns, 1) + 1)
            #expect(talk.voice.texts.joined(separator: " ").contains("touch \(file) && ls"))
            talk.say(words, in: turn)
        }

        private func dictate(to manager: SessionManager, _ lab: ClaudeLab) async throws {
            let words = Said(text: "explain this repository\nin a word")
            let dictation = Dictation(recognizer: words, sink: manager, policy: DictationPolicy(submits: true)) {
                MemoryAudioSource(DictationTests.spoken)
            }
            await dictation.toggle()
            await dictation.settled()
            await dictation.shutdown()
            try await lab.wait(for: "the answer") { $0.contains("Echo: explain this repository in a word") }
        }

        /// The answer goes on while nobody is connected, and the front end comes back into the middle of it or to its
        /// end.
        private func cut(_ manager: SessionManager, _ lab: ClaudeLab) async throws {
            try await manager.type("@slow 60 100", submit: true)
            try await lab.wait(for: "the beginning of a slow answer") { $0.contains("w5 ") }
            #expect(try await !lab.screen().contains("w59"))
            let connections = lab.proxy.counters.connections
            try await lab.proxy.cutAll()
            for await snapshot in manager.updates() where snapshot.active.state?.isOpen == false { break }
            try await lab.proxy.waitUntil { $0.connections > connections }
            try await manager.waitUntilOpen()
            try await lab.wait(for: "the end of the slow answer") { $0.contains("w59") }
            try await manager.type("after the cut", submit: true)
            try await lab.wait(for: "the answer after the cut") { $0.contains("Echo: after the cut") }
        }

        private func scroll(_ manager: SessionManager, _ lab: ClaudeLab) async throws {
            let terminal = try #require(manager.current.active.terminal)
            try await terminal.scroll(3)
            try await manager.type("typed while scrolled", submit: true)
            try await lab.wait(for: "the answer to what was typed while scrolled back") {
                $0.contains("Echo: typed while scrolled")
            }
            #expect(try await !lab.screen().contains("[24~"))
            #expect(try await lab.ask("display-message", "-p", "-t", "=riff:", "#{pane_in_mode}") == "0\n")
            try await terminal.paste("a pasted\ntext of lines")
            try await lab.wait(for: "the paste at the prompt") { $0.contains("text of lines") }
            try await manager.write([0x0D])
            try await lab.wait(for: "the answer to the paste") { $0.contains("Echo: a pasted") }
        }

        private func workInTree(_ manager: SessionManager, _ lab: ClaudeLab) async throws {
            let spec = NewSessionSpec(directory: try StartDirectory(lab.repository))
            let name = try await manager.create(spec).rawValue
            try await manager.waitUntilOpen()
            try await lab.wait(for: "the prompt in a worktree", in: name) { $0.contains("❯") }
            let path = try await lab.ask("display-message", "-p", "-t", "=\(name):", "#{pane_current_path}")
            #expect(path.contains("/worktrees/work/\(name)"))
            try await manager.type("hello from a tree", submit: true)
            try await lab.wait(for: "the answer in a worktree", in: name) { $0.contains("Echo: hello from a tree") }
            let branches = try await SystemProgram.run(
                "git",
                ["-C", lab.repository, "branch", "--format=%(refname:short)"]
            )
            #expect(branches.output.contains("riff/\(name)"))
        }
    }
}

/// Hears the same in every recording.
private struct Said: SpeechToText {
    let text: String

    func transcribe(_ clip: AudioClip) async throws -> Transcript { Transcript(text: text) }
}

/// Notes what is spoken.
private final class NotingVoice: TextToSpeech {
    let texts = Mutex<[String]>([])
    private let voice: any TextToSpeech

    init(_ voice: any TextToSpeech) { self.voice = voice }

    func synthesize(
        _ text: String,
        _ deliver: @Sendable ([UInt8], AudioFormat) async throws -> Void
    ) async throws {
        texts.withLock { $0.append(text) }
        try await voice.synthesize(text, deliver)
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import ExampleTerminal
import Foundation
import RiffAgents
import RiffCore
import RiffHTTP
import RiffScreen
import RiffSessions
import RiffTalk
import RiffTransport
import RiffVoice
import Synchronization

/// One conversation, from the microphone to the loudspeaker.
struct Talk {
    private let options: TalkOptions
    private let sessions: SessionManager
    private let http: AsyncHTTPTransport
    private let approvals: ClaudeApprovals
    private let conversation: Conversation
    private let recognizer: any SpeechToText
    private let board = AgentBoard()
    private let host: SSHHost

    init(_ host: SSHHost, _ options: TalkOptions) throws {
        let sessions = SessionManager(host, size: .standard, configuration: try options.host.sessions())
        let http = try AsyncHTTPTransport()
        let (recordings, answers) = (Recordings(options.say), AnswerFiles(options.speakTo))
        let engine = try options.speech.recognizer { http }
        let voice = try options.voice { http }
        approvals = ClaudeApprovals { try await sessions.write($0) }
        let transcripts = ClaudeTranscripts(on: host, project: options.project, folder: options.transcripts)
        conversation = Conversation(
            policy: ConversationPolicy(bargeIn: options.bargeIn ? BargeInPolicy() : nil),
            recognizer: try SegmentingRecognizer(engine),
            sink: approvals.guarding(options.sayAnywhere ? sessions.typingAnywhere : sessions),
            feed: ClaudeAnswerFeed(transcripts),
            voice: AnswerVoice(voice) { try answers.next() },
            detector: try NeuralVoiceDetector()
        ) {
            try recordings.next()
        }
        (self.options, self.sessions, self.http, recognizer) = (options, sessions, http, engine)
        self.host = host
    }

    /// Talks until the person, the recordings or the turns are at their end.
    func run() async throws {
        let result: Result<Void, any Error>
        do {
            result = .success(try await talk())
        } catch {
            result = .failure(error)
        }
        await conversation.stop()
        await board.stop()
        await sessions.shutdown()
        await http.shutdown()
        try result.get()
    }

    private func talk() async throws {
        try await recognizer.prepare { _ in }
        await sessions.start()
        try await sessions.waitUntilOpen()
        await approvals.answer(by: conversation)
        let printer = TalkPrinter()
        await board.add(host.name, host, server: options.host.server)
        await board.start()
        await withTaskGroup { group in
            group.addTask { await watchAgent(printer) }
            group.addTask { await watchScreen() }
            group.addTask { for await level in conversation.levels { printer.show(level) } }
            group.addTask { for await figures in conversation.figures { printer.show(figures) } }
            group.addTask {
                // The first asks; the loop ends with the group.
                for await _ in Signals.stream([SIGINT, SIGTERM]) { await conversation.stop() }
            }
            await conversation.start()
            await follow(printer)
            group.cancelAll()
        }
    }

    /// Until it is at rest again.
    private func follow(_ printer: TalkPrinter) async {
        var hasBegun = false
        for await snapshot in conversation.updates() {
            printer.show(snapshot)
            if snapshot.phase == .idle, hasBegun { return }
            hasBegun = hasBegun || snapshot.phase != .idle
            // The answer to the last turn is heard.
            guard let turns = options.turns, snapshot.turns >= turns, snapshot.isMicrophoneLive else { continue }
            Task { await conversation.stop() }
        }
    }

    /// Tells each state of the agent in the session.
    private func watchAgent(_ printer: TalkPrinter) async {
        var last: AgentState?
        for await snapshot in board.updates() {
            let name = sessions.current.active.name.rawValue
            let agent = snapshot.agents.first { agent in
                if case .pane(let session, _) = agent.place { session.utf8.elementsEqual(name.utf8) } else { false }
            }
            guard let state = agent?.report.state, state != last else { continue }
            last = state
            printer.show(state)
        }
    }

    /// A session whose output nobody reads stands still; and what is on its screen may be a question.
    private func watchScreen() async {
        guard let terminal = sessions.current.active.terminal else { return }
        var screen = Screen(size: .standard)
        for await bytes in terminal.output {
            screen.feed(bytes)
            await approvals.look(screen.visibleText.components(separatedBy: "\n"))
        }
    }
}

/// The microphone of each turn: the next recording, or what is heard.
private final class Recordings: Sendable {
    private let paths: [String]
    private let count = Mutex(0)

    init(_ paths: [String]) { self.paths = paths }

    func next() throws -> any AudioSource {
        guard !paths.isEmpty else { return CommandAudioSource(.arecord()) }
        let number = count.withLock { count in
            defer { count += 1 }
            return count
        }
        guard number < paths.count else { return MemoryAudioSource() }
        return WAVFileSource(paths[number], pace: .realTimeThenSilence)
    }
}

/// The loudspeaker of each answer: a file, or what is heard.
private final class AnswerFiles: Sendable {
    private let folder: String?
    private let count = Mutex(0)

    init(_ folder: String?) { self.folder = folder }

    func next() throws -> any AudioSink {
        guard let folder else { return CommandAudioSink { AudioCommand.aplay($0) } }
        let number = count.withLock { count in
            count += 1
            return count
        }
        return AudioFileSink("\(folder)/answer-\(number).wav")
    }
}

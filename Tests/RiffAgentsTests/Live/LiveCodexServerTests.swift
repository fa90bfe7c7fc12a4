// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import RiffCore
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport
import Testing

extension InTurn {
    /// The real Codex's server: prompts and answers of another client than its terminal, whose link is cut.
    @Suite(
        .enabled(if: CodexServerLab.isPossible, "scripts/fetch-codex was not run, or sshd and tmux are missing"),
        .timeLimit(.minutes(10))
    )
    struct LiveCodexServerTests {
        @Test func `without a server there is a name for it`() async throws {
            try await CodexServerLab.with { lab in
                let error = await #expect(throws: AgentError.self) { try await CodexServerLab.client(of: lab).run() }
                #expect(error?.code == .noServer)
            }
        }

        @Test func `questions are answered once beside the terminal, however often the link is cut`() async throws {
            try await CodexServerLab.with { lab in
                try await CodexServerLab.start(in: lab)
                let observer = Mutex(AgentObserver(agent: .codex, size: nil))
                let states = Mutex<[String]>([])
                let server = try CodexServerLab.client(of: lab) { observation in
                    let state = observer.withLock { observer in
                        observer.take(observation, at: .zero)
                        observer.advance(to: .zero)
                        return observer.report.state.name
                    }
                    states.withLock { if $0.last != state { $0.append(state) } }
                }
                let running = Task { try await server.run() }
                defer { running.cancel() }
                try await wait(server) { $0.phase == .unbegun }
                var answered: [AgentQuestion] = []
                for number in 0..<AnswerLab.cuts {
                    let allows = number % 3 != 2
                    let prompt = "%run touch f\(number)"
                    _ = try await begin(server, prompt, id: "prompt-\(number)")
                    let status = try await wait(server) { !$0.questions.isEmpty }
                    let question = try #require(status.questions.first)
                    #expect(question.subject == "touch f\(number)")
                    try await lab.waitForScreen {
                        $0.contains("Would you like to run") && $0.contains("touch f\(number)")
                    }
                    let answer: QuestionAnswer = allows ? .allow : .deny()
                    let result: QuestionAnswerResult
                    switch number % 4 {
                    case 0:
                        // The link is cut, and the answer given while it is down.
                        try await lab.proxy.cutAll()
                        result = try await server.answer(question, with: answer)
                    case 1:
                        // Cut while the answer is under way.
                        async let given = server.answer(question, with: answer)
                        try await lab.proxy.cutAll()
                        result = try await given
                    case 2:
                        // Nothing gets through any more, and then it is cut: the answer is lost.
                        try await lab.proxy.vanishAll()
                        async let given = server.answer(question, with: answer)
                        for _ in 0..<number * 20 { await Task.yield() }
                        try await lab.proxy.cutAll()
                        result = try await given
                    default:
                        // Cut when the answer has left.
                        async let given = server.answer(question, with: answer)
                        try await lab.waitUntilAsked { $0 == "answered \(prompt)" }
                        try await lab.proxy.cutAll()
                        result = try await given
                    }
                    #expect(result == .taken || result == .given, "\(number)")
                    try await lab.waitUntilAsked { $0 == "answered \(prompt)" }
                    #expect(lab.exists("f\(number)") == allows)
                    try await wait(server) { $0.phase == .joined && $0.turn == nil && $0.questions.isEmpty }
                    try await lab.waitForScreen { !$0.contains("Would you like to run") }
                    answered.append(question)
                }
                // The truth is the model server's: each prompt once, and the end of each command once.
                for number in 0..<AnswerLab.cuts {
                    #expect(lab.asked.count { $0 == "asked %run touch f\(number)" } == 1)
                    #expect(lab.asked.count { $0 == "answered %run touch f\(number)" } == 1)
                    let turn = try await find(server, "prompt-\(number)")
                    // Only the newest turns are looked at.
                    if number >= AnswerLab.cuts - 20 { #expect(turn != nil) }
                }
                #expect(try await find(server, "nobody's") == nil)
                for question in answered {
                    let error = await #expect(throws: AgentError.self) {
                        try await server.answer(question, with: .allow)
                    }
                    #expect(error?.code == .questionGone)
                }
                #expect(states.withLock { Set($0) }.isSuperset(of: ["working", "waiting", "done"]))
            }
        }

        @Test func `a turn is steered and interrupted, and the terminal's own answer is known`() async throws {
            try await CodexServerLab.with { lab in
                try await CodexServerLab.start(in: lab)
                let server = try CodexServerLab.client(of: lab)
                let running = Task { try await server.run() }
                defer { running.cancel() }
                try await wait(server) { $0.phase == .unbegun }
                _ = try await server.startTurn("%run touch one", id: "a")
                let first = try await wait(server) { !$0.questions.isEmpty }
                let turn = try #require(first.turn)
                let error = await #expect(throws: AgentError.self) {
                    try await server.steer("no-turn", "more", id: "b")
                }
                #expect(error?.code == .serverFailed)
                #expect(try await server.steer(turn, "more", id: "c") == server.startTurn("and more", id: "d"))
                // A person at the terminal is first.
                try await lab.waitForScreen { $0.contains("Would you like to run") }
                try await lab.press("y")
                try await wait(server) { $0.questions.isEmpty }
                let question = try #require(first.questions.first)
                let gone = await #expect(throws: AgentError.self) { try await server.answer(question, with: .cancel) }
                #expect(gone?.code == .questionGone)
                try await wait(server) { $0.turn == nil }
                #expect(lab.exists("one"))
                _ = try await server.startTurn("%run touch two", id: "e")
                try await wait(server) { !$0.questions.isEmpty }
                try await server.interrupt()
                try await wait(server) { $0.turn == nil && $0.questions.isEmpty }
                #expect(!lab.exists("two"))
            }
        }

        @Test func `after a second conversation in the terminal none is guessed`() async throws {
            try await CodexServerLab.with { lab in
                try await CodexServerLab.start(in: lab)
                let server = try CodexServerLab.client(of: lab)
                let running = Task { try await server.run() }
                defer { running.cancel() }
                try await wait(server) { $0.phase == .unbegun }
                _ = try await server.startTurn("hello", id: "a")
                let first = try await wait(server) { $0.phase == .joined && $0.turn == nil }
                try await lab.waitForScreen { $0.contains("Echo: hello") }
                try await lab.press("-l", "--", "/new")
                try await lab.waitForScreen { $0.contains("/new") }
                try await lab.press("Enter")
                // The old one stays loaded, and nothing tells which of them is shown.
                let status = try await wait(server) { $0.phase == .severalThreads }
                #expect(status.candidates.count == 2 && status.candidates.contains { $0.id == first.thread })
                let error = await #expect(throws: AgentError.self) { try await server.startTurn("lost", id: "b") }
                #expect(error?.code == .noThread)
                #expect(!lab.asked.contains("asked lost"))
            }
        }

        /// Gives a prompt once: the last cut may be noticed only now. What may have arrived is looked for before it is
        /// given again.
        private func begin(_ server: CodexServer, _ prompt: String, id: String) async throws -> String {
            while true {
                do {
                    return try await server.startTurn(prompt, id: id).id
                } catch let error as AgentError where error.code == .notConnected {
                    try await wait(server) { $0.phase == .joined }
                } catch let error as AgentError where error.code == .serverLost {
                    if let turn = try await find(server, id) { return turn }
                }
            }
        }

        private func find(_ server: CodexServer, _ id: String) async throws -> String? {
            while true {
                do {
                    return try await server.turn(withPrompt: id)
                } catch let error as AgentError where error.code == .notConnected || error.code == .serverLost {
                    try await wait(server) { $0.phase == .joined }
                }
            }
        }

        @discardableResult
        private func wait(
            _ server: CodexServer,
            _ isMeant: (CodexStatus) -> Bool
        ) async throws -> CodexStatus {
            for await status in server.updates() where isMeant(status) { return status }
            throw CancellationError()
        }
    }
}

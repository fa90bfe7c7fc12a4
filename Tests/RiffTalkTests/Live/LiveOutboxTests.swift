// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffAgents
import RiffCore
import RiffSessions
import RiffShare
import RiffTalk
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    /// Prompts of an outbox in the real agents' terminals. The model server behind them is the judge.
    /// `RIFF_OUTBOX_TRIALS` sets the number of prompts; 20 by default.
    @Suite(.timeLimit(.minutes(60)))
    struct LiveOutboxTests {
        private static var trials: Int {
            ProcessInfo.processInfo.environment["RIFF_OUTBOX_TRIALS"].flatMap { Int($0) } ?? 20
        }

        /// Short ones, lines, tabs, and one that composers show as a token.
        private static func text(_ number: Int) -> String {
            switch number % 5 {
            case 0: "prompt \(number)"
            case 1: "prompt \(number)\nof three\nlines"
            case 2: "prompt \(number)\twith a tab and é ☃"
            case 3: "prompt \(number) " + String(repeating: "word ", count: 400) + "end"
            default: "prompt \(number): \"quotes\" $HOME `x` \\ ; & | #"
            }
        }

        private static func words(_ text: String) -> String { text.split { $0.isWhitespace }.joined(separator: " ") }

        private static func newest(in folder: String, prefix: String) -> String? {
            let files = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
            return files.filter { $0.hasSuffix(".jsonl") && ($0 as NSString).lastPathComponent.hasPrefix(prefix) }.max()
                .map { "\(folder)/\($0)" }
        }

        private static func text(of path: String?) -> String {
            path.flatMap { try? String(contentsOfFile: $0, encoding: .utf8) } ?? ""
        }

        /// Delivers until every prompt has an end, with a client that is put to sleep in the middle now and then.
        private static func deliver(
            _ terminal: LivePromptTerminal,
            _ agent: AgentKind,
            _ outbox: PromptOutbox
        ) async throws {
            let delivery = PromptDelivery(outbox, to: "a", by: terminal.carrier(agent))
            var looks = 0
            // Nothing announces that an agent's record says that its turn is over.
            try await waitUntil {
                looks += 1
                await delivery.wake()
                if looks % 7 == 0 {
                    await delivery.background()
                    await delivery.foreground()
                }
                await delivery.finished()
                let states = try await outbox.refresh().prompts.map(\.state)
                return states.allSatisfy { ["received", "uncertain"].contains($0.name) }
            }
        }

        @Test(.enabled(if: CodexLab.isPossible, "scripts/fetch-codex was not run, or sshd and tmux are missing"))
        func `Codex is asked each prompt once, and none while it asks something itself`() async throws {
            try await CodexLab.with { lab in
                try await KeyTool.withFolder { folder in
                    let outbox = PromptOutbox(directory: "\(folder)/outbox")
                    let sessions = "\(lab.folder)/codex/sessions"
                    let terminal = LivePromptTerminal(
                        session: lab.session,
                        drawn: lab.drawn,
                        record: FileRecord { Self.newest(in: sessions, prefix: "rollout-") }
                    ) {
                        let text = Self.text(of: Self.newest(in: sessions, prefix: "rollout-"))
                        let ends = ["task_complete", "turn_aborted"].map { #""type":"\#($0)""# }
                        return text.matches(of: #/"type":"task_started"/#).count
                            == ends.reduce(0) { $0 + text.ranges(of: $1).count }
                    }
                    try await lab.wait { if case .atPrompt(.codex) = $0 { true } else { false } }
                    for number in 0..<Self.trials { try await outbox.add(Self.text(number), to: "a") }
                    try await Self.deliver(terminal, .codex, outbox)
                    for (number, prompt) in outbox.current.prompts.enumerated() {
                        let line = "asked \(Self.words(Self.text(number)))"
                        let times = lab.asked.count { $0 == line }
                        #expect(times == 1, "prompt \(number) is \(prompt.state)")
                    }
                    let states = Dictionary(grouping: outbox.current.prompts, by: \.state.name).mapValues(\.count)
                    print("codex: \(Self.trials) prompts, \(states)")
                    try await Self.ask(lab, terminal, outbox)
                }
            }
        }

        /// A question stands: the prompt waits, and nothing is answered.
        private static func ask(
            _ lab: CodexLab,
            _ terminal: LivePromptTerminal,
            _ outbox: PromptOutbox
        ) async throws {
            try await lab.session.type("%run touch approved.txt", submit: true)
            try await lab.wait { if case .question = $0 { true } else { false } }
            let before = lab.asked
            let prompt = try await outbox.add("yes 1 y", to: "a")
            let delivery = PromptDelivery(outbox, to: "a", by: terminal.carrier(.codex))
            for _ in 0..<5 {
                await delivery.wake()
                await delivery.finished()
            }
            #expect(outbox.current.prompts.first { $0.id == prompt.id }?.state.name == "waitingForAgent")
            #expect(lab.asked == before)
            #expect(!FileManager.default.fileExists(atPath: "\(lab.folder)/proj/approved.txt"))
            guard case .question = try await lab.reading() else {
                Issue.record("the question is gone")
                return
            }
        }

        @Test(.enabled(if: ClaudeLab.isPossible, "set RIFF_TEST_CLAUDE and RIFF_TEST_MODEL; needs sshd, tmux, git"))
        func `Claude Code asks its model each prompt once`() async throws {
            try await ClaudeLab.with { lab in
                try await KeyTool.withFolder { folder in
                    let outbox = PromptOutbox(directory: "\(folder)/outbox")
                    let home = "\(lab.folder)/home/.claude"
                    let spec = NewSessionSpec(
                        directory: try StartDirectory(lab.repository),
                        harness: .custom("claude --permission-mode manual")
                    )
                    let session = try await lab.host.session(
                        "riff",
                        size: TerminalSize(columns: 100, rows: 40),
                        server: lab.tmux,
                        spec: spec
                    )
                    let reader = Task { for await _ in session.output { lab.drawn.update(lab.drawn.current + 1) } }
                    defer { reader.cancel() }
                    let terminal = LivePromptTerminal(
                        session: session,
                        drawn: lab.drawn,
                        record: HostPromptRecord(on: lab.host.files) { Self.newest(in: "\(home)/projects", prefix: "") }
                    ) {
                        let files = (try? FileManager.default.contentsOfDirectory(atPath: "\(home)/sessions")) ?? []
                        return files.contains {
                            Self.text(of: "\(home)/sessions/\($0)").contains(#""status":"idle""#)
                        }
                    }
                    try await lab.wait(for: "the prompt") { $0.contains("❯") }
                    for number in 0..<Self.trials { try await outbox.add(Self.text(number), to: "a") }
                    try await Self.deliver(terminal, .claude, outbox)
                    let record = Self.text(of: Self.newest(in: "\(home)/projects", prefix: ""))
                    let answers = record.split(separator: "\n").filter { $0.contains(#""type":"assistant""#) }
                    for (number, prompt) in outbox.current.prompts.enumerated() {
                        let isAnswer = { (line: Substring) in
                            line.contains("Echo: ")
                                && line.firstRange(of: "prompt \(number)").map {
                                    !(line[$0.upperBound...].first?.isNumber ?? false)
                                } ?? false
                        }
                        #expect(answers.count(where: isAnswer) == 1, "prompt \(number) is \(prompt.state)")
                    }
                    let states = Dictionary(grouping: outbox.current.prompts, by: \.state.name).mapValues(\.count)
                    print("claude: \(Self.trials) prompts, \(states)")
                }
            }
        }
    }
}

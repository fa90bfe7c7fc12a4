// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffAgents
import RiffCore
import RiffSessions
import RiffTesting
import Testing

/// Prompts at a real agent at random moments: at rest, in a turn, in a question, in a picker, over a draft, at its
/// start.
struct LiveSubmitTrials {
    enum Situation: CaseIterable, Sendable {
        case rest, longText, lines, working, question, picker, draft, start
    }

    let lab: AgentLab
    var random: SeededGenerator
    private(set) var results: [String: Int] = [:]
    private(set) var situations: [Situation: Int] = [:]
    private(set) var faults: [String] = []
    /// What was asked of whom.
    private var prompts: [(word: String, result: SubmitResult, situation: Situation)] = []
    private var commands: [String] = []
    /// How long it took until an agent that was ready said that it took a prompt.
    private(set) var times: [Duration] = []
    /// How long it took until the model was asked that prompt.
    private(set) var askedTimes: [Double] = []
    /// The prompts to an agent that was ready, and when, in seconds since 1970.
    private var starts: [(word: String, at: Double)] = []
    private(set) var ready = 0

    init(_ lab: AgentLab, seed: UInt64) {
        self.lab = lab
        random = SeededGenerator(seed: seed)
    }

    private var live: LiveAgent { lab.live }
    private var session: TerminalSession { lab.session }

    // MARK: Trials

    mutating func run(_ count: Int) async throws {
        for round in 0..<count {
            try await comeToRest()
            // At rest twice as often as anywhere else.
            let situation = Situation.allCases.randomElement(using: &random) ?? .rest
            situations[situation, default: 0] += 1
            let word = "word\(round)x"
            try await prepare(situation, round)
            let text = text(situation, word)
            let limit = Duration.milliseconds([0, 0, 500, 3000].randomElement(using: &random) ?? 0)
            let report = live.reports.current
            let takes = ["ready", "done", "interrupted", "failed"].contains(report.state.name)
            let isReady = takes && report.hasDraft == false
            let start = ContinuousClock.now
            let wallStart = Date().timeIntervalSince1970
            let result = try await session.submit(text, within: limit)
            let time = ContinuousClock.now - start
            prompts.append((word, result, situation))
            results[Self.name(result), default: 0] += 1
            if isReady {
                ready += 1
                if result == .submitted {
                    times.append(time)
                    starts.append((word, wallStart))
                } else {
                    faults.append("\(situation) \(round), ready: \(result); \(live.state)")
                }
            }
        }
        try await comeToRest()
    }

    private mutating func text(_ situation: Situation, _ word: String) -> String {
        switch situation {
        case .longText:
            word + " " + String(repeating: "and more of it ", count: Int.random(in: 10...500, using: &random))
        case .lines:
            word + "\n" + (0..<Int.random(in: 1...20, using: &random)).map { "\tline \($0)\n" }.joined() + "end"
        default: word + " please"
        }
    }

    private mutating func prepare(_ situation: Situation, _ round: Int) async throws {
        var moment = 0...300
        switch situation {
        case .rest, .longText, .lines: break
        case .working:
            try await begin("%slow \(Int.random(in: 10...60, using: &random)) 50 round\(round)")
            moment = 0...3500
        case .question:
            let file = "asked\(round).txt"
            commands.append(file)
            try await begin("%run touch \(file)")
            moment = 0...2500
        case .picker:
            try await session.write(Array("/model".utf8))
            try await Task.pause()
            try await session.write([0x0D])
            moment = 0...1500
        case .draft:
            try await session.write(Array("half a thought".utf8))
            moment = 200...800
        case .start:
            try await lab.end()
            while try await !lab.isOver() { try await ContinuousClock().sleep(for: .milliseconds(20)) }
            await live.restart()
            try lab.start()
            moment = 0...5000
        }
        try await ContinuousClock().sleep(for: .milliseconds(Int.random(in: moment, using: &random)))
    }

    private mutating func begin(_ prompt: String) async throws {
        let result = try await session.submit(prompt, within: .seconds(10))
        if result != .submitted { faults.append("\(prompt): \(result); \(live.state)") }
    }

    // MARK: Between them

    /// Does what a person would until the agent takes a prompt: denies, closes, waits, clears.
    private func comeToRest() async throws {
        for _ in 0..<40 {
            let report = live.reports.current
            switch report.state {
            case .ready, .done, .interrupted, .failed:
                guard report.hasDraft == true else {
                    if report.hasDraft == false { return }
                    break
                }
                try await session.write([0x15])
            case .waiting, .dialog: try await session.write([0x1B])
            case .unknown where report.hasDraft == true: try await session.write([0x15])
            case .working, .starting, .unknown, .exited: break
            }
            try await waitForChange(of: report)
        }
        throw TestingError(
            .serverEnded,
            "\(lab.agent) does not come to rest: \(live.reports.current)\n\(try await lab.screen())"
        )
    }

    private func waitForChange(of report: AgentReport) async throws {
        let live = live
        // A state that stays is looked at again.
        _ = try? await withDeadline(.seconds(2), clock: ContinuousClock()) {
            for await new in live.reports.updates() where new != report { return }
        }
        try await ContinuousClock().sleep(for: .milliseconds(400))
    }

    // MARK: The judge

    /// What is wrong by the model server's word.
    mutating func judge() {
        for (word, result, situation) in prompts {
            let asked = lab.asked(word)
            let isTrue =
                switch result {
                case .submitted: asked == 1
                case .refused: asked == 0
                case .uncertain: asked <= 1
                }
            if !isTrue { faults.append("\(situation) \(word): \(result), and the model was asked \(asked) times") }
        }
        askedTimes = starts.compactMap { start in lab.askedTime(start.word).map { $0 - start.at } }.sorted()
        // Nobody allowed a command: one that ran was allowed by a Return or a letter.
        for file in commands where FileManager.default.fileExists(atPath: "\(lab.folder)/proj/\(file)") {
            faults.append("the question about \(file) was answered")
        }
    }

    /// What became of the prompts, on a few lines.
    var summary: String {
        let sorted = times.sorted()
        let median = sorted.isEmpty ? "-" : "\(sorted[sorted.count / 2])"
        let prompt = sorted.filter { $0 < .seconds(1) }.count
        let asked = askedTimes.filter { $0 < 1 }.count
        return """
            \(lab.agent.rawValue): \(prompts.count) prompts \(results.sorted { $0.key < $1.key })
            \(situations.map { "\($0.key) \($0.value)" }.sorted())
            ready: \(ready), the model was asked within 1 s: \(asked), longest \(askedTimes.last ?? 0) s
            the agent's word within 1 s: \(prompt), median \(median), longest \(sorted.last.map { "\($0)" } ?? "-")
            uncertain: \(prompts.filter { Self.name($0.result) == "uncertain" }.map { "\($0.situation) \($0.result)" })
            """
    }

    private static func name(_ result: SubmitResult) -> String {
        switch result {
        case .submitted: "submitted"
        case .uncertain: "uncertain"
        case .refused(let refusal, let isTyped): "refused \(refusal.reason.rawValue)\(isTyped ? " typed" : "")"
        }
    }
}

extension InTurn.LiveAgents {
    /// At length, by `scripts/agent-submits`.
    @Suite(.timeLimit(.minutes(45)))
    struct LiveSubmitTests {
        /// How many prompts each agent gets.
        static let count = ProcessInfo.processInfo.environment["RIFF_AGENT_SUBMITS"].flatMap { Int($0) }
        static let seed = ProcessInfo.processInfo.environment["RIFF_AGENT_SUBMITS_SEED"].flatMap { UInt64($0) } ?? 1

        @Test(
            .enabled(if: count != nil, "RIFF_AGENT_SUBMITS says how many: scripts/agent-submits"),
            arguments: [AgentKind.claude, .codex].filter { AgentLab.isPossible($0) }
        )
        func `prompts at random moments are taken once or told, and none answers a question`(agent: AgentKind)
            async throws
        {
            try await AgentLab.with(agent, isTrusted: true) { lab in
                var trials = LiveSubmitTrials(lab, seed: Self.seed)
                let outcome: Result<Void, any Error>
                do { outcome = .success(try await trials.run(Self.count ?? 0)) } catch { outcome = .failure(error) }
                trials.judge()
                print(trials.summary)
                for fault in trials.faults { print("fault:", fault) }
                #expect(trials.faults == [])
                try outcome.get()
                let prompt = trials.askedTimes.filter { $0 < 1 }.count
                #expect(Double(prompt) >= 0.98 * Double(trials.ready))
            }
        }
    }
}

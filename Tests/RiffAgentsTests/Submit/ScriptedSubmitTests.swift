// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffAgents
import RiffCore
import RiffSessions
import RiffTesting
import Testing

/// Prompts at an agent that does what it likes, in real time and many at once: every one is taken once, or told as not
/// taken.
@Suite(.timeLimit(.minutes(10)))
struct ScriptedSubmitTests {
    /// How many prompts there are unless `RIFF_SCRIPTED_SUBMITS` says otherwise.
    static let count = ProcessInfo.processInfo.environment["RIFF_SCRIPTED_SUBMITS"].flatMap { Int($0) } ?? 96
    private static let isMeasured = ProcessInfo.processInfo.environment["RIFF_SCRIPTED_SUBMITS"] != nil
    private static let agents = 16

    /// What became of prompts.
    struct Tally: Sendable {
        var submits = 0
        var results: [String: Int] = [:]
        var faults: [String] = []
        /// Prompts to an agent that was ready and takes what it is given, and how many of them went in within a second.
        var ready = 0
        var prompt = 0

        static func + (left: Tally, right: Tally) -> Tally {
            var sum = left
            sum.submits += right.submits
            sum.results.merge(right.results, uniquingKeysWith: +)
            sum.faults += right.faults
            sum.ready += right.ready
            sum.prompt += right.prompt
            return sum
        }
    }

    @Test func `each prompt is taken once or told as not taken, and no dialog gets a Return`() async throws {
        let tally = try await withThrowingTaskGroup(of: Tally.self) { group in
            for number in 0..<Self.agents {
                group.addTask { try await Self.run(number, Self.count / Self.agents) }
            }
            return try await group.reduce(Tally(), +)
        }
        print(
            "\(tally.submits) prompts: \(tally.results.sorted { $0.key < $1.key }), \(tally.prompt) of \(tally.ready) within 1 s"
        )
        #expect(tally.faults == [])
        #expect(tally.submits == Self.count / Self.agents * Self.agents)
        #expect(tally.results["submitted", default: 0] > 0 && tally.results["refused", default: 0] > 0)
        // A second is a second only where nothing else runs: scripts/agent-submits.
        if Self.isMeasured { #expect(Double(tally.prompt) >= 0.98 * Double(tally.ready)) }
    }

    private static func run(_ number: Int, _ count: Int) async throws -> Tally {
        var random = SeededGenerator(seed: UInt64(number))
        let live = LiveAgent(.claude, size: AgentLab.size)
        let agent = ScriptedAgent(live)
        let session = TerminalSession(
            name: "riff",
            link: SteadyLink(transport: agent),
            size: AgentLab.size,
            clock: ContinuousClock()
        )
        session.setSubmitGate(live.gate)
        try await session.open()
        var tally = Tally()
        for round in 0..<count {
            let manner = ScriptedAgent.Manner.allCases.randomElement(using: &random) ?? .plain
            let moment = Duration.milliseconds(Int.random(in: 0...900, using: &random))
            await agent.prepare(manner, moment)
            let token =
                "word\(number)x\(round)x "
                + String(repeating: "and more ", count: Int.random(in: 0...30, using: &random))
            let isReady = ["ready", "done"].contains(live.state.name) && live.reports.current.hasDraft == false
            let start = ContinuousClock.now
            let result = try await session.submit(token, within: .milliseconds(Int.random(in: 0...300, using: &random)))
            let time = ContinuousClock.now - start
            let times = await agent.taken.filter { $0.hasPrefix(token) }.count
            tally.submits += 1
            tally.results[word(result), default: 0] += 1
            if isReady, [.plain, .paste, .noHook].contains(manner) {
                tally.ready += 1
                if result == .submitted, time < .seconds(1) { tally.prompt += 1 }
            }
            if !isTrue(result, times) { tally.faults.append("\(manner): \(result), and it was taken \(times) times") }
        }
        let returns = await agent.returnsIntoDialogs
        if returns > 0 { tally.faults.append("\(returns) Returns into dialogs") }
        let glued = await agent.taken.filter { !$0.hasPrefix("word") }
        if !glued.isEmpty { tally.faults.append("drafts were submitted: \(glued)") }
        await session.close()
        await live.stop()
        return tally
    }

    private static func word(_ result: SubmitResult) -> String {
        switch result {
        case .submitted: "submitted"
        case .uncertain: "uncertain"
        case .refused: "refused"
        }
    }

    private static func isTrue(_ result: SubmitResult, _ times: Int) -> Bool {
        switch result {
        case .submitted: times == 1
        case .refused: times == 0
        case .uncertain: times <= 1
        }
    }
}

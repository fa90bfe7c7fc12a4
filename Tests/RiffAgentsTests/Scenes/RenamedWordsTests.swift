// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffAgents
import RiffCore
import RiffTesting
import Testing

/// An agent's next version, in which one word is another one: the state may then be unknown, and is never wrong.
@Suite struct RenamedWordsTests {
    /// A word of the facts, and where it is.
    struct Word: Sendable, CustomStringConvertible {
        let agent: AgentKind
        let text: String
        let isReport: Bool

        var description: String { "\(agent.rawValue) \(text)" }
    }

    static let words: [Word] = [AgentKind.claude, .codex].flatMap { agent in
        let facts = AgentFacts.builtIn(agent)
        let json = [
            facts.status.keys.map(\.text), facts.waitingFor.keys.map(\.text), facts.hooks.keys.map(\.text),
            facts.records.keys.map(\.text), facts.threads.keys.map(\.text), facts.requests.keys.map(\.text),
            facts.tools.keys.map(\.text),
            [
                "status", "waitingFor", "sessionId", "hook_event_name", "tool_name", "tool_input", "session_id", "type",
                "payload", "message", "stop_reason", "end_turn", "error", "thread_source", "method", "params",
                "threadId",
            ],
        ].joined()
        return json.sorted().map { Word(agent: agent, text: $0, isReport: false) }
            + facts.programStatus.keys.map(\.text).sorted().map { Word(agent: agent, text: $0, isReport: true) }
            + [Word(agent: agent, text: "7501", isReport: true)]
    }

    private static let scenes = [
        "claude": ["claude-subagent", "claude-slow", "claude-nohooks"], "codex": ["codex-slow", "codex-plan"],
    ]

    @Test func `there are enough words`() { #expect(Self.words.count >= 60) }

    @Test(
        .enabled(if: AgentScenesTests.moreScenes != nil, "RIFF_AGENT_SCENES asks for it: it takes minutes"),
        arguments: words
    )
    func `a word that is renamed makes nothing ready`(word: Word) throws {
        var score = SceneScore()
        for scene in Self.scenes[word.agent.rawValue] ?? [] {
            try score.add(AgentScenesTests.fixtures.appendingPathComponent(scene)) { Self.renamed(word, in: $0) }
        }
        #expect(score.falselyIdle == 0, "\(score.faults)")
        // At most unknown, or not heard of yet.
        #expect(
            score.faults.allSatisfy { $0.contains(": unknown while") || $0.contains(": starting while") },
            "\(score.faults)"
        )
    }

    private static func renamed(_ word: Word, in observation: AgentObservation) -> AgentObservation {
        func replaced(_ bytes: [UInt8]) -> [UInt8] {
            word.isReport ? bytes : replacing("\"\(word.text)\"", by: "\"\(word.text)2\"", in: bytes)
        }
        switch observation {
        case .terminal(let bytes):
            guard word.isReport else { return observation }
            let isNumber = word.text == "7501"
            let (old, new) = isNumber ? ("]7501;", "]7502;") : ("state=\(word.text):", "state=\(word.text)2:")
            return .terminal(replacing(old, by: new, in: bytes))
        case .hook(let bytes): return .hook(replaced(bytes))
        case .statusFile(let bytes): return .statusFile(bytes.map(replaced))
        case .recordLine(let bytes, let file): return .recordLine(replaced(bytes), file: file)
        case .serverMessage(let bytes): return .serverMessage(replaced(bytes))
        case .started, .exited, .resized, .serverLost: return observation
        }
    }

    private static func replacing(_ old: String, by new: String, in bytes: [UInt8]) -> [UInt8] {
        let old = Array(old.utf8)
        var result: [UInt8] = []
        var place = 0
        while place < bytes.count {
            if bytes[place...].starts(with: old) {
                result += Array(new.utf8)
                place += old.count
            } else {
                result.append(bytes[place])
                place += 1
            }
        }
        return result
    }
}

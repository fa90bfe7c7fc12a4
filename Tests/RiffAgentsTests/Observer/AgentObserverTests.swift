// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffAgents
import RiffCore
import RiffTesting
import Testing

@Suite struct AgentObserverTests {
    private static func scene(_ name: String) throws -> AgentScene {
        try AgentScene(folder: AgentScenesTests.fixtures.appendingPathComponent(name).path)
    }

    /// The states of a scene whose observations are changed before they are taken.
    private static func states(
        _ scene: AgentScene,
        _ change: (AgentObservation) -> [AgentObservation]
    ) -> [String] {
        var observer = AgentObserver(agent: scene.agent, size: scene.hasTerminal ? scene.size : nil)
        var states: [String] = []
        for event in scene.events {
            for observation in change(event.observation) { observer.take(observation, at: event.factTime) }
            guard observer.advance(to: event.time) else { continue }
            if states.last != observer.report.state.name { states.append(observer.report.state.name) }
        }
        return states
    }

    @Test(arguments: ["claude-osc-noalt", "codex-perm-two"])
    func `a terminal's bytes one by one give the same states`(name: String) throws {
        let scene = try Self.scene(name)
        let whole = Self.states(scene) { [$0] }
        let cut = Self.states(scene) { observation in
            guard case .terminal(let bytes) = observation, bytes.count > 1 else { return [observation] }
            return bytes.map { .terminal([$0]) }
        }
        #expect(whole == cut)
        #expect(whole.contains("working") && whole.contains("done"))
    }

    @Test(arguments: 0..<8)
    func `observations that are damaged are taken without a fault`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func damaged(_ bytes: [UInt8]) -> [UInt8] {
            var bytes = bytes
            for _ in 0..<3 where !bytes.isEmpty {
                let place = Int.random(in: bytes.indices, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
                }
            }
            return bytes
        }
        for name in ["claude-nohooks", "claude-subagent", "codex-daemon-death"] {
            let states = Self.states(try Self.scene(name)) { observation in
                switch observation {
                case .terminal(let bytes): [.terminal(damaged(bytes))]
                case .hook(let bytes): [.hook(damaged(bytes))]
                case .statusFile(let bytes): [.statusFile(bytes.map(damaged))]
                case .recordLine(let bytes, let file): [.recordLine(damaged(bytes), file: file)]
                case .serverMessage(let bytes): [.serverMessage(damaged(bytes))]
                case .started, .exited, .resized, .serverLost: [observation]
                }
            }
            #expect(states.first == "starting")
        }
    }

    @Test func `files without end are not kept`() {
        var observer = AgentObserver(agent: .codex)
        observer.take(.started, at: .zero)
        let line = Array(#"{"type": "event_msg", "payload": {"type": "task_started"}}"#.utf8)
        for index in 0..<10_000 { observer.take(.recordLine(line, file: "\(index)"), at: .milliseconds(index)) }
        observer.advance(to: .seconds(10))
        #expect(observer.report.state == .working)
        #expect(observer.report.evidence.count == 2)
    }

    @Test func `a new size is read anew`() {
        var observer = AgentObserver(agent: .claude, size: .standard)
        observer.take(.started, at: .zero)
        observer.take(.resized(.init(columns: 40, rows: 10)), at: .zero)
        let rule = String(repeating: "─", count: 40)
        observer.take(.terminal(Array("\(rule)\r\n❯\u{A0}\r\n\(rule)\r\n".utf8)), at: .seconds(1))
        observer.take(.statusFile(Array(#"{"status": "idle"}"#.utf8)), at: .seconds(1))
        observer.advance(to: .seconds(1))
        #expect(observer.report.state == .ready)
        #expect(observer.report.hasDraft == false)
    }
}

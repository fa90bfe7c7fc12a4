// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import RiffAgents
public import RiffCore

/// A recorded scene of a coding agent: what could have been seen of it, in order.
///
/// A scene is a folder: `scene.json` (agent, argv, columns, rows), the terminal's bytes (`pane.bin`, cut at the places
/// and times of `pane.times`), `hooks.jsonl`, `claude-sessions.jsonl` and `appserver.jsonl` with a time each,
/// transcripts and rollouts with their times in `file-times.jsonl`, and of `events.jsonl` when the process began and
/// ended. Files that a scene does not have are no evidence.
public struct AgentScene: Sendable {
    /// One thing that was seen.
    public struct Event: Sendable {
        /// When it was seen, from the scene's beginning.
        public let time: Duration
        /// When it came about, if what was seen bears a time of its own; else when it was seen.
        public internal(set) var factTime: Duration
        /// The observation at that time.
        public internal(set) var observation: AgentObservation
        /// Its own time by the host's clock.
        var stamp: Duration?
    }

    /// The kind of agent.
    public let agent: AgentKind
    /// The size of the terminal.
    public let size: TerminalSize
    /// Whether the terminal's own program is the agent, and not a shell that starts more.
    public let hasTerminal: Bool
    /// The events of the scene, in order.
    public private(set) var events: [Event]

    /// Reads a scene.
    ///
    /// - Parameter folder: The path of the scene's folder.
    /// - Throws: ``CoreError`` if a file holds something else than the scene's format; the system's error if a file
    ///   cannot be read.
    public init(folder: String) throws {
        let folder = URL(fileURLWithPath: folder)
        let scene = try JSONValue(parsing: [UInt8](try Data(contentsOf: folder.appendingPathComponent("scene.json"))))
        agent = AgentKind(rawValue: scene["agent"]?.text ?? "generic")
        size = TerminalSize(
            columns: Int(scene["columns"]?.integer ?? 80),
            rows: Int(scene["rows"]?.integer ?? 24)
        )
        let program = scene["argv"]?.array?.first?.text?.split(byte: "/").last.map(String.init) ?? ""
        let programs = AgentFacts.builtIn(agent).programs
        hasTerminal = programs.isEmpty || programs.contains { $0.isSame(bytes: program) }
        var events = try Self.process(folder)
        // Bytes of a shell are none of the agent's.
        if hasTerminal { events += try Self.terminal(folder) }
        events += try Self.hooks(folder) + Self.statusFiles(folder) + Self.serverMessages(folder)
        events += try AgentSceneRecords(folder: folder).events
        // The host's clock began at some time; what was seen soonest after it came about tells when at the latest.
        let beginning = events.compactMap { event in event.stamp.map { event.time - $0 } }.min() ?? .zero
        self.events = events.enumerated()
            .sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map { _, event in
                var event = event
                if let stamp = event.stamp { event.factTime = min(stamp + beginning, event.time) }
                return event
            }
    }

    /// The scene with other observations: what would have been seen of an agent that uses other words.
    ///
    /// - Parameter change: Gives the observation to put in the place of one; `nil` to leave it out.
    /// - Returns: The scene.
    public func changed(_ change: (AgentObservation) -> AgentObservation?) -> AgentScene {
        var scene = self
        scene.events = events.compactMap { event in
            guard let observation = change(event.observation) else { return nil }
            var event = event
            event.observation = observation
            return event
        }
        return scene
    }

    /// Judges the scene as an observer would have, live.
    ///
    /// - Parameters:
    ///   - facts: The facts to judge by; `nil` for the built-in ones.
    ///   - change: Gets each change with its time, in order.
    public func judge(facts: AgentFacts? = nil, onChange change: (Duration, AgentReport) throws -> Void) rethrows {
        var observer = AgentObserver(agent: agent, facts: facts, size: hasTerminal ? size : nil)
        for (index, event) in events.enumerated() {
            while let deadline = observer.deadline, deadline < event.time {
                if observer.advance(to: deadline) { try change(deadline, observer.report) }
            }
            observer.take(event.observation, at: event.factTime)
            // What was seen at one time is judged together.
            if index + 1 < events.count, events[index + 1].time == event.time { continue }
            if observer.advance(to: event.time) { try change(event.time, observer.report) }
        }
        while let deadline = observer.deadline {
            if observer.advance(to: deadline) { try change(deadline, observer.report) }
        }
    }
}

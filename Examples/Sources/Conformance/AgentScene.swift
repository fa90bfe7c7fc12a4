// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffAgents
import RiffCore

/// A recorded scene of a coding agent: what could have been seen of it, in order.
struct AgentScene {
    /// One observation with the kind of evidence that it is.
    struct Event {
        /// When it was seen.
        let time: Duration
        /// When it came about by the host's clock, which has another beginning; `nil` if nothing says so.
        var stamp: Duration?
        let kind: AgentEvidenceKind
        let observation: AgentObservation
    }

    let agent: AgentKind
    let size: TerminalSize
    /// Whether the terminal's own program is the agent, or a shell that starts more.
    let hasTerminal: Bool
    let events: [Event]

    init(folder: URL) throws {
        let scene = try Self.json(folder.appendingPathComponent("scene.json"))
        agent = AgentKind(rawValue: scene["agent"]?.text ?? "generic")
        size = TerminalSize(
            columns: Int(scene["columns"]?.integer ?? 80),
            rows: Int(scene["rows"]?.integer ?? 24)
        )
        let program = scene["argv"]?.array?.first?.text?.split(separator: "/").last.map(String.init) ?? ""
        let programs = AgentFacts.builtIn(agent).programs
        hasTerminal = programs.isEmpty || programs.contains(program)
        var events = try Self.terminal(folder) + Self.process(folder)
        events += try Self.lines(folder, "hooks.jsonl").compactMap { line in
            guard let time = Self.time(line), let payload = line["payload"] else { return nil }
            return Event(time: time, stamp: nil, kind: .hook, observation: .hook(Self.bytes(payload)))
        }
        events += try Self.lines(folder, "claude-sessions.jsonl").compactMap { line in
            guard let time = Self.time(line) else { return nil }
            let file = line["json"].flatMap { $0.object == nil ? nil : Self.bytes($0) }
            let stamp = line["json"]?["statusUpdatedAt"]?.double.map { Duration.milliseconds(Int($0)) }
            return Event(time: time, stamp: stamp, kind: .file, observation: .statusFile(file))
        }
        events += try Self.lines(folder, "appserver.jsonl").compactMap { line in
            guard let time = Self.time(line), line["dir"]?.text == "in", let message = line["msg"] else { return nil }
            let stamp = message["emittedAtMs"]?.double.map { Duration.milliseconds(Int($0)) }
            return Event(time: time, stamp: stamp, kind: .file, observation: .serverMessage(Self.bytes(message)))
        }
        events += try AgentSceneRecords(folder: folder).events
        // Sorting keeps the order of what has one time.
        self.events = events.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
    }

    /// The changes of the state, a JSON object a line.
    func judge(facts: AgentFacts?, only kinds: Set<AgentEvidenceKind>) -> String {
        var observer = AgentObserver(agent: agent, facts: facts, size: hasTerminal ? size : nil)
        var printed = ""
        let beginning = events.compactMap { event in event.stamp.map { event.time - $0 } }.min()
        let used = events.filter { kinds.contains($0.kind) || $0.kind == .process }
        for (index, event) in used.enumerated() {
            while let deadline = observer.deadline, deadline < event.time {
                if observer.advance(to: deadline) { printed += Self.line(observer.report, at: deadline) }
            }
            // Bytes of a shell are none of the agent's.
            if case .terminal = event.observation, !hasTerminal { continue }
            var factTime = event.time
            if let stamp = event.stamp, let beginning { factTime = min(stamp + beginning, event.time) }
            observer.take(event.observation, at: factTime)
            // What was seen at one time is one look.
            if index + 1 < used.count, used[index + 1].time == event.time { continue }
            if observer.advance(to: event.time) { printed += Self.line(observer.report, at: event.time) }
        }
        while let deadline = observer.deadline {
            if observer.advance(to: deadline) { printed += Self.line(observer.report, at: deadline) }
        }
        return printed
    }

    private static func line(_ report: AgentReport, at time: Duration) -> String {
        let evidence = report.evidence.map { piece -> JSONValue in
            .object(
                JSONObject([
                    ("kind", .string(piece.kind.rawValue)), ("says", .string(piece.says)),
                    ("age", .number(seconds(time - piece.at))),
                ])
            )
        }
        let object = JSONObject([
            ("t", .number(seconds(time))), ("state", .string(report.state.name)),
            ("on", report.state.subject.map { .string($0) } ?? .null),
            ("background", .array(report.background.map { .string($0) })), ("evidence", .array(evidence)),
        ])
        return JSONValue.object(object).description + "\n"
    }

    /// Whole milliseconds: more was not recorded.
    private static func seconds(_ duration: Duration) -> Double { (duration / .milliseconds(1)).rounded() / 1000 }

    // MARK: Files

    static func time(_ line: JSONValue) -> Duration? {
        line["t"]?.double.map { .milliseconds(Int(($0 * 1000).rounded())) }
    }

    static func bytes(_ value: JSONValue) -> [UInt8] { value.bytes() }

    static func json(_ file: URL) throws -> JSONValue { try JSONValue(parsing: [UInt8](try Data(contentsOf: file))) }

    /// The lines of a file, nothing if the scene has none.
    static func lines(_ folder: URL, _ name: String) throws -> [JSONValue] {
        let file = folder.appendingPathComponent(name)
        guard FileManager.default.fileExists(atPath: file.path) else { return [] }
        return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map {
            try JSONValue(parsing: [UInt8]($0))
        }
    }

    /// The terminal's bytes, cut where they were seen.
    private static func terminal(_ folder: URL) throws -> [Event] {
        let file = folder.appendingPathComponent("pane.bin")
        guard FileManager.default.fileExists(atPath: file.path) else { return [] }
        let bytes = [UInt8](try Data(contentsOf: file))
        let times = try String(contentsOf: folder.appendingPathComponent("pane.times"), encoding: .utf8)
        let places = times.split(whereSeparator: \.isNewline).compactMap { line -> (Duration, Int)? in
            let parts = line.split(separator: " ")
            guard parts.count == 2, let time = Double(parts[0]), let place = Int(parts[1]) else { return nil }
            return (.milliseconds(Int((time * 1000).rounded())), min(place, bytes.count))
        }
        return places.indices.compactMap { index in
            let end = index + 1 < places.count ? places[index + 1].1 : bytes.count
            guard places[index].1 < end else { return nil }
            let piece = Array(bytes[places[index].1..<end])
            return Event(time: places[index].0, kind: .screen, observation: .terminal(piece))
        }
    }

    /// When the process began and ended.
    private static func process(_ folder: URL) throws -> [Event] {
        var events: [Event] = []
        var isOver = true
        for line in try lines(folder, "events.jsonl") {
            guard let time = time(line) else { continue }
            func add(_ observation: AgentObservation) {
                events.append(Event(time: time, kind: .process, observation: observation))
            }
            switch (line["ev"]?.text, line["what"]?.text) {
            case ("act", "start"), ("act", "respawn"):
                add(.started)
                isOver = false
            case ("pane", _):
                if line["dead"]?.text == "1", !isOver {
                    isOver = true
                    add(.exited(exit(line)))
                } else if line["dead"]?.text == "0", isOver {
                    // Started again by other means than the scene's own.
                    isOver = false
                    add(.started)
                }
            default: break
            }
        }
        return events
    }

    private static func exit(_ line: JSONValue) -> AgentExit {
        if let signal = line["signal"]?.text.flatMap(Int.init) { return .signal(signal) }
        return line["status"]?.text.flatMap(Int.init).map { .status($0) } ?? .unknown
    }
}

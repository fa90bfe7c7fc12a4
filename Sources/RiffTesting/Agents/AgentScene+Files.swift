// Riff
// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import RiffAgents
internal import RiffCore

extension AgentScene {
    /// The lines of a file; none if the scene does not have it.
    static func lines(_ folder: URL, _ name: String) throws -> [JSONValue] {
        let file = folder.appendingPathComponent(name)
        guard FileManager.default.fileExists(atPath: file.path) else { return [] }
        return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map {
            try JSONValue(parsing: [UInt8]($0))
        }
    }

    /// The time of a line, in seconds with a fraction; whole milliseconds were recorded.
    static func time(_ line: JSONValue) -> Duration? { line["t"]?.double.map(milliseconds) }

    private static func milliseconds(_ seconds: Double) -> Duration {
        .milliseconds(Int(exactly: (seconds * 1000).rounded()) ?? 0)
    }

    private static func stamp(_ value: JSONValue?) -> Duration? {
        value?.double.flatMap { Int(exactly: $0.rounded()) }.map { .milliseconds($0) }
    }

    static func hooks(_ folder: URL) throws -> [Event] {
        try lines(folder, "hooks.jsonl").compactMap { line in
            guard let time = time(line), let payload = line["payload"] else { return nil }
            return Event(time: time, factTime: time, observation: .hook(payload.bytes()))
        }
    }

    static func statusFiles(_ folder: URL) throws -> [Event] {
        try lines(folder, "claude-sessions.jsonl").compactMap { line in
            guard let time = time(line) else { return nil }
            let file = line["json"].flatMap { $0.object == nil ? nil : $0.bytes() }
            return Event(
                time: time,
                factTime: time,
                observation: .statusFile(file),
                stamp: stamp(line["json"]?["statusUpdatedAt"])
            )
        }
    }

    static func serverMessages(_ folder: URL) throws -> [Event] {
        try lines(folder, "appserver.jsonl").compactMap { line in
            guard let time = time(line), line["dir"]?.text == "in", let message = line["msg"] else { return nil }
            return Event(
                time: time,
                factTime: time,
                observation: .serverMessage(message.bytes()),
                stamp: stamp(message["emittedAtMs"])
            )
        }
    }

    /// The terminal's bytes, cut where they were seen.
    static func terminal(_ folder: URL) throws -> [Event] {
        let file = folder.appendingPathComponent("pane.bin")
        guard FileManager.default.fileExists(atPath: file.path) else { return [] }
        let bytes = [UInt8](try Data(contentsOf: file))
        let times = try String(contentsOf: folder.appendingPathComponent("pane.times"), encoding: .utf8)
        let places = times.byteLines.compactMap { line -> (time: Duration, place: Int)? in
            let parts = line.split(byte: " ")
            guard parts.count == 2, let time = Double(parts[0]), let place = Int(parts[1]), place >= 0 else {
                return nil
            }
            return (milliseconds(time), min(place, bytes.count))
        }
        return places.indices.compactMap { index in
            let end = index + 1 < places.count ? places[index + 1].place : bytes.count
            let (time, place) = places[index]
            guard place < end else { return nil }
            return Event(time: time, factTime: time, observation: .terminal(Array(bytes[place..<end])))
        }
    }

    /// When the process began and ended.
    static func process(_ folder: URL) throws -> [Event] {
        var events: [Event] = []
        var isOver = true
        for line in try lines(folder, "events.jsonl") {
            guard let time = time(line) else { continue }
            let isAct = line["ev"]?.text == "act"
            let isStart = isAct && ["start", "respawn"].contains { line["what"]?.text == $0 }
            // Started again by other means than the scene's own.
            let isAlive = line["ev"]?.text == "pane" && line["dead"]?.text == "0" && isOver
            if isStart || isAlive {
                isOver = false
                events.append(Event(time: time, factTime: time, observation: .started))
            } else if line["ev"]?.text == "pane", line["dead"]?.text == "1", !isOver {
                isOver = true
                events.append(Event(time: time, factTime: time, observation: .exited(exit(line))))
            }
        }
        return events
    }

    private static func exit(_ line: JSONValue) -> AgentExit {
        if let signal = line["signal"]?.text.flatMap({ Int($0) }) { return .signal(signal) }
        return line["status"]?.text.flatMap { Int($0) }.map { .status($0) } ?? .unknown
    }
}

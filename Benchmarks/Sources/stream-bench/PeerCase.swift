// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The comparison with Python's libraries: all read the same body, one after another in each round, and the medians are
/// compared.
enum PeerCase {
    struct Failed: Error { let output: String }

    private static let peers = ["httpx-sse", "sseclient-py", "openai"]

    static func run(rounds: Int) throws {
        let file = FileManager.default.temporaryDirectory.appending(
            path: "riff-stream-\(ProcessInfo.processInfo.processIdentifier)"
        )
        defer { try? FileManager.default.removeItem(at: file) }
        let cases = [
            ("events", "chat, 16 KB chunks", Sample.chat(bytes: 20 << 20), 16 << 10),
            ("events", "bare, 16 KB chunks", Sample.bare(bytes: 4 << 20), 16 << 10),
            ("chat", "whole chat path, 16 KB chunks", Sample.chat(bytes: 20 << 20), 16 << 10),
        ]
        for (mode, name, bytes, chunk) in cases {
            try Data(bytes).write(to: file)
            var seconds: [String: [Double]] = [:]
            for _ in 0..<rounds {
                for peer in peers { seconds[peer, default: []].append(try measure(peer, mode, file, chunk, bytes)) }
                seconds["riff", default: []].append(try measureRiff(mode, bytes, chunk))
            }
            let rates = seconds.mapValues { Double(bytes.count) / 1e6 / $0.sorted()[rounds / 2] }
            let best = peers.compactMap { rates[$0] }.max() ?? .nan
            let riff = rates["riff"] ?? .nan
            let line = (peers + ["riff"]).map { "\($0) " + String(format: "%.1f", rates[$0] ?? .nan) }
            print("\(name)\t\(line.joined(separator: "   ")) MB per CPU second", terminator: "   ")
            print(String(format: "riff/best %.1f", riff / best))
        }
    }

    private static func measureRiff(_ mode: String, _ bytes: [UInt8], _ chunk: Int) throws -> Double {
        let start = StreamBench.cpuSeconds()
        if mode == "chat" { ChatCase.read(bytes, chunk) } else { try EventCase.read(bytes, chunk) }
        return StreamBench.cpuSeconds() - start
    }

    private static func measure(
        _ peer: String,
        _ mode: String,
        _ file: URL,
        _ chunk: Int,
        _ bytes: [UInt8]
    ) throws -> Double {
        let process = Process()
        process.executableURL = URL(filePath: python)
        process.arguments = [script, mode, peer, file.path, String(chunk)]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard let json = try JSONSerialization.jsonObject(with: output) as? [String: Any],
            let seconds = (json["cpu_s"] as? NSNumber)?.doubleValue, let events = json["events"] as? Int,
            events == (try EventCase.read(bytes, chunk))
        else { throw Failed(output: String(decoding: output, as: UTF8.self)) }
        return seconds
    }

    private static var python: String {
        let environment = ProcessInfo.processInfo.environment
        let cache = environment["XDG_CACHE_HOME"] ?? "\(environment["HOME"] ?? "")/.cache"
        return (environment["RIFF_STREAM_PEERS"] ?? "\(cache)/riff/stream-peers") + "/bin/python"
    }

    private static var script: String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../stream_peers.py").standardized.path
    }
}

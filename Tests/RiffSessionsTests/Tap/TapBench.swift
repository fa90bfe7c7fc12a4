// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import Testing

/// A tmux server with a pane that writes what a test gives it, and a host with the kit.
struct TapBench: Sendable {
    let tmux: TmuxBench
    let host: LocalHostSession
    let kit: HostKitStatus
    let pane: String
    /// What is written into it, the pane writes.
    private let fifo: String

    static func with(home: KitHome = KitHome(name: "", folder: "ho'me #(x)%H"), _ body: (TapBench) async throws -> Void)
        async throws
    {
        try await TmuxBench.with { tmux in
            try await home.with { path, out in
                let host = try home.local(path, out)
                let kit = HostKit(on: host)
                let status = try await kit.install(try await kit.plan().consent())
                let fifo = "\(out)/fifo"
                try await KitHome.run("mkfifo $OUT/fifo", path, out)
                try await tmux.ask(
                    "new-session",
                    "-d",
                    "-s",
                    "a",
                    "-x",
                    "80",
                    "-y",
                    "24",
                    "stty raw -echo; while :; do cat \(fifo); done"
                )
                try await tmux.ask("set-option", "-g", "exit-empty", "off")
                let pane = try await tmux.ask("display-message", "-p", "-t", "a", "#{pane_id}")
                try await body(TapBench(tmux: tmux, host: host, kit: status, pane: pane, fifo: fifo))
            }
        }
    }

    func makeTap(on host: (any HostSession)? = nil) -> PaneTap {
        PaneTap(on: host ?? self.host, kit: kit, server: tmux.server)
    }

    /// Has the pane write these bytes; returns when they are with the terminal.
    func write(_ bytes: [UInt8]) async throws {
        let file = "\(fifo).bytes"
        try Data(bytes).write(to: URL(filePath: file))
        let (status, output) = try await SystemProgram.run("sh", ["-c", "cat \"$1\" >\"$2\"", "sh", file, fifo])
        #expect(status == 0, "\(output)")
    }

    func pipe() async throws -> String { try await tmux.ask("display-message", "-p", "-t", pane, "#{pane_pipe}") }

    /// The bytes that the host keeps for the taps, and how many taps there are.
    func held() throws -> (bytes: Int, taps: Int) {
        let folder = "\(kit.folder)/run/taps"
        let taps = try FileManager.default.contentsOfDirectory(atPath: folder)
        var bytes = 0
        for tap in taps {
            // They come and go.
            for file in (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(tap)")) ?? [] {
                let attributes = try? FileManager.default.attributesOfItem(atPath: "\(folder)/\(tap)/\(file)")
                bytes += (attributes?[.size] as? Int) ?? 0
            }
        }
        return (bytes, taps.count)
    }
}

/// What came of a pane, and what is told to be missing.
struct Received: Sendable {
    var bytes: [UInt8] = []
    var missing: UInt64 = 0
    var unknownGaps = 0
    /// Where the last chunk ended.
    var end: PanePosition?

    mutating func add(_ chunk: PaneChunk) {
        bytes += chunk.bytes
        end = chunk.end
        switch chunk.gap {
        case .bytes(let count)?: missing += count
        case .unknown?: unknownGaps += 1
        case nil: break
        }
    }

    var total: UInt64 { UInt64(bytes.count) + missing }
}

extension PaneBytes.Iterator {
    /// Reads until a condition holds, or to the end.
    mutating func read(into received: inout Received, until isEnough: (Received) -> Bool) async throws {
        while !isEnough(received), let chunk = try await next() { received.add(chunk) }
    }
}

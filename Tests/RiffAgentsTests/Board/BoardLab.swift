// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffAgents
import RiffCore
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// A throwaway host with programs that are called like agents and do nothing, and a way to it that counts bytes.
struct BoardLab {
    static let isPossible =
        ThrowawaySSHServer.isInstalled && ["tmux", "bash"].allSatisfy { SystemProgram.path($0) != nil }

    let home: String
    let socket: String
    let proxy: ChaosProxy
    let host: SSHHost

    static func with(
        shell: String? = nil,
        variables: [String: String] = [:],
        clock: any Clock<Duration> = ContinuousClock(),
        _ body: (BoardLab) async throws -> Void
    ) async throws {
        let home = "/tmp/riff-h\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: "\(home)/.claude/sessions", withIntermediateDirectories: true)
        var options = ThrowawaySSHServer.Options()
        options.variables = ["HOME": home].merging(variables) { $1 }
        options.shell = shell
        let result: Result<Void, any Error>
        do {
            try await SSHLab.with(options) { server in
                let proxy = try await ChaosProxy.start(target: server.server.port)
                let lab = BoardLab(
                    home: home,
                    socket: "\(home)/tmux",
                    proxy: proxy,
                    host: try server.host(port: proxy.port)
                )
                let outcome: Result<Void, any Error>
                do { outcome = .success(try await body(lab)) } catch { outcome = .failure(error) }
                await Task {
                    _ = try? await SystemProgram.run("tmux", ["-S", lab.socket, "kill-server"])  // Cleanup.
                    await lab.host.shutdown()
                    await proxy.stop()
                }.value
                try outcome.get()
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        try? FileManager.default.removeItem(atPath: home)  // Cleanup.
        try result.get()
    }

    /// Starts what looks like Claude Code at rest: its name, its state file, its composer.
    func startClaude(_ name: String, status: String = "idle") async throws {
        let line = """
            printf '%s\\n❯\\302\\240\\n%s\\n' ──────────────────── ────────────────────
            printf '{"pid":%s,"sessionId":"s-\(name)","cwd":"/","status":"\(status)"}' $$ >\(home)/.claude/sessions/$$.json
            exec -a claude sleep 3600
            """
        let file = "\(home)/\(name).sh"
        try line.write(toFile: file, atomically: true, encoding: .utf8)
        // Not as a person's session would: its shell alone is needed.
        let bash = try #require(SystemProgram.path("bash"))
        let words = ["-S", socket, "-f", "/dev/null", "new-session", "-d", "-s", name, "exec \(bash) --norc \(file)"]
        #expect(try await SystemProgram.run("tmux", words).status == 0)
    }

    func write(_ status: String, to pid: Int) throws {
        let text = #"{"pid":\#(pid),"sessionId":"s","cwd":"/","status":"\#(status)"}"#
        try text.write(toFile: "\(home)/.claude/sessions/\(pid).json", atomically: true, encoding: .utf8)
    }

    /// The CPU time of the script with its children, of the sshd that serves it, and of tmux, in clock ticks.
    func ticks() throws -> Int {
        var ticks = 0
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") where Int(name) != nil {
            guard let words = FileManager.default.contents(atPath: "/proc/\(name)/cmdline") else { continue }
            let text = String(decoding: words, as: UTF8.self)
            let isScript = text.contains("riff-agents\0RIFF") && text.contains(socket) && text.hasPrefix("sh\0")
            let isTmux = text.contains("tmux\0-S\0\(socket)\0-f")
            guard isScript || isTmux, let (own, parent) = Self.times(of: name) else { continue }
            ticks += own
            if isScript, let (serving, _) = Self.times(of: String(parent)) { ticks += serving }
        }
        return ticks
    }

    private static func times(of process: String) -> (ticks: Int, parent: Int)? {
        guard let bytes = FileManager.default.contents(atPath: "/proc/\(process)/stat") else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let fields = text.split(separator: ")").last?.split(separator: " ").compactMap { Int($0) } ?? []
        // Without the state's letter: the parent is first, and four times begin with the eleventh.
        guard fields.count > 14 else { return nil }
        return (fields[10] + fields[11] + fields[12] + fields[13], fields[0])
    }
}

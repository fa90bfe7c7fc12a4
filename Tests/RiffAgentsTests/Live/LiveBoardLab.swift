// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffAgents
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// Real agents on a throwaway host, in its tmux, with a model server of ours behind them and a board that looks at
/// them.
struct LiveBoardLab {
    private static let cache: String = {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"].map { "\($0)/.cache" } ?? "/nowhere"
        return (environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home) + "/riff"
    }()

    static let claude = existing("\(cache)/claude-2.1.331/bin/claude")
    static let codex = existing("\(cache)/codex-0.163.0/codex_cli_bin/bin/codex")
    static let canServe =
        ThrowawaySSHServer.isInstalled && ["tmux", "python3"].allSatisfy { SystemProgram.path($0) != nil }

    private static func existing(_ path: String) -> String? {
        FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }

    let folder: String
    let host: SSHHost
    let socket: String
    let board: AgentBoard
    var project: String { "\(folder)/proj" }

    static func with(_ body: (LiveBoardLab) async throws -> Void) async throws {
        // Not in /tmp: there Codex refuses its own helpers.
        let folder = "\(cache)/lab-\(UInt32.random(in: 0 ... .max))"
        let socket = "/tmp/riff-b\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: "\(folder)/proj", withIntermediateDirectories: true)
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/model.py").path
        let model = try await LocalProcess.start(
            LocalCommand(try #require(SystemProgram.path("python3")), ["-I", script, "\(folder)/asked"])
        )
        let result: Result<Void, any Error>
        do {
            let port = try await firstLine(of: model)
            try prepare(folder, port: port)
            var options = ThrowawaySSHServer.Options()
            options.variables = [
                "HOME": folder, "FAKE_KEY": "x", "LANG": "C.UTF-8",
                "PATH": "\(folder)/bin:/usr/local/bin:/usr/bin:/bin",
                "ANTHROPIC_BASE_URL": "http://127.0.0.1:\(port)", "ANTHROPIC_API_KEY": key, "DISABLE_TELEMETRY": "1",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1",
            ]
            result = await Result {
                try await SSHLab.with(options) { server in
                    let host = try server.host()
                    let board = AgentBoard()
                    let lab = LiveBoardLab(folder: folder, host: host, socket: socket, board: board)
                    let outcome = await Result {
                        // The board itself never dials.
                        _ = try await host.text(of: "true")
                        await board.add("lab", host.files, server: TmuxServer(.path(socket)))
                        await board.start()
                        try await body(lab)
                    }
                    await Task {
                        await board.stop()
                        _ = try? await SystemProgram.run("tmux", ["-S", socket, "kill-server"])  // Cleanup.
                    }.value
                    try outcome.get()
                }
            }
        } catch {
            result = .failure(error)
        }
        await Task {
            await model.close()
            // Cleanup: an agent may be writing its last file.
            try? FileManager.default.removeItem(atPath: folder)
        }.value
        try result.get()
    }

    private static let key = "key-without-a-meaning"

    private static func firstLine(of process: LocalProcess) async throws -> Int {
        var line = ""
        for try await bytes in process.output {
            line += String(decoding: bytes, as: UTF8.self)
            if line.contains("\n") { break }
        }
        return try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    private static func prepare(_ folder: String, port: Int) throws {
        let manager = FileManager.default
        try manager.createDirectory(atPath: "\(folder)/bin", withIntermediateDirectories: true)
        try manager.createDirectory(atPath: "\(folder)/.codex", withIntermediateDirectories: true)
        for (name, program) in [("claude", claude), ("codex", codex)] {
            guard let program else { continue }
            try manager.createSymbolicLink(atPath: "\(folder)/bin/\(name)", withDestinationPath: program)
        }
        // The profile of the machine sets the PATH anew.
        let profile = "PATH=\"$HOME/bin:$PATH\"; export PATH\n"
        for file in [".profile", ".zprofile"] {
            try profile.write(toFile: "\(folder)/\(file)", atomically: true, encoding: .utf8)
        }
        let state: [String: Any] = [
            "hasCompletedOnboarding": true, "theme": "dark",
            "projects": ["\(folder)/proj": ["hasTrustDialogAccepted": true]],
            "customApiKeyResponses": ["approved": [String(key.suffix(20))], "rejected": [String]()],
        ]
        try JSONSerialization.data(withJSONObject: state).write(to: URL(filePath: "\(folder)/.claude.json"))
        let configuration = """
            model = "fake-model"
            model_provider = "fake"
            approval_policy = "on-request"
            sandbox_mode = "read-only"
            check_for_update_on_startup = false
            [model_providers.fake]
            name = "fake"
            base_url = "http://127.0.0.1:\(port)/v1"
            wire_api = "responses"
            env_key = "FAKE_KEY"
            request_max_retries = 0
            stream_max_retries = 0
            [projects."\(folder)/proj"]
            trust_level = "trusted"
            [analytics]
            enabled = false
            [tui]
            screen_reader_detection_done = true

            """
        try configuration.write(toFile: "\(folder)/.codex/config.toml", atomically: true, encoding: .utf8)
    }

    /// Starts an agent in a session, as a front end does.
    func start(_ launch: AgentLaunch, in name: SessionName) async throws {
        let spec = try launch.spec(in: try StartDirectory(project))
        let manager = SessionManager(
            host,
            size: TerminalSize(columns: 100, rows: 40),
            configuration: SessionsConfiguration(server: TmuxServer(.path(socket)), base: spec)
        )
        await manager.start()
        let result = await Result { try await manager.waitUntilOpen() }
        await manager.shutdown()
        try result.get()
        if name != .base { _ = try await tmux("rename-session", "-t", "=riff", name.rawValue) }
    }

    @discardableResult
    func tmux(_ words: String...) async throws -> String {
        try await SystemProgram.run("tmux", ["-u", "-S", socket] + words).output
    }

    /// Types a prompt as a person does, who presses Return again where the agent did not take it: on an empty composer
    /// it does nothing.
    func type(_ text: String, in session: String = "riff") async throws {
        try await tmux("send-keys", "-t", "=\(session):", "-l", text)
        try await waitUntil { try await screen(of: session).contains(text) }
        // A program that takes quick keys for a paste takes Return for a part of it.
        try await waitUntil { try await settled(session) }
        for _ in 0..<10 {
            try await tmux("send-keys", "-t", "=\(session):", "Enter")
            // A deadline is no fault: the key is pressed again.
            let isTaken: Void? = try? await withDeadline(.seconds(5), clock: ContinuousClock()) {
                try await waitUntil { self.text(of: "\(folder)/asked").contains(text) }
            }
            if isTaken != nil { return }
        }
        throw TestingError(.serverEnded, "The agent did not ask its model for \(text).")
    }

    func screen(of session: String = "riff") async throws -> String {
        try await tmux("capture-pane", "-p", "-t", "=\(session):")
    }

    private func settled(_ session: String) async throws -> Bool {
        let before = try await screen(of: session)
        for _ in 0..<3 { _ = try await host.text(of: "true") }
        return try await screen(of: session) == before
    }

    /// Looks until the board is as meant; the suite's time limit ends it.
    func look(until isMeant: (AgentBoardSnapshot) -> Bool) async throws -> AgentBoardSnapshot {
        while true {
            try await board.refresh()
            let snapshot = board.current
            if isMeant(snapshot) { return snapshot }
            try Task.checkCancellation()
            // What it waits for is an agent's: a look later.
            _ = try await host.text(of: "true")
        }
    }

    func files(beneath folder: String, ending suffix: String) -> [String] {
        (FileManager.default.enumerator(atPath: "\(self.folder)/\(folder)")?.allObjects ?? [])
            .compactMap { $0 as? String }.filter { $0.hasSuffix(suffix) }.sorted()
    }

    func text(of path: String) -> String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

extension AgentBoardSnapshot {
    /// The agents in panes: the machine may run others.
    var inPanes: [AgentListing] {
        agents.filter { if case .pane = $0.place { true } else { false } }
    }
}

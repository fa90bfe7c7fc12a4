// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffAgents
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import Testing

/// A real agent on a throw-away host: behind sshd and tmux, in a home of its own, with a model server that judges what
/// it was really asked. What is seen of it comes by the host's connection as well: its terminal through the kit's tap,
/// and its files.
struct AgentLab {
    static let size = TerminalSize(columns: 100, rows: 40)

    let agent: AgentKind
    let folder: String
    let host: SSHHost
    let session: TerminalSession
    let live: LiveAgent
    private let tmux: String

    static func program(_ agent: AgentKind) -> String? {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"].map { "\($0)/.cache" } ?? "/nowhere"
        let cache = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home
        let isClaude = agent == .claude
        let folder = "\(cache)/riff/\(isClaude ? "claude-2.1.331" : "codex-0.163.0")"
        guard FileManager.default.fileExists(atPath: "\(folder)/complete") else { return nil }
        return isClaude ? "\(folder)/bin/claude" : "\(folder)/codex_cli_bin/bin/codex"
    }

    static func isPossible(_ agent: AgentKind) -> Bool {
        program(agent) != nil && ThrowawaySSHServer.isInstalled
            && ["tmux", "python3"].allSatisfy { SystemProgram.path($0) != nil }
    }

    // MARK: Life

    /// Runs a body with an agent that has been started. One that trusts nothing asks at its start.
    static func with(
        _ agent: AgentKind,
        isTrusted: Bool,
        size: TerminalSize = size,
        _ body: (AgentLab) async throws -> Void
    ) async throws {
        let program = try #require(Self.program(agent))
        // Not in /tmp: there Codex refuses its own helpers.
        let cache = try #require(program.range(of: "/riff/")).upperBound
        let folder = "\(program[..<cache])lab-\(UInt32.random(in: 0 ... .max))"
        let socket = "/tmp/riff-g\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: "\(folder)/proj", withIntermediateDirectories: true)
        let python = try #require(SystemProgram.path("python3"))
        let model = try await LocalProcess.start(
            LocalCommand(python, ["-I", fixture("model.py"), "\(folder)/asked"])
        )
        let result: Result<Void, any Error>
        do {
            let port = try await firstLine(of: model)
            try configure(agent, port: port, isTrusted: isTrusted, in: folder)
            var options = ThrowawaySSHServer.Options()
            options.variables = variables(agent, port: port, folder: folder)
            let server = try await ThrowawaySSHServer.start(options)
            let identity = SSHPrivateKey.makeEd25519(comment: "test")
            try server.authorize(try #require(identity.publicKey).line)
            let host = try SSHHost(
                server.host,
                port: server.port,
                user: server.user,
                key: identity,
                trust: .firstUse(InMemoryHostKeyStore())
            )
            let outcome: Result<Void, any Error>
            do {
                outcome = .success(try await run(agent, program, folder, socket, host, size, body))
            } catch {
                outcome = .failure(error)
            }
            await Task {
                await host.shutdown()
                // Cleanup: it may not have started.
                _ = try? await SystemProgram.run("tmux", ["-S", socket, "kill-server"])
                await server.stop()
            }.value
            result = outcome
        } catch {
            result = .failure(error)
        }
        await Task {
            await model.close()
            // Cleanup: the agent may be writing its last file.
            try? FileManager.default.removeItem(atPath: folder)
        }.value
        try result.get()
    }

    private static func run(
        _ agent: AgentKind,
        _ program: String,
        _ folder: String,
        _ socket: String,
        _ host: SSHHost,
        _ size: TerminalSize,
        _ body: (AgentLab) async throws -> Void
    ) async throws {
        let kit = HostKit(on: host)
        let status = try await kit.install(try await kit.plan().consent())
        let arguments =
            agent == .claude ? status.claudeArguments + ["--permission-mode", "manual"] : ["--no-daemon"]
        let words = try ([program] + arguments).map { try ShellQuoting.quote($0) }.joined(separator: " ")
        // It starts when its terminal is tapped, and again when it is told to.
        let loop = "while :; do while [ ! -e ../go ]; do sleep 0.05; done; rm ../go; printf '\\033c'; \(words); done"
        try loop.write(toFile: "\(folder)/start.sh", atomically: true, encoding: .utf8)
        let session = try await host.session(
            "riff",
            size: size,
            server: TmuxServer(.path(socket)),
            spec: NewSessionSpec(
                directory: try StartDirectory("\(folder)/proj"),
                harness: .custom("sh \(folder)/start.sh")
            )
        )
        let live = LiveAgent(agent, size: size)
        session.setSubmitGate(live.gate)
        let lab = AgentLab(agent: agent, folder: folder, host: host, session: session, live: live, tmux: socket)
        let tap = PaneTap(on: host, kit: status, server: TmuxServer(.path(socket)))
        let bytes = try await tap.bytes(of: "%0")
        let watch = [try #require(SystemProgram.path("python3")), "-I", fixture("watch.py")]
        let channel = try await host.openChannel("\(watch.joined(separator: " ")) \(status.folder)/run/hooks \(folder)")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in session.output {} }
            group.addTask { await live.follow(bytes) }
            group.addTask { await live.follow(channel) }
            defer { group.cancelAll() }
            try lab.start()
            try await body(lab)
        }
        await live.stop()
        await channel.close()
        await tap.shutdown()
    }

    /// Ends the agent's process, not its terminal.
    func end() async throws {
        let pane = try await SystemProgram.run(
            "tmux",
            ["-S", tmux, "display-message", "-p", "-t", "%0", "#{pane_pid}"]
        )
        let shell = pane.output.trimmingCharacters(in: .whitespacesAndNewlines)
        // It may be over already.
        _ = try await SystemProgram.run("pkill", ["-TERM", "-P", shell])
    }

    /// Whether no agent runs in the terminal.
    func isOver() async throws -> Bool {
        let pane = try await SystemProgram.run(
            "tmux",
            ["-S", tmux, "display-message", "-p", "-t", "%0", "#{pane_pid}"]
        )
        let shell = pane.output.trimmingCharacters(in: .whitespacesAndNewlines)
        let children = try await SystemProgram.run("ps", ["--ppid", shell, "-o", "comm="]).output
        return !children.contains("claude") && !children.contains("codex")
    }

    /// Has the agent started, if it does not run.
    func start() throws { try Data().write(to: URL(filePath: "\(folder)/go")) }

    // MARK: The judge

    /// How often the model was asked a prompt with this word in it.
    func asked(_ word: String) -> Int {
        requests.filter {
            $0["ev"]?.text == "begin" && $0["isAnswered"]?.bool == false && $0["prompt"]?.text?.contains(word) == true
        }.count
    }

    /// When the model was first asked a prompt with this word in it, in seconds since 1970.
    func askedTime(_ word: String) -> Double? {
        requests.first { $0["ev"]?.text == "begin" && $0["prompt"]?.text?.contains(word) == true }?["t"]?.double
    }

    /// Whether the model writes an answer, or waits for a tool's result.
    var isTurnOpen: Bool {
        let requests = requests
        let over = Set(
            requests.filter { $0["ev"]?.text != "begin" && $0["hasCall"]?.bool != true }.compactMap {
                $0["id"]?.integer
            }
        )
        guard let last = requests.last(where: { $0["ev"]?.text == "begin" })?["id"]?.integer else { return false }
        return !over.contains(last)
    }

    /// Waits until the model was asked a prompt with this word in it.
    func waitUntilAsked(_ word: String) async throws {
        while asked(word) == 0 { try await ContinuousClock().sleep(for: .milliseconds(20)) }
    }

    private var requests: [JSONValue] {
        // Nothing was asked yet.
        guard let text = try? String(contentsOfFile: "\(folder)/asked", encoding: .utf8) else { return [] }
        // The last line may be half written.
        return text.byteLines.compactMap { try? JSONValue(parsing: Array($0.utf8)) }
    }

    /// What the screen shows, by tmux.
    func screen() async throws -> String {
        try await SystemProgram.run("tmux", ["-S", tmux, "capture-pane", "-p", "-t", "%0"]).output
    }

    // MARK: Homes

    private static func fixture(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/agents/\(name)").path
    }

    private static func firstLine(of process: LocalProcess) async throws -> Int {
        var line = ""
        for try await bytes in process.output {
            line += String(decoding: bytes, as: UTF8.self)
            if line.contains("\n") { break }
        }
        return try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    private static let key = "key-without-a-meaning"

    private static func variables(_ agent: AgentKind, port: Int, folder: String) -> [String: String] {
        let both = ["HOME": folder, "SHLVL": "2", "LANG": "C.UTF-8"]
        let own: [String: String] =
            agent == .claude
            ? [
                "ANTHROPIC_BASE_URL": "http://127.0.0.1:\(port)", "ANTHROPIC_API_KEY": key, "DISABLE_TELEMETRY": "1",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1",
            ] : ["CODEX_HOME": "\(folder)/codex", "FAKE_KEY": "x"]
        return both.merging(own) { _, own in own }
    }

    private static func configure(_ agent: AgentKind, port: Int, isTrusted: Bool, in folder: String) throws {
        guard agent == .codex else {
            let state: [String: Any] = [
                "hasCompletedOnboarding": true, "theme": "dark",
                "projects": ["\(folder)/proj": ["hasTrustDialogAccepted": isTrusted]],
                "customApiKeyResponses": ["approved": [String(key.suffix(20))], "rejected": [String]()],
            ]
            return try JSONSerialization.data(withJSONObject: state).write(to: URL(filePath: "\(folder)/.claude.json"))
        }
        // Without its daemon Codex does not ask about a folder; it asks about a hook that is new.
        let hook = "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"true\"\n"
        let text = """
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
            request_max_retries = 2
            stream_max_retries = 2
            [projects."\(folder)/proj"]
            trust_level = "trusted"
            \(isTrusted ? "" : hook)[analytics]
            enabled = false
            [tui]
            screen_reader_detection_done = true

            """
        try FileManager.default.createDirectory(atPath: "\(folder)/codex", withIntermediateDirectories: true)
        try text.write(toFile: "\(folder)/codex/config.toml", atomically: true, encoding: .utf8)
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTalk
import RiffTesting
import RiffTransport
import Testing

/// The real Codex on a throw-away host, in its terminal, with a model server of ours behind it.
struct CodexLab {
    static let program: String? = {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["HOME"].map { "\($0)/.cache" } ?? "/nowhere"
        let cache = environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home
        let folder = "\(cache)/riff/codex-0.163.0"
        guard FileManager.default.fileExists(atPath: "\(folder)/complete") else { return nil }
        return "\(folder)/codex_cli_bin/bin/codex"
    }()

    static var isPossible: Bool {
        program != nil && ThrowawaySSHServer.isInstalled
            && ["tmux", "python3"].allSatisfy { SystemProgram.path($0) != nil }
    }

    let folder: String
    let session: TerminalSession
    /// Tells when the terminal has drawn something.
    let drawn = StateSource(0)

    static func with(_ body: (CodexLab) async throws -> Void) async throws {
        // Not in /tmp: there Codex refuses its own helpers.
        let cache = URL(filePath: try #require(program)).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let folder = cache.appending(path: "codex-\(UInt32.random(in: 0 ... .max))").path
        let socket = "/tmp/riff-x\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: "\(folder)/proj", withIntermediateDirectories: true)
        let result: Result<Void, any Error>
        let model = try await LocalProcess.start(
            LocalCommand(try #require(SystemProgram.path("python3")), ["-I", modelServer, "\(folder)/asked"])
        )
        do {
            let port = try await firstLine(of: model)
            try configuration(port: port, in: folder)
            var options = ThrowawaySSHServer.Options()
            options.variables = [
                "HOME": folder, "CODEX_HOME": "\(folder)/codex", "FAKE_KEY": "x", "SHLVL": "2", "LANG": "C.UTF-8",
            ]
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
            let spec = NewSessionSpec(
                directory: try StartDirectory("\(folder)/proj"),
                harness: .custom("\(try #require(program)) --no-daemon")
            )
            let session = try await host.session(
                "riff",
                size: TerminalSize(columns: 100, rows: 40),
                server: TmuxServer(.path(socket)),
                spec: spec
            )
            let lab = CodexLab(folder: folder, session: session)
            let reader = Task { for await _ in session.output { lab.drawn.update(lab.drawn.current + 1) } }
            let outcome: Result<Void, any Error>
            do { outcome = .success(try await body(lab)) } catch { outcome = .failure(error) }
            await Task {
                await host.shutdown()
                reader.cancel()
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
            // Cleanup: Codex may be writing its last file.
            try? FileManager.default.removeItem(atPath: folder)
        }.value
        try result.get()
    }

    private static var modelServer: String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Fixtures/codex/model.py").path
    }

    private static func firstLine(of process: LocalProcess) async throws -> Int {
        var line = ""
        for try await bytes in process.output {
            line += String(decoding: bytes, as: UTF8.self)
            if line.contains("\n") { break }
        }
        return try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    private static func configuration(port: Int, in folder: String) throws {
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
            [analytics]
            enabled = false
            [tui]
            screen_reader_detection_done = true

            """
        try FileManager.default.createDirectory(atPath: "\(folder)/codex", withIntermediateDirectories: true)
        try text.write(toFile: "\(folder)/codex/config.toml", atomically: true, encoding: .utf8)
    }

    /// What the model was asked, a line each.
    var asked: [String] {
        let text = (try? String(contentsOfFile: "\(folder)/asked", encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    /// Looks at the screen after each drawing until it is as meant.
    func wait(for isMeant: (ScreenLook.Reading) -> Bool) async throws {
        for await _ in drawn.updates() {
            if isMeant(try await reading()) { return }
        }
        throw CancellationError()
    }

    /// Waits until the model was asked something.
    func waitUntilAsked(_ line: String) async throws {
        for await _ in drawn.updates() where asked.contains(line) { return }
    }

    func reading() async throws -> ScreenLook.Reading {
        struct Seen: Error { let reading: ScreenLook.Reading }
        do {
            try await session.typeSpoken("never typed", submit: false) { look, _ in
                throw Seen(reading: try #require(look.map { ScreenLook($0).reading }))
            }
        } catch let seen as Seen {
            return seen.reading
        }
        throw CancellationError()
    }
}

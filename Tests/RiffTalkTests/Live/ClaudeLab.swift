// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTalk
import RiffTesting
import RiffTransport
import Testing

/// The real Claude Code on a throw-away host: a home that it takes for one that it knows, a repository, and a network
/// that can be cut. A model server answers it.
struct ClaudeLab {
    static let program = ProcessInfo.processInfo.environment["RIFF_TEST_CLAUDE"].flatMap { $0.isEmpty ? nil : $0 }
    /// An Anthropic-compatible server that echoes what it is told, and answers `@slow N MS` with the words `w0 w1 ...`
    /// up to N, so many milliseconds apart.
    static let model = ProcessInfo.processInfo.environment["RIFF_TEST_MODEL"].flatMap { $0.isEmpty ? nil : $0 }

    static var isPossible: Bool {
        program != nil && model != nil && ThrowawaySSHServer.isInstalled
            && ["tmux", "git"].allSatisfy { SystemProgram.path($0) != nil }
    }

    let folder: String
    let proxy: ChaosProxy
    let host: SSHHost
    let tmux: TmuxServer
    /// Tells when a terminal has drawn something.
    let drawn = StateSource(0)
    var repository: String { "\(folder)/home/work" }

    static func with(_ body: (ClaudeLab) async throws -> Void) async throws {
        let folder = "/tmp/riff-c\(UInt32.random(in: .min ... .max))"
        let home = "\(folder)/home"
        try prepare(home, program: try #require(program))
        let key = "key-without-a-meaning"
        try await makeRepository("\(home)/work")
        try write(home, key: key)
        var options = ThrowawaySSHServer.Options()
        options.variables = [
            "HOME": home, "SHLVL": "2", "PATH": "\(home)/bin:/usr/local/bin:/usr/bin:/bin",
            "ANTHROPIC_BASE_URL": try #require(model), "ANTHROPIC_API_KEY": key, "DISABLE_TELEMETRY": "1",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_AUTOUPDATER": "1",
        ]
        let server = try await ThrowawaySSHServer.start(options)
        let proxy = try await ChaosProxy.start(target: server.port)
        let identity = SSHPrivateKey.makeEd25519(comment: "test")
        try server.authorize(try #require(identity.publicKey).line)
        let host = try SSHHost(
            server.host,
            port: proxy.port,
            user: server.user,
            key: identity,
            trust: .firstUse(InMemoryHostKeyStore())
        )
        let lab = ClaudeLab(folder: folder, proxy: proxy, host: host, tmux: TmuxServer(.path("\(folder)/tmux")))
        let result: Result<Void, any Error>
        do { result = .success(try await body(lab)) } catch { result = .failure(error) }
        await Task {
            await host.shutdown()
            // Cleanup: it may not have started.
            _ = try? await lab.ask("kill-server")
            await proxy.stop()
            await server.stop()
            try? FileManager.default.removeItem(atPath: folder)  // Cleanup.
        }.value
        try result.get()
    }

    private static func prepare(_ home: String, program: String) throws {
        let manager = FileManager.default
        try manager.createDirectory(atPath: "\(home)/bin", withIntermediateDirectories: true)
        try manager.createSymbolicLink(atPath: "\(home)/bin/claude", withDestinationPath: program)
        // The profile of the machine sets the PATH anew.
        let profile = "PATH=\"$HOME/bin:$PATH\"; export PATH\n"
        for file in [".profile", ".zprofile"] {
            try profile.write(toFile: "\(home)/\(file)", atomically: true, encoding: .utf8)
        }
    }

    private static func makeRepository(_ path: String) async throws {
        let line = """
            git init -q -b main \(path) && cd \(path) && echo text >file && git add file
            git -c user.name=test -c user.email=test@example.org commit -q -m first
            """
        #expect(try await SystemProgram.run("sh", ["-c", line]).status == 0)
    }

    /// What it would ask for at its first start, answered (as version 2.1 keeps it).
    private static func write(_ home: String, key: String) throws {
        let trusted = ["hasTrustDialogAccepted": true]
        let state: [String: Any] = [
            "hasCompletedOnboarding": true, "theme": "dark", "projects": [home: trusted, "\(home)/work": trusted],
            "customApiKeyResponses": ["approved": [String(key.suffix(20))], "rejected": [String]()],
        ]
        try JSONSerialization.data(withJSONObject: state).write(to: URL(filePath: "\(home)/.claude.json"))
    }

    /// Asks the tmux server, not over SSH.
    func ask(_ words: String...) async throws -> String {
        try await SystemProgram.run("tmux", ["-u", "-S", "\(folder)/tmux"] + words).output
    }

    /// What a session shows, with what has left its screen.
    func screen(of session: String = "riff") async throws -> String {
        try await ask("capture-pane", "-p", "-J", "-S", "-", "-t", "=\(session):")
    }

    /// Waits until a session shows something, looking whenever a terminal draws; the suite's time limit ends it.
    func wait(for what: String, in session: String = "riff", _ isThere: (String) -> Bool) async throws {
        for await _ in drawn.updates() where isThere(try await screen(of: session)) { return }
        try Task.checkCancellation()
        throw TestingError(.serverEnded, "The front end ended before \(what) showed.")
    }

    /// Reads what every page draws, as a front end does.
    func read(_ manager: SessionManager) async {
        await withDiscardingTaskGroup { group in
            var known: Set<ObjectIdentifier> = []
            for await snapshot in manager.updates() {
                for terminal in snapshot.pages.compactMap(\.terminal)
                where known.insert(ObjectIdentifier(terminal)).inserted {
                    group.addTask { for await bytes in terminal.output { drawn.update(bytes.count) } }
                }
            }
        }
        drawn.finish()
    }
}

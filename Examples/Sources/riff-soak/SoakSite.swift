// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffTesting
import RiffTransport

/// The host: an sshd and a tmux server of its own, and a network towards it that breaks.
struct SoakSite: Sendable {
    /// Fewer than sshd's default, so that the sessions need two connections, and a third would show that channels leak.
    static let maxSessions = 6

    let server: ThrowawaySSHServer
    let proxy: ChaosProxy
    let folder: String
    let tmux: TmuxServer
    private let key = SSHPrivateKey.makeEd25519(comment: "riff soak")
    private let pins = InMemoryHostKeyStore()
    private let console: LocalHostSession

    static func open(seed: UInt64) async throws -> SoakSite {
        let folder = try makeFolder()
        var options = ThrowawaySSHServer.Options()
        options.maxSessions = maxSessions
        options.maxStartups = "100"
        options.variables = ["SHLVL": "2"]
        // Its log is kept in this process's memory.
        options.logLevel = "INFO"
        let server = try await ThrowawaySSHServer.start(options)
        let proxy = try await ChaosProxy.start(target: server.port, seed: seed)
        let site = SoakSite(server: server, proxy: proxy, folder: folder)
        guard let publicKey = site.key.publicKey else { throw Failure("The key has no public half.") }
        try server.authorize(publicKey.line)
        return site
    }

    private init(server: ThrowawaySSHServer, proxy: ChaosProxy, folder: String) {
        self.server = server
        self.proxy = proxy
        self.folder = folder
        tmux = TmuxServer(.path("\(folder)/tmux"))
        let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        console = LocalHostSession(
            shell: "/bin/sh",
            homeDirectory: folder,
            environment: ["HOME": folder, "PATH": path]
        )
    }

    /// The host as a front end has it, through the proxy.
    func host() throws -> SSHHost {
        var configuration = SSHHost.Configuration(
            address: try HostAddress(server.host, port: proxy.port),
            user: server.user,
            credentials: [.key(key)],
            trust: .firstUse(pins)
        )
        configuration.probeTimeout = .seconds(1)
        configuration.reconnect = ReconnectPolicy(delays: [.milliseconds(50), .milliseconds(300), .seconds(1)])
        return SSHHost(configuration)
    }

    /// Asks the tmux server, not over SSH; no server has nothing to tell.
    func ask(_ words: [ShellWord]) async throws -> [String] {
        let result = try await console.run(try TmuxCommand(tmux.socket, words).line())
        let isAnswered = result.exit == .exited(0) || TmuxFailure(diagnostics: result.diagnosticText)?.kind == .noServer
        guard isAnswered else { throw Failure("tmux said: \(result.diagnosticText)") }
        return result.text.split(separator: "\n").map(String.init)
    }

    /// What is told of each, under what comes first.
    func table(_ command: ShellWord, _ format: String) async throws -> [String: [String]] {
        var flags: [ShellWord] = ["-F", ShellWord(format)]
        if command == "list-panes" { flags.append("-a") }
        let rows = try await ask([command] + flags).map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
        return Dictionary(grouping: rows.filter { $0.count == 2 }, by: { $0[0] }).mapValues { $0.map { $0[1] } }
    }

    func close() async {
        await proxy.stop()
        // No server is what is wanted.
        _ = try? await ask(["kill-server"])
        await server.stop()
        // What cannot be removed lies in the folder that scripts/soak removes.
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// A short path, since a Unix socket's has room for about a hundred bytes.
    private static func makeFolder() throws -> String {
        let base = FileManager.default.temporaryDirectory.path(percentEncoded: false)
        var template = Array("\(base)\(base.hasSuffix("/") ? "" : "/")soak-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure("No folder can be made in \(base).") }
        return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

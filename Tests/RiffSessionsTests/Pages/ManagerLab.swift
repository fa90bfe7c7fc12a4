// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import Synchronization
import TestSupport
import Testing

/// Managers on a real sshd and a tmux of a test's own; all end with the test.
final class ManagerLab: Sendable {
    let lab: SSHLab
    let socket: String
    private let managers = Mutex<[SessionManager]>([])

    static var isPossible: Bool { ThrowawaySSHServer.isInstalled && SystemProgram.path("tmux") != nil }

    static func with(
        maxSessions: Int? = nil,
        forceCommand: String? = nil,
        _ body: (ManagerLab) async throws -> Void
    ) async throws {
        var options = ThrowawaySSHServer.Options()
        options.maxSessions = maxSessions
        options.forceCommand = forceCommand
        try await TmuxSocketFolder.with { socket in
            try await SSHLab.with(options) { lab in
                let sessions = ManagerLab(lab: lab, socket: socket)
                let result: Result<Void, any Error>
                do { result = .success(try await body(sessions)) } catch { result = .failure(error) }
                await Task { for manager in sessions.managers.withLock({ $0 }) { await manager.shutdown() } }.value
                try result.get()
            }
        }
    }

    private init(lab: SSHLab, socket: String) {
        self.lab = lab
        self.socket = socket
    }

    var server: TmuxServer { TmuxServer(.path(socket)) }

    /// Says that it is there, then says what it is told.
    static let echo = NewSessionSpec(harness: .custom("stty -echo; echo ready; exec cat"))

    /// A configuration whose sessions say what they are told.
    var configuration: SessionsConfiguration {
        var configuration = SessionsConfiguration(server: server, base: Self.echo)
        configuration.managementTimeout = configuration.managementTimeout.patient
        return configuration
    }

    /// A started manager; on a host of its own unless one is given. Most tests are of what a manager finds by asking:
    /// it has a watcher only where it is told so, and then its own.
    func manager(
        on host: SSHHost? = nil,
        _ configuration: SessionsConfiguration? = nil,
        settings: RiffSettings? = nil,
        isWatched: Bool = false
    ) async throws -> SessionManager {
        let manager = SessionManager(
            try host ?? lab.host(),
            size: .standard,
            configuration: configuration ?? self.configuration,
            settings: settings,
            watcher: isWatched ? nil : StateSource(TmuxServerState())
        )
        await start(manager)
        return manager
    }

    /// Starts a manager, which ends with the test.
    func start(_ manager: SessionManager) async {
        managers.withLock { $0.append(manager) }
        await manager.start()
    }

    /// Speaks to the tmux server from the side.
    @discardableResult
    func tmux(_ arguments: String...) async throws -> [String] {
        let result = try await SystemProgram.run("tmux", ["-u", "-S", socket] + arguments)
        #expect(result.status == 0, "\(arguments): \(result.output)")
        return result.output.split(separator: "\n").map(String.init)
    }

    /// Makes sessions from the side, which say what they are told.
    func start(_ names: [String]) async throws {
        let command = "stty -echo; echo ready; exec cat"
        for name in names { try await tmux("-f", "/dev/null", "new-session", "-d", "-s", name, command) }
    }

    /// What is told of each session, under its name.
    func sessions(_ format: String) async throws -> [String: String] {
        try await table("list-sessions", "#{session_name}", format)
    }

    /// What is told of the clients of each session, under its name.
    func clients(_ format: String = "#{client_pid}") async throws -> [String: String] {
        try await table("list-clients", "#{client_session}", format)
    }

    /// The process of each session's pane.
    func panes() async throws -> [String: String] { try await sessions("#{pane_pid}") }

    private func table(_ command: String, _ key: String, _ format: String) async throws -> [String: String] {
        let lines = try await tmux(command, "-F", "\(key) \(format)")
        let pairs = lines.map { $0.split(separator: " ", maxSplits: 1).map(String.init) }
        return Dictionary(pairs.map { ($0[0], $0.count > 1 ? $0[1] : "") }, uniquingKeysWith: { "\($0) \($1)" })
    }
}

extension SessionManager {
    /// What a page draws.
    nonisolated func text(of name: String) throws -> TerminalText {
        let page = try #require(current.page(try SessionName(name)))
        return TerminalText(try #require(page.terminal).output)
    }
}

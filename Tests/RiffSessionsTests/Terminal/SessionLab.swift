// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// A real sshd whose account has a home and tmux servers of its own, and a proxy before it.
struct SessionLab: Sendable {
    let host: SSHHost
    let proxy: ChaosProxy
    /// The account's home at this server.
    let home: String
    /// Where tmux has its sockets (`TMUX_TMPDIR`): short, as the path of a socket must be.
    let sockets: String

    /// With a login shell, or the account's own where it is `nil`.
    static func with(shell: String? = nil, _ body: (SessionLab) async throws -> Void) async throws {
        let sockets = "/tmp/riff-t\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: sockets, withIntermediateDirectories: false)
        var options = ThrowawaySSHServer.Options()
        options.shell = shell.flatMap { SystemProgram.path($0) }
        options.variables = ["TMUX_TMPDIR": sockets, "SHLVL": "2"]
        let result: Result<Void, any Error>
        do {
            let server = try await ThrowawaySSHServer.start(options)
            try await SSHLab.with(server) { ssh in
                let proxy = try await ChaosProxy.start(target: ssh.server.port)
                var configuration = try ssh.configuration(port: proxy.port)
                configuration.reconnect = ReconnectPolicy(delays: [.milliseconds(10)])
                configuration.probeTimeout = .seconds(1)
                let (host, home) = (ssh.host(configuration), "\(server.folder)/home")
                let lab = SessionLab(host: host, proxy: proxy, home: home, sockets: sockets)
                let outcome: Result<Void, any Error>
                do { outcome = .success(try await body(lab)) } catch { outcome = .failure(error) }
                await Task {
                    // Either server may never have started.
                    for name in ["riff", "default"] { _ = try? await lab.tmuxRun(on: name, ["kill-server"]) }
                    await proxy.stop()
                }.value
                try outcome.get()
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        try FileManager.default.removeItem(atPath: sockets)
        try result.get()
    }

    // MARK: Sessions

    /// Opens a session in the home directory, or in another one, that runs a POSIX script.
    func open(
        _ name: String = "riff",
        in directory: String = "~",
        size: TerminalSize = .standard,
        running script: String
    ) async throws -> TerminalSession {
        // The harness is a line for the person's own shell, which may be fish.
        let line = "exec \(try ShellQuoting.join(["sh", "-c", script]))"
        let spec = NewSessionSpec(directory: try StartDirectory(directory), harness: .custom(line))
        return try await host.session(name, size: size, spec: spec)
    }

    // MARK: tmux

    /// Asks the private tmux server, not over SSH.
    @discardableResult
    func tmux(_ arguments: String...) async throws -> String {
        let (status, output) = try await tmuxRun(on: "riff", arguments)
        #expect(status == 0, "\(arguments): \(output)")
        return output.trimmingCharacters(in: .newlines)
    }

    /// Asks a tmux server of the account by its name.
    func tmuxRun(on name: String, _ arguments: [String]) async throws -> (status: Int32, output: String) {
        try await SystemProgram.run("env", ["TMUX_TMPDIR=\(sockets)", "tmux", "-u", "-L", name] + arguments)
    }

    /// What tmux says of a session's pane.
    func pane(_ format: String, of name: String = "riff") async throws -> String {
        try await tmux("display-message", "-p", "-t", "=\(name):", format)
    }

    // MARK: Signals

    /// A named pipe in the home directory, through which a program in a session tells the test something: each side
    /// waits for the other, so nothing is lost and nobody polls.
    func makeSignal(_ name: String) throws -> Signal {
        let path = "\(home)/\(name)"
        guard mkfifo(path, 0o600) == 0 else { throw TestingError(.folderUnavailable, "No named pipe at \(path).") }
        return Signal(path: path)
    }

    struct Signal: Sendable {
        let path: String

        /// Waits for somebody to write, and gives what was written without its last line's end.
        func next() async throws -> String {
            try await SystemProgram.run("cat", [path]).output.trimmingCharacters(in: .newlines)
        }
    }

    // MARK: Files

    func makeFolder(_ name: String) throws -> String {
        let path = "\(home)/\(name)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    func text(_ file: String) throws -> String { try String(contentsOfFile: "\(home)/\(file)", encoding: .utf8) }

    /// Whether a file of that name lies anywhere under the home directory.
    func holds(_ name: String) throws -> Bool {
        try FileManager.default.subpathsOfDirectory(atPath: home).contains {
            $0.split(separator: "/").last ?? "" == name
        }
    }
}

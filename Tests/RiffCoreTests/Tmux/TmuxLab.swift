// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A real tmux of a test's own: a private socket in a folder of its own, and a second server whose panes are the
/// terminals that attach lines run in. Both end with the test.
struct TmuxLab: Sendable {
    let tmux: ShellProgram
    let home: URL
    let shell: ShellProgram
    /// What is tested.
    var server: TmuxServer { TmuxServer(.path(socket)) }
    private var socket: String { home.appendingPathComponent("s").path }
    private var terminals: String { home.appendingPathComponent("o").path }

    static func with(shell: ShellProgram? = ShellProgram.shells.first, _ body: (TmuxLab) async throws -> Void)
        async throws
    {
        let tmux = try #require(ShellProgram.tmux)
        let shell = try #require(shell)
        try await withTemporaryHome { home in
            let lab = TmuxLab(tmux: tmux, home: home, shell: shell)
            for signal in ["up", "attached", "mode"] { mkfifo(home.appendingPathComponent(signal).path, 0o600) }
            let result: Result<Void, any Error>
            do { result = .success(try await body(lab)) } catch { result = .failure(error) }
            // In a task of its own: a test that ran out of time is cancelled, and its servers end all the same.
            await Task {
                for socket in [lab.socket, lab.terminals] {
                    _ = try? await tmux.run(["-S", socket, "kill-server"], in: home)  // It may never have started.
                }
            }.value
            try result.get()
        }
    }

    /// Runs a call as a management command does, by the login shell.
    func run(_ command: TmuxCommand) async throws -> (output: String, failure: TmuxFailure?, status: Int) {
        let (output, diagnostics, status) = try await manage(try command.line())
        return (String(decoding: output, as: UTF8.self), TmuxFailure(diagnostics: diagnostics), status)
    }

    /// Runs a line as a management command, by the login shell.
    func manage(_ line: String) async throws -> (output: [UInt8], diagnostics: String, status: Int) {
        let managed = try ManagementCommand(line)
        let result = try await shell.run(["-c", managed.line], in: home)
        var parser = ManagementOutputParser(managed)
        parser.feed(result.output)
        let (output, status) = try parser.outcome(at: .closed).get(host: "localhost")
        return (output, managed.diagnostics(in: result.diagnostics), status)
    }

    /// Asks the server directly.
    @discardableResult
    func ask(_ arguments: String...) async throws -> String {
        let result = try await tmux.run(["-u", "-S", socket] + arguments, in: home)
        #expect(result.status == 0, "\(arguments): \(String(decoding: result.diagnostics, as: UTF8.self))")
        return String(decoding: result.output, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    /// Runs a call in a terminal, as sshd would: the account's shell gets the line.
    func attach(_ command: TmuxCommand) async throws {
        let line = try command.loginCommand().line
        let arguments = ["-f", "/dev/null", "-S", terminals, "new-session", "-d", "-x", "80", "-y", "24"]
        // The pane's shell is told apart from the account's, which gets the line as one argument.
        let result = try await tmux.run(
            arguments + ["env", "-u", "TMUX", "-u", "TMUX_PANE", "TERM=xterm-256color", shell.path, "-c", line],
            in: home,
            environment: ["SHELL": shell.path]
        )
        #expect(result.status == 0, "\(String(decoding: result.diagnostics, as: UTF8.self))")
    }

    /// Sends bytes from the first terminal's keyboard.
    func type(_ bytes: [UInt8]) async throws {
        let keys = bytes.map { String($0, radix: 16) }
        _ = try await tmux.run(["-S", terminals, "send-keys", "-H"] + keys, in: home)
    }

    /// A harness's line that says in files what it finds, tells the test, and stays.
    func reporting(_ commands: String, signal: String = "up") -> Harness {
        .custom("\(commands); \(signalling(signal)); exec sleep 1000")
    }

    func signalling(_ signal: String) -> String { "echo >> \(home.path)/\(signal)" }

    /// The same for a hook of the server.
    func setHook(_ hook: String, signal: String) async throws {
        try await ask("set-hook", "-g", hook, "run-shell -b '\(signalling(signal))'")
    }

    /// Suspends until somebody in the lab signals. The signals are named pipes, where each side waits for the other:
    /// tmux's own `wait-for` returns early on a server that has no session yet.
    func wait(for signal: String = "up") async throws {
        let cat = try #require(ShellProgram.find("cat"))
        let result = try await cat.run([home.appendingPathComponent(signal).path], in: home)
        #expect(result.status == 0, "\(String(decoding: result.diagnostics, as: UTF8.self))")
    }

    func text(_ file: String) throws -> String {
        String(decoding: try Data(contentsOf: home.appendingPathComponent(file)), as: UTF8.self)
    }

    func makeFolder(_ name: String) throws -> String {
        let folder = home.appendingPathComponent(name)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder.path
    }

    func exists(_ file: String) -> Bool {
        FileManager.default.fileExists(atPath: home.appendingPathComponent(file).path)
    }
}

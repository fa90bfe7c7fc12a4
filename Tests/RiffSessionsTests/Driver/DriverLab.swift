// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

/// A tmux server of a test's own, and terminals of this machine that attach to it.
struct DriverLab: Sendable {
    static let isInstalled = SystemProgram.path("tmux") != nil
    static let desktop = TerminalSize(columns: 159, rows: 72)
    static let phone = TerminalSize(columns: 47, rows: 49)

    let folder: String
    let server: TmuxServer
    private let here = LocalHostSession()

    static func with(_ body: (DriverLab) async throws -> Void) async throws {
        // Short, since a socket's path is.
        let folder = "/tmp/rd-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let lab = DriverLab(folder: folder, server: TmuxServer(.path("\(folder)/s")))
        let result: Result<Void, any Error>
        do { result = .success(try await body(lab)) } catch { result = .failure(error) }
        // A test that ran out of time is cancelled, and everything of it ends all the same.
        await Task {
            // It may never have started.
            _ = try? await lab.ask("kill-server")
            try? FileManager.default.removeItem(atPath: folder)
        }.value
        try result.get()
    }

    /// Asks the server.
    @discardableResult
    func ask(_ words: String...) async throws -> String {
        let result = try await here.run(try ShellQuoting.join(["tmux", "-u", "-S", "\(folder)/s"] + words))
        guard result.exit?.isSuccess == true else {
            throw TransportError(.driverFailed, "\(words): \(result.diagnosticText)")
        }
        return result.text.trimmingCharacters(in: .newlines)
    }

    /// Notes every size that a window has from here on.
    func watch() async throws {
        try await ask("set-hook", "-g", "window-resized", "set-option -agF @sizes ' #{window_width}x#{window_height}'")
    }

    /// Does something and returns when tmux has run a hook because of it.
    func awaiting(_ hook: String, _ body: () async throws -> Void) async throws {
        // A channel of its own: a second signal on one that nobody waits for takes the first one back.
        let channel = "c\(UInt32.random(in: 0 ... .max))"
        try await ask("set-hook", "-g", hook, "wait-for -S \(channel)")
        try await body()
        try await ask("wait-for", channel)
        try await ask("set-hook", "-gu", hook)
    }

    /// The sizes since ``watch()``, without repeats in a row.
    func sizes() async throws -> [String] {
        let all = try await ask("show-options", "-gqv", "@sizes").split(separator: " ").map(String.init)
        return all.reduce(into: []) { sizes, size in if sizes.last != size { sizes.append(size) } }
    }

    func size(of session: String = "riff") async throws -> String {
        try await ask("display-message", "-p", "-t", "=\(session):", "#{window_width}x#{window_height}")
    }

    /// The flags of each client of a session, by its size.
    func flags(of session: String = "riff") async throws -> [String: Set<String>] {
        let list = try await ask(
            "list-clients",
            "-t",
            "=\(session)",
            "-F",
            "#{client_width}x#{client_height} #{client_flags}"
        )
        let lines = list.split(separator: "\n").map { $0.split(separator: " ") }
        return Dictionary(
            uniqueKeysWithValues: lines.map { (String($0[0]), Set($0[1].split(separator: ",").map(String.init))) }
        )
    }

    /// The process of the client of this size.
    func process(of size: TerminalSize, session: String = "riff") async throws -> pid_t {
        let list = try await ask(
            "list-clients",
            "-t",
            "=\(session)",
            "-F",
            "#{client_width}x#{client_height} #{client_pid}"
        )
        let line = list.split(separator: "\n").first { $0.hasPrefix("\(size.columns)x\(size.rows) ") }
        return try #require(line?.split(separator: " ").last.flatMap { pid_t($0) }, "\(list)")
    }

    /// Kills a client and returns when tmux knows.
    func kill(_ size: TerminalSize, session: String = "riff") async throws {
        let process = try await process(of: size, session: session)
        try await awaiting("client-detached") { #expect(Foundation.kill(process, SIGKILL) == 0) }
    }

    /// Gives a terminal another size, and returns when tmux knows.
    func resize(_ terminal: DriverTerminal, to size: TerminalSize) async throws {
        try await awaiting("client-resized") { try await terminal.terminal.resize(to: size) }
    }

    func seats(_ viewer: RiffIdentifier) -> DriverSeats {
        DriverSeats(as: viewer, server: server) { [here] command in
            let result = try await here.run(try command.line())
            guard case .exited(let status)? = result.exit else { throw TransportError(.driverFailed, "no status") }
            return try DriverSeats.checked(
                result.output,
                status: Int(status),
                diagnostics: result.diagnosticText,
                host: "this machine"
            )
        }
    }

    /// The harness of every session here.
    static let harness = Harness.custom("stty -echo; printf 'ready\\n'; exec cat")

    /// A terminal on a session, at its prompt: of a front end, or of a person who knows nothing of Riff.
    func terminal(
        _ size: TerminalSize,
        viewer: RiffIdentifier?,
        session: String = "riff"
    ) async throws -> DriverTerminal {
        let attach = server.attachOrCreate(try SessionName(session), harness: Self.harness)
        let line = try (viewer.map(attach.viewing) ?? attach).loginCommand().line
        let terminal = LocalPTYTerminal(LocalCommand("/bin/bash", ["-c", line]))
        try await terminal.connect(size: size)
        var output = TerminalText(terminal.output)
        try await output.read(through: "ready")
        // What follows the attaching in its call is done when the next call is answered.
        try await ask("list-clients")
        return DriverTerminal(terminal: terminal, output: output)
    }
}

/// A terminal of a test, and what it shows.
struct DriverTerminal {
    let terminal: LocalPTYTerminal
    private var output: TerminalText

    init(terminal: LocalPTYTerminal, output: TerminalText) {
        self.terminal = terminal
        self.output = output
    }

    /// Types a line and returns when the program in the session answered it.
    mutating func type(_ word: String) async throws {
        try await terminal.write(Array("\(word)\r".utf8))
        try await output.read(through: word)
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import ExampleTesting
import RiffScreen
import RiffTesting
import RiffTransport
import Testing

/// A throw-away host behind a network that can be cut, and a person in front of riff-term in a terminal.
struct TermLab: Sendable {
    static let isInstalled = ThrowawaySSHServer.isInstalled && SystemProgram.path("tmux") != nil

    let server: ThrowawaySSHServer
    let proxy: ChaosProxy
    let folder: String
    private let here = LocalHostSession()

    static func with(_ body: (TermLab) async throws -> Void) async throws {
        let server = try await ThrowawaySSHServer.start()
        let proxy = try await ChaosProxy.start(target: server.port)
        // Short, since a socket's path is.
        let folder = "/tmp/rt-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: "\(folder)/bin", withIntermediateDirectories: true)
        let lab = TermLab(server: server, proxy: proxy, folder: folder)
        let result: Result<Void, any Error>
        do {
            let key = SSHPrivateKey.makeEd25519(comment: "riff-term test")
            try server.authorize(try #require(key.publicKey).line)
            try await lab.write(String(decoding: key.pem.bytes, as: UTF8.self), to: "key")
            try await lab.write(Self.agent, to: "agent")
            try await lab.write(Self.shell, to: "shell")
            for name in ["open", "xdg-open"] { try await lab.write(Self.opener, to: "bin/\(name)", permissions: 0o700) }
            result = .success(try await body(lab))
        } catch {
            result = .failure(error)
        }
        // A test that ran out of time is cancelled, and everything of it ends all the same.
        await Task {
            await proxy.stop()
            // It may never have started.
            _ = try? await lab.tmux("kill-server")
            await server.stop()
            try? FileManager.default.removeItem(atPath: folder)
        }.value
        try result.get()
    }

    /// What sessions run: more lines than fit on a screen, a link under the cursor, and an answer to each line.
    private static let agent = """
        stty -echo
        for n in $(seq 1 60); do echo "line $n of pane $$"; done
        printf 'see https://example.com/pane?%s\\n' $$
        printf 'https://example.com/docs/%s\\r' $$
        while read -r word; do printf '\\033[2Kanswer %s\\n' "$word"; done
        """

    /// Starts a program and tells whether the terminal is afterwards as it was before.
    private static let shell = """
        before=$(stty -g)
        sh -c 'echo $$ > "$0"; exec "$@"' "$@"
        status=$?
        [ "$before" = "$(stty -g)" ] && echo "the terminal is as it was, status $status"
        """

    /// Stands in for the desktop's program that opens an address: keeps what it was given, and cannot open
    /// documentation.
    private static let opener = """
        #!/bin/sh
        case $1 in *docs*) exit 3 ;; esac
        for word in "$@"; do printf '<%s>' "$word"; done > "${0%/*}/opened"
        exec tmux -S "${0%/*}/../s" wait-for -S opened
        """

    private func write(_ text: String, to name: String, permissions: UInt16 = 0o600) async throws {
        try await here.write(Array(text.utf8), to: "\(folder)/\(name)", permissions: permissions)
    }

    /// What was opened.
    func opened() async throws -> String {
        try await tmux("wait-for", "opened")
        return try String(contentsOfFile: "\(folder)/bin/opened", encoding: .utf8)
    }

    /// riff-term in a terminal, as somebody starts it.
    func start(_ arguments: [String] = [], run: String? = nil) async throws -> Person {
        let program = try BuiltProgram.path("riff-term")
        var words = ["\(folder)/shell", "\(folder)/pid", program, "\(server.user)@127.0.0.1"]
        words += ["--port", "\(proxy.port)", "--key", "\(folder)/key", "--known-hosts", "\(folder)/known_hosts"]
        words += ["--socket", "\(folder)/s", "--run", run ?? "exec sh \(folder)/agent"]
        // A busy machine takes its time over a key exchange.
        words += ["--connect-timeout", "60", "--picture", "\(folder)/picture.svg"] + arguments
        var environment = ProcessInfo.processInfo.environment
        environment["PATH"] = "\(folder)/bin:\(environment["PATH", default: "/usr/bin:/bin"])"
        let terminal = LocalPTYTerminal(LocalCommand("sh", words, environment: environment))
        try await terminal.connect(size: Person.size)
        return Person(terminal)
    }

    /// riff-term, on the host's first page, with the agent's text on it.
    func open() async throws -> Person {
        let person = try await start()
        try await person.sees("Trust it? Type yes:")
        try await person.type("yes\r")
        try await person.sees("line 60 of pane")
        try await person.sees(" connected · [riff] · Ctrl-] for commands")
        return person
    }

    /// The process of riff-term itself.
    func process() throws -> pid_t {
        let text = try String(contentsOfFile: "\(folder)/pid", encoding: .utf8)
        return try #require(pid_t(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    /// Asks the host's tmux.
    @discardableResult
    func tmux(_ words: String...) async throws -> String {
        let result = try await here.run(try ShellQuoting.join(["tmux", "-u", "-S", "\(folder)/s"] + words))
        try #require(result.exit?.isSuccess == true, "\(words): \(result.diagnosticText)")
        return result.text.trimmingCharacters(in: .newlines)
    }

    /// Asks the sample agent something, and waits for its answer.
    func ask(_ line: String, as person: Person, turn: Int) async throws {
        // It takes a Return right behind a fast text for a part of a paste; the End key stands between them.
        try await person.type("\(line)\u{1B}[F\r")
        try await person.waits(for: "the answer, and the prompt beneath it") {
            $0.visibleText.contains("\nDone, turn \(turn).\n>")
        }
    }

    func pane(of session: String) async throws -> String {
        try await tmux("display-message", "-p", "-t", "=\(session):", "#{pane_pid}")
    }
}

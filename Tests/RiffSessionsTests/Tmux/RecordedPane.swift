// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import Testing

/// A tmux session whose program writes down every byte that it gets, and a terminal that shows it.
struct RecordedPane: Sendable {
    /// How the program is, and how it is reached.
    struct Setup: Sendable {
        /// Whether the program writes lines all the time.
        var streams = false
        /// Whether it asks for marks around a paste.
        var wantsMarks = false
        /// An option of the server that is set, with its value.
        var options: [String] = []
        /// When input is protected.
        var protection = InputProtection.always
        /// Whether a watcher tells the terminal how the pane stands.
        var isWatched = false
        /// What runs commands beside the terminal, on this machine.
        var errands: any TmuxErrands = LocalErrands()
        /// A host over SSH, in place of this machine.
        var host: SSHHost?
    }

    let tmux: TmuxBench
    let session: TerminalSession
    let watcher: TmuxWatcher
    private let wantsMarks: Bool
    private let record: ByteRecord

    static func with(_ setup: Setup = Setup(), _ body: @Sendable (RecordedPane) async throws -> Void) async throws {
        try await TmuxBench.with { tmux in
            let record = try await makeProgram(setup, in: tmux)
            let watcher = watcher(setup, of: tmux)
            if setup.isWatched { await watcher.start() }
            let attachment = TmuxAttachment(
                server: tmux.server,
                session: .base,
                watcher: setup.isWatched ? watcher : nil,
                protection: setup.protection
            )
            let session = try terminal(setup, attachment)
            let reader = Task { for await _ in session.output {} }
            let result: Result<Void, any Error>
            do {
                try await session.open()
                let pane = RecordedPane(
                    tmux: tmux,
                    session: session,
                    watcher: watcher,
                    wantsMarks: setup.wantsMarks,
                    record: record
                )
                try await body(pane)
                // What is added to the input shows before the next byte of it, at the latest before the last.
                if session.current.isOpen {
                    try await session.type("the end")
                    try await pane.expectTyped("the end")
                }
                result = .success(())
            } catch {
                result = .failure(error)
            }
            await Task {
                await session.close()
                reader.cancel()
                await watcher.shutdown()
                await record.close()
            }.value
            try result.get()
        }
    }

    private static func makeProgram(_ setup: Setup, in tmux: TmuxBench) async throws -> ByteRecord {
        let fifo = "\(tmux.socket).bytes"
        #expect(try await SystemProgram.run("mkfifo", [fifo]).status == 0)
        let history = "i=0; while [ $i -lt 200 ]; do echo $i; i=$((i+1)); done; "
        let marks = setup.wantsMarks ? "printf '\\033[?2004h'; " : ""
        let stream = setup.streams ? "(while :; do echo \"line $i\"; i=$((i+1)); sleep 0.01; done) & " : ""
        let line = "stty raw -echo; \(history)\(marks)\(stream)exec cat >\(fifo)"
        try await tmux.ask("new-session", "-d", "-s", "riff", "-x", "80", "-y", "24", line)
        if !setup.options.isEmpty { #expect(try await tmux.tell(["set-option", "-g"] + setup.options).status == 0) }
        return try await ByteRecord.of(fifo)
    }

    private static func watcher(_ setup: Setup, of tmux: TmuxBench) -> TmuxWatcher {
        if let host = setup.host { return TmuxWatcher(host, server: tmux.server) }
        return TmuxWatcher(link: LocalWatchLink(), server: tmux.server, base: .base, clock: ContinuousClock())
    }

    private static func terminal(_ setup: Setup, _ attachment: TmuxAttachment) throws -> TerminalSession {
        let line = try attachment.server.attach(.base).loginCommand().line
        if let host = setup.host {
            return TerminalSession(
                name: "riff",
                command: line,
                on: sessionsLink(of: host),
                size: .standard,
                tmux: attachment
            )
        }
        let command = LocalCommand("/bin/sh", ["-c", line], environment: LocalErrands.environment)
        return TerminalSession(
            name: "riff",
            link: LocalTerminalLink(terminal: LocalPTYTerminal(command)),
            size: .standard,
            tmux: attachment,
            errands: setup.errands,
            clock: ContinuousClock()
        )
    }

    /// Waits for exactly this input.
    func expect(_ text: String, _ comment: String = "", at location: SourceLocation = #_sourceLocation) async throws {
        let expected = Array(text.utf8)
        let got = try await record.next(expected.count)
        #expect(got == expected, "\(Self.shown(got)) for \(Self.shown(expected)) \(comment)", sourceLocation: location)
        guard got == expected else { throw CancellationError() }
    }

    /// Waits for a text that was typed for a person.
    func expectTyped(
        _ text: String,
        _ comment: String = "",
        at location: SourceLocation = #_sourceLocation
    ) async throws {
        try await expect(typed(text), comment, at: location)
    }

    /// What arrives of a text that was typed for a person.
    func typed(_ text: String) -> String { wantsMarks ? "\u{1B}[200~\(text) \u{1B}[201~" : text + " " }

    /// Waits for as many bytes.
    func next(_ count: Int) async throws -> [UInt8] { try await record.next(count) }

    /// Whether the pane is in a mode, and how far it is scrolled.
    func mode() async throws -> String {
        try await tmux.ask("display-message", "-p", "-t", "=riff:", "#{pane_mode}:#{scroll_position}")
    }

    /// The terminal's client.
    func client() async throws -> String {
        var names: [String] = []
        // It is listed as soon as tmux has heard of it; each question takes some milliseconds.
        for _ in 0..<2000 where names.isEmpty {
            let clients = try await tmux.ask("list-clients", "-F", "#{client_control_mode} #{client_name}")
            names = clients.split(separator: "\n").filter { $0.hasPrefix("0 ") }.map { String($0.dropFirst(2)) }
        }
        return try #require(names.first)
    }

    private static func shown(_ bytes: [UInt8]) -> String {
        String(decoding: bytes.prefix(300), as: UTF8.self).debugDescription
    }
}

/// What comes out of a named pipe.
actor ByteRecord {
    private let channel: any ByteChannel
    private var bytes: [UInt8] = []

    static func of(_ fifo: String) async throws -> ByteRecord {
        ByteRecord(try await LocalErrands().host.openChannel("exec cat \(fifo)"))
    }

    private init(_ channel: any ByteChannel) { self.channel = channel }

    /// Takes as many bytes.
    func next(_ count: Int) async throws -> [UInt8] {
        var reading = channel.output.makeAsyncIterator()
        while bytes.count < count {
            guard let more = try await reading.next() else { throw CancellationError() }
            bytes += more
        }
        defer { bytes.removeFirst(count) }
        return Array(bytes.prefix(count))
    }

    func close() async { await channel.close() }
}

/// One terminal of this machine, connected once.
struct LocalTerminalLink: TerminalLink {
    let terminal: LocalPTYTerminal
    var output: BytePipe { terminal.output.pipe }

    func makeTransport(_ entry: TerminalEntry) -> any TerminalTransport { terminal }
    func waitUntilConnected() async throws { throw TransportError(.closed, "A local terminal does not come back.") }
    func waitAfterFailure(_ clock: any Clock<Duration>) async throws {}
}

/// Commands on this machine, as over a management channel.
struct LocalErrands: TmuxErrands {
    static let environment = [
        "HOME": "/", "SHELL": "/bin/sh", "PATH": "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin",
        "TERM": "xterm-256color",
    ]
    let host = LocalHostSession(shell: "/bin/sh", homeDirectory: "/", environment: environment)

    func runLater(_ line: String) async { _ = await run(line, input: [], onlyWhile: nil) }

    func run(
        _ line: String,
        input: [UInt8],
        onlyWhile isWanted: (@Sendable () -> Bool)?
    ) async -> ManagementReport {
        do {
            let command = try ManagementCommand(line)
            let limit = Duration.seconds(30)
            let result = try await host.run(command.line, input: input, outputLimit: 1 << 20, timeout: limit)
            var parser = ManagementOutputParser(command)
            parser.feed(result.output)
            return ManagementReport(
                outcome: parser.outcome(at: .closed),
                diagnostics: command.diagnostics(in: result.diagnostics)
            )
        } catch {
            return ManagementReport(outcome: .closedEmpty, diagnostics: "\(error)")
        }
    }
}

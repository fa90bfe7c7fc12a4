// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport

/// A real tmux server of a test's own, told what to do by a client in control mode: what a pane shows after bytes and
/// resizes is what a screen is compared with.
///
/// Bytes are written to the pane's terminal from outside, its program only waits; a title that the pane is given after
/// them says that tmux has taken them.
final class TmuxOracle {
    struct Pane {
        let id: String
        let file: FileHandle
    }

    struct Failure: Error { let message: String }

    /// What a pane shows.
    struct Picture {
        var cursor: (column: Int, row: Int)
        var historyCount: Int
        var isAlternate: Bool
        /// The scrollback and the screen.
        var rows: [[CapturedCell]]
    }

    /// What the version that the screen is modelled on calls itself.
    static let model = "tmux 3.3a"

    /// Whether that version is here.
    static let isHere = version == model

    /// Whether the tmux of this machine passes links on (OSC 8).
    static let passesLinks = TmuxVersion(line: version)?.isAtLeast(TmuxVersion(major: 3, minor: 4)) ?? false

    /// What the tmux of this machine calls itself; empty without one.
    private static let version: String = {
        guard let path = SystemProgram.path("tmux"), let pipe = popen("'\(path)' -V", "r") else { return "" }
        defer { pclose(pipe) }
        var line = [CChar](repeating: 0, count: 64)
        guard fgets(&line, Int32(line.count), pipe) != nil else { return "" }
        let name = line.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
        return String(decoding: name, as: UTF8.self)
    }()

    private let client: LocalProcess
    private var iterator: ByteStream.Iterator
    private var parser = ControlModeParser(longestReply: 16 << 20)
    private var events: [ControlModeEvent] = []
    private var titles: [String: [UInt8]] = [:]
    /// What the programs of some panes wrote, that was not taken yet.
    private var recorded: [String: [UInt8]] = [:]
    private var marks = 0

    static func with(_ body: (TmuxOracle) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "riff-oracle-\(UUID().uuidString.prefix(8))"
        )
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let socket = folder.appending(path: "s").path(percentEncoded: false)
        var environment = ProcessInfo.processInfo.environment
        environment["TMUX"] = nil
        environment["LC_ALL"] = "C.UTF-8"
        let arguments = [
            "-u", "-S", socket, "-f", "/dev/null", "-C", "new-session", "-x", "80", "-y", "24", "sleep 10000",
        ]
        let client = try await LocalProcess.start(LocalCommand("tmux", arguments, environment: environment))
        let oracle = TmuxOracle(client)
        let result: Result<Void, any Error>
        do {
            _ = try await oracle.nextReply(isOwn: false)
            try await oracle.tell("set -g history-limit 5000")
            try await body(oracle)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await Task {
            // The client and its server end together; neither may be there any more.
            _ = try? await SystemProgram.run("tmux", ["-S", socket, "kill-server"])
            await client.close()
            try? FileManager.default.removeItem(at: folder)
        }.value
        try result.get()
    }

    private init(_ client: LocalProcess) {
        self.client = client
        iterator = client.output.makeAsyncIterator()
    }

    // MARK: Panes

    func makePane(_ size: TerminalSize) async throws -> Pane {
        // The program sets its own terminal raw: tmux sets it up in the child, at a moment that nobody outside can
        // know.
        let program = #"stty raw -echo; printf "\033]2;riff-ready.\007"; exec sleep 10000"#
        let made = try await tell("new-window -d -P -F '#{pane_id} #{pane_tty}' -- '\(program)'").split(separator: " ")
        guard made.count == 2, let file = FileHandle(forUpdatingAtPath: String(made[1])) else {
            throw Failure(message: "no pane: \(made)")
        }
        let pane = Pane(id: String(made[0]), file: file)
        try await untilTitled("riff-ready.", pane)
        try await resize(pane, to: size)
        return pane
    }

    func resize(_ pane: Pane, to size: TerminalSize) async throws { try await resize(pane.id, to: size) }

    func resize(_ pane: String, to size: TerminalSize) async throws {
        try await tell("resize-window -t \(pane) -x \(size.columns) -y \(size.rows)")
    }

    /// Writes bytes to the pane's terminal, and returns when tmux has taken them.
    ///
    /// - Returns: What was written.
    @discardableResult
    func feed(_ bytes: [UInt8], to pane: Pane) async throws -> [UInt8] {
        marks += 1
        let mark = "riff-mark-\(marks)."
        let all = bytes + Array("\u{1B}]2;\(mark)\u{7}".utf8)
        try pane.file.write(contentsOf: Data(all))
        try await untilTitled(mark, pane)
        return all
    }

    private func untilTitled(_ mark: String, _ pane: Pane) async throws {
        while titles[pane.id]?.firstRange(of: Array(mark.utf8)) == nil { try await readOn() }
    }

    func close(_ pane: Pane) async throws {
        try await tell("kill-window -t \(pane.id)")
        try pane.file.close()
        titles[pane.id] = nil
    }

    // MARK: Programs

    /// Starts a program, a shell line without single quotes, in a pane of 80 by 24 of its own, and keeps what it
    /// writes.
    func start(_ line: String) async throws -> String {
        // Nothing of it is written before the reply: the pane is recorded from its first byte on.
        let pane = try await tell("new-window -d -P -F '#{pane_id}' -- '\(line)'")
        recorded[pane] = recorded[pane] ?? []
        return pane
    }

    /// Takes what a pane's program wrote, waiting for something where there is nothing.
    func nextOutput(of pane: String) async throws -> [UInt8] {
        while recorded[pane]?.isEmpty ?? true { try await readOn() }
        return output(of: pane)
    }

    /// Takes what a pane's program wrote before the last reply.
    func output(of pane: String) -> [UInt8] {
        defer { recorded[pane] = [] }
        return recorded[pane] ?? []
    }

    func picture(of pane: Pane) async throws -> Picture { try await picture(of: pane.id) }

    func picture(of pane: String) async throws -> Picture {
        let format = "#{cursor_x} #{cursor_y} #{history_size} #{alternate_on}"
        // One line, so that no output comes in between.
        let ask = "display-message -p -t \(pane) '\(format)' ; capture-pane -e -p -N -S - -t \(pane)"
        let numbers = try await tell(ask).split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 4 else { throw Failure(message: "no cursor") }
        let capture = try Self.text(try await nextReply(isOwn: true), of: ask)
        return Picture(
            cursor: (numbers[0], numbers[1]),
            historyCount: numbers[2],
            isAlternate: numbers[3] == 1,
            rows: try CaptureReader.read(capture)
        )
    }

    // MARK: The control client

    @discardableResult
    func tell(_ command: String) async throws -> String {
        try await client.write(Array("\(command)\n".utf8))
        return try Self.text(try await nextReply(isOwn: true), of: command)
    }

    private static func text(_ reply: ControlModeReply, of command: String) throws -> String {
        let text = String(decoding: reply.output, as: UTF8.self)
        guard !reply.isError, !reply.isCut else { throw Failure(message: "\(command): \(text)") }
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }

    private func nextReply(isOwn: Bool) async throws -> ControlModeReply {
        while true {
            while !events.isEmpty {
                let event = events.removeFirst()
                note(event)
                if case .reply(let reply) = event, reply.isOwn == isOwn { return reply }
            }
            try await read()
        }
    }

    private func readOn() async throws {
        if events.isEmpty { try await read() }
        for event in events { note(event) }
        events = []
    }

    private func note(_ event: ControlModeEvent) {
        guard case .output(let pane, let bytes) = event else { return }
        recorded[pane]? += bytes
        titles[pane] = Array(((titles[pane] ?? []) + bytes).suffix(64))
    }

    private func read() async throws {
        guard let bytes = try await iterator.next() else { throw Failure(message: "tmux has ended") }
        events += parser.feed(bytes)
    }
}

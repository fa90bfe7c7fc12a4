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

extension InTurn {
    /// Pastes into a real tmux of this machine, and into a terminal without one.
    @Suite(.enabled(if: TmuxBench.isInstalled), .timeLimit(.minutes(5)))
    struct PasteTests {
        /// 400 lines are more than goes through the terminal.
        private static func text(_ lines: Int) -> String { String(repeating: "a line\tof text\n", count: lines) }

        @Test(arguments: [2, 400])
        func `marks stand around it where the program asked for them, also behind a mode`(_ lines: Int) async throws {
            let text = Self.text(lines)
            try await RecordedPane.with(RecordedPane.Setup(wantsMarks: true)) { pane in
                for mode in [nil, "copy-mode", "choose-tree", "clock-mode"] {
                    if let mode { try await pane.tmux.ask(mode, "-t", "=riff:") }
                    try await pane.session.paste(text)
                    try await pane.expect("\u{1B}[200~\(text)\u{1B}[201~", mode ?? "live")
                    #expect(try await pane.mode() == ":")
                }
                #expect(try await pane.tmux.ask("list-buffers").isEmpty)
                #expect(!(try await pane.tmux.ask("list-keys", "-T", "riff-input")).contains("paste-buffer"))
            }
        }

        @Test(arguments: [2, 400])
        func `a program that did not ask gets one line, and no Return`(_ lines: Int) async throws {
            let text = Self.text(lines)
            try await RecordedPane.with { pane in
                try await pane.session.paste(text)
                try await pane.expect(text.replacing("\n", with: " ").replacing("\t", with: " "))
            }
        }

        @Test func `what would press keys or end the paste is taken out`() async throws {
            try await RecordedPane.with(RecordedPane.Setup(wantsMarks: true)) { pane in
                try await pane.session.paste("rm -rf x\r\u{3}\u{1B}[201~\u{2}:kill-server\r")
                try await pane.expect("\u{1B}[200~rm -rf x\n:kill-server\n\u{1B}[201~")
                try await pane.session.paste("\u{1B}\u{3}")
                try await pane.session.paste("")
            }
        }

        @Test(arguments: ["a `b` c", "`", String(repeating: "` ", count: 3000)])
        func `tmux's prefix key in a text is text`(_ text: String) async throws {
            var setup = RecordedPane.Setup()
            setup.options = ["prefix", "`"]
            try await RecordedPane.with(setup) { pane in
                try await pane.session.type(text)
                try await pane.expect(text.trimmingCharacters(in: .whitespaces) + " ")
                try await pane.session.paste(text)
                try await pane.expect(text)
            }
        }

        @Test func `pastes at the same time do not mix`() async throws {
            try await RecordedPane.with(RecordedPane.Setup(wantsMarks: true)) { pane in
                let texts = ["a", "b", "c"].map { String(repeating: $0, count: 20_000) }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for text in texts { group.addTask { try await pane.session.paste(text) } }
                    try await group.waitForAll()
                }
                let got = String(decoding: try await pane.next(3 * (20_000 + 12)), as: UTF8.self)
                for text in texts { #expect(got.contains("\u{1B}[200~\(text)\u{1B}[201~")) }
            }
        }

        @Test func `a paste whose terminal ends before its key is sent is taken back`() async throws {
            let errands = ErrandsThatClose()
            try await RecordedPane.with(RecordedPane.Setup(errands: errands)) { pane in
                try await pane.session.type("before")
                try await pane.expect("before ")
                errands.session.withLock { $0 = pane.session }
                let error = await transportError { try await pane.session.paste(Self.text(400)) }
                errands.session.withLock { $0 = nil }
                #expect(error?.code == .closed)
                #expect(try await pane.tmux.ask("list-buffers").isEmpty)
                #expect(!(try await pane.tmux.ask("list-keys", "-T", "riff-input")).contains("paste-buffer"))
            }
        }

        @Test(arguments: [true, false])
        func `a large one is brought in pieces, and pasted as one`(_ hasSafeKeys: Bool) async throws {
            let errands = ErrandsThatNote(hasSafeKeys: hasSafeKeys)
            // Several times the most that goes with one command at first, and not a multiple of it.
            let text = (0..<40_000).map { "line \($0) é\n" }.joined()
            try await RecordedPane.with(RecordedPane.Setup(wantsMarks: true, errands: errands)) { pane in
                try await pane.session.write(Array("before".utf8))
                try await pane.session.paste(text)
                try await pane.session.write(Array("after".utf8))
                try await pane.expect("before\u{1B}[200~\(text)\u{1B}[201~after")
                #expect(try await pane.tmux.ask("list-buffers").isEmpty)
            }
            let pieces = errands.inputs.withLock { $0 }.filter { $0.count > 100 }
            #expect(pieces.count > 2)
            #expect(pieces.reduce(0) { $0 + $1.count } == text.utf8.count)
            #expect(pieces.first?.count == 64 * 1024)
        }

        /// A host whose connection is cut sees the end of a command's input, whatever is missing of it.
        @Test(arguments: [true, false], [(lines: 400, lost: 1), (lines: 32_768, lost: 2)])
        func `a piece of which a part is lost on the way fails the paste, and nothing of it arrives`(
            _ hasSafeKeys: Bool,
            _ paste: (lines: Int, lost: Int)
        ) async throws {
            let errands = ErrandsThatNote(hasSafeKeys: hasSafeKeys, losing: paste.lost)
            let text = String(repeating: "0123456789abcde\n", count: paste.lines)
            try await RecordedPane.with(RecordedPane.Setup(wantsMarks: true, errands: errands)) { pane in
                let error = await transportError { try await pane.session.paste(text) }
                #expect(error?.code == .inputNotDelivered)
                try await pane.session.write(Array("after".utf8))
                try await pane.expect("after")
                #expect(try await pane.tmux.ask("list-buffers").isEmpty)
            }
        }

        @Test(arguments: [true, false])
        func `a session that got the name of the one that was pasted to gets nothing of it`(
            _ isCheckAnswered: Bool
        ) async throws {
            let errands = ErrandsThatReplace(isCheckAnswered: isCheckAnswered)
            try await RecordedPane.with(RecordedPane.Setup(errands: errands)) { pane in
                errands.tmux.withLock { $0 = pane.tmux }
                let text = String(repeating: "0123456789abcde ", count: 32_768)
                let error = await transportError { try await pane.session.paste(text) }
                #expect(error?.code == .inputNotDelivered)
                let record = try await ByteRecord.of(ErrandsThatReplace.fifo(in: pane.tmux))
                try await pane.tmux.ask("send-keys", "-t", "=riff:", "x")
                #expect(try await record.next(1) == [UInt8(ascii: "x")])
                #expect(try await pane.tmux.ask("list-buffers").isEmpty)
                await record.close()
            }
        }

        @Test func `without tmux a paste goes through the terminal, piece by piece`() async throws {
            let text = String(repeating: "0123456789abcde\n", count: 16_384)
            let program = "stty raw -echo; printf '\\033[?2004h'; head -c \(text.utf8.count + 12) | cksum"
            let terminal = LocalPTYTerminal(
                LocalCommand("/bin/sh", ["-c", program], environment: LocalErrands.environment)
            )
            let session = TerminalSession(
                name: "plain",
                link: LocalTerminalLink(terminal: terminal),
                size: .standard,
                clock: ContinuousClock()
            )
            try await session.open()
            var output = TerminalText(session.output)
            try await output.read(through: "\u{1B}[?2004h")
            try await session.paste(text)
            let file = "/tmp/riff-paste-\(UInt32.random(in: .min ... .max))"
            try Data("\u{1B}[200~\(text)\u{1B}[201~".utf8).write(to: URL(filePath: file))
            defer { try? FileManager.default.removeItem(atPath: file) }  // Cleanup.
            let sum = try await SystemProgram.run("sh", ["-c", "cksum <\(file)"]).output.split(separator: " ").first
            try await output.read(through: String(try #require(sum)))
            await session.close()
        }
    }
}

/// Notes what each command was given, and loses a part of what one of them is.
private final class ErrandsThatNote: TmuxErrands {
    let inputs = Mutex<[[UInt8]]>([])
    private let hasSafeKeys: Bool
    private let lost: Int?

    init(hasSafeKeys: Bool, losing lost: Int? = nil) {
        self.hasSafeKeys = hasSafeKeys
        self.lost = lost
    }

    func run(
        _ line: String,
        input: [UInt8],
        onlyWhile isWanted: (@Sendable () -> Bool)?
    ) async -> ManagementReport {
        if !hasSafeKeys, line.contains("bind-key") {
            return ManagementReport(outcome: .output([], status: 0), diagnostics: "")
        }
        let isLost = inputs.withLock { inputs in
            if input.count > 100 { inputs.append(input) }
            return input.count > 100 && inputs.count == lost
        }
        return await LocalErrands().run(line, input: isLost ? input.dropLast() : input, onlyWhile: isWanted)
    }

    func runLater(_ line: String) async { await LocalErrands().runLater(line) }
}

/// Closes a session when its paste is in the buffer.
private final class ErrandsThatClose: TmuxErrands {
    let session = Mutex<TerminalSession?>(nil)

    func run(
        _ line: String,
        input: [UInt8],
        onlyWhile isWanted: (@Sendable () -> Bool)?
    ) async -> ManagementReport {
        let report = await LocalErrands().run(line, input: input, onlyWhile: isWanted)
        if line.contains("load-buffer") { await session.withLock(\.self)?.close() }
        return report
    }

    func runLater(_ line: String) async { await LocalErrands().runLater(line) }
}

/// Knows no safe keys, and ends a session while a paste is on its way to it; another one gets its name.
private final class ErrandsThatReplace: TmuxErrands {
    let tmux = Mutex<TmuxBench?>(nil)
    /// Whether the question for the safe keys, which tells the session's identifier, is answered.
    private let isCheckAnswered: Bool

    init(isCheckAnswered: Bool) { self.isCheckAnswered = isCheckAnswered }

    static func fifo(in tmux: TmuxBench) -> String { "\(tmux.socket).other" }

    func run(
        _ line: String,
        input: [UInt8],
        onlyWhile isWanted: (@Sendable () -> Bool)?
    ) async -> ManagementReport {
        let isCheck = line.contains("bind-key")
        if isCheck, !isCheckAnswered { return ManagementReport(outcome: .timeout(partial: []), diagnostics: "") }
        let report = await LocalErrands().run(line, input: input, onlyWhile: isWanted)
        if isCheck, case .output(let output, let status) = report.outcome {
            let other = String(decoding: output, as: UTF8.self).replacing(" 0 riff-root ", with: " 0 mine ")
            return ManagementReport(outcome: .output(Array(other.utf8), status: status), diagnostics: "")
        }
        if input.count > 100, let tmux = tmux.withLock({ $0.take() }) { await Self.replaceSession(of: tmux) }
        return report
    }

    private static func replaceSession(of tmux: TmuxBench) async {
        do {
            #expect(try await SystemProgram.run("mkfifo", [fifo(in: tmux)]).status == 0)
            // Without any session the server would end, and count from the beginning.
            try await tmux.makeSession("other")
            try await tmux.ask("kill-session", "-t", "=riff")
            try await tmux.ask("new-session", "-d", "-s", "riff", "stty raw -echo; exec cat >\(fifo(in: tmux))")
        } catch {
            Issue.record(error)
        }
    }

    func runLater(_ line: String) async { await LocalErrands().runLater(line) }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport
import TestSupport
import Testing

extension InTurn {
    /// E1 to E6 against a real tmux of this machine.
    @Suite(.enabled(if: TmuxBench.isInstalled), .timeLimit(.minutes(5)))
    struct InputSafetyTests {
        @Test func `the wheel scrolls tmux, and it leaves copy mode at the end`() async throws {
            try await RecordedPane.with(RecordedPane.Setup(isWatched: true)) { pane in
                let watcher = pane.watcher
                try await watcher.wait { $0.isLive && $0.modes.isEmpty }
                // The first tick enters the mode, each further one scrolls five lines.
                try await pane.session.scroll(3)
                try await watcher.wait { $0.modes[.base] == "copy-mode" }
                #expect(try await pane.mode() == "copy-mode:10")
                #expect(pane.session.isScrolledBack)
                // Eight of a hundred count.
                try await pane.session.scroll(100)
                try await pane.session.scroll(-1)
                try await pane.session.scroll(-8)
                try await pane.session.scroll(-8)
                try await watcher.wait { $0.modes.isEmpty }
                try await pane.session.type("a")
                try await pane.expect("a ")
            }
        }

        @Test func `scrolled back, what is typed and sent arrives exactly`() async throws {
            try await RecordedPane.with { pane in
                try await pane.session.scroll(3)
                try await pane.session.type("hello", submit: true)
                try await pane.expect("hello \r")
                #expect(try await pane.mode() == ":")
                #expect(!pane.session.isScrolledBack)
                try await pane.session.scroll(8)
                for byte in Array("key by key\r".utf8) { try await pane.session.write([byte]) }
                try await pane.expect("key by key\r")
            }
        }

        @Test func `keys, reports and the Escape key at the live prompt are what they are`() async throws {
            try await RecordedPane.with { pane in
                let keys = ["a", "\u{1B}[A", "é日", "\u{1B}b", "\u{3}", "\r"]
                for key in keys { try await pane.session.write(Array(key.utf8)) }
                try await pane.expect(keys.joined())
                // However fast the next one follows.
                for _ in 0..<20 {
                    try await pane.session.write([0x1B])
                    try await pane.session.write(Array("x".utf8))
                }
                try await pane.expect(String(repeating: "\u{1B}x", count: 20))
                // A focus report and a click are tmux's, and leave no mode.
                try await pane.session.scroll(3)
                try await pane.session.write(Array("\u{1B}[I\u{1B}[<0;5;5M\u{1B}[<0;5;5m".utf8))
                try await pane.session.write(Array("b".utf8))
                try await pane.expect("b")
                // The prefix key twice is one for the program.
                try await pane.session.write([2])
                try await pane.session.write([2])
                try await pane.session.write(Array("c".utf8))
                try await pane.expect("\u{2}c")
            }
        }

        @Test func `a burst of keys with the safe keys in between leaks none of them`() async throws {
            try await RecordedPane.with { pane in
                var expected = ""
                for index in 0..<300 {
                    let text = "\(index % 10)ab"
                    try await pane.session.write(Array(text.utf8))
                    expected += text
                }
                try await pane.expect(expected)
            }
        }

        @Test func `the safe keys pressed on another client do nothing to the program`() async throws {
            try await RecordedPane.with { pane in
                try await pane.session.type("first")
                try await pane.expect("first ")
                // Keys that a client sends go through its key tables as if pressed there.
                try await pane.session.steer(
                    SafeKey.leaveMode + SafeKey.leaveMode + SafeKey.shieldNext + [0x03] + SafeKey.leaveMode
                )
                try await pane.session.type("second")
                try await pane.expect("second ")
            }
        }

        @Test(arguments: [InputProtection.always, .inModes])
        func `what another client does to the pane is left too`(_ protection: InputProtection) async throws {
            try await RecordedPane.with(RecordedPane.Setup(streams: true, protection: protection)) { pane in
                for mode in [
                    ["copy-mode", "-H"], ["choose-tree"], ["clock-mode"], ["choose-client"], ["customize-mode"],
                ] {
                    _ = try await pane.tmux.tell(mode + ["-t", "=riff:"])
                    #expect(try await pane.mode() != ":")
                    try await pane.session.write(Array("qjk \r".utf8))
                    try await pane.expect("qjk \r", "\(mode)")
                }
            }
        }

        @Test func `with a keyboard of its own, prompts are the person's until the server says mode`() async throws {
            try await RecordedPane.with(RecordedPane.Setup(protection: .inModes, isWatched: true)) { pane in
                let watcher = pane.watcher
                try await watcher.wait { $0.isLive && $0.modes.isEmpty }
                // The prefix key opens a prompt, and what follows is meant for it.
                try await pane.session.write([2])
                for key in ":rename-session new\r" { try await pane.session.write(Array(String(key).utf8)) }
                try await watcher.wait { $0.sessions.map(\.name.rawValue) == ["new"] }
                try await pane.tmux.ask("rename-session", "-t", "=new", "riff")
                try await watcher.wait { $0.sessions.map(\.name) == [.base] }
                try await pane.tmux.ask("copy-mode", "-t", "=riff:")
                try await watcher.wait { $0.modes[.base] == "copy-mode" }
                try await pane.session.write(Array("x".utf8))
                try await pane.expect("x")
                try await watcher.wait { $0.modes.isEmpty }
                try await pane.session.write(Array("y".utf8))
                try await pane.expect("y")
            }
        }

        @Test func `a prompt that the person's own keys opened a moment ago takes nothing`() async throws {
            try await RecordedPane.with { pane in
                for keys in ["\u{2}:", "\u{2}[\u{13}", "\u{2}w/", "\u{2}q", "\u{2}&", "\u{2}/"] {
                    try await pane.session.steer(Array(keys.utf8))
                    try await pane.session.type("text for \(keys.count)")
                    try await pane.expect("text for \(keys.count) ", keys.debugDescription)
                }
                // A menu, by a click.
                try await pane.session.write(Array("\u{1B}[<2;5;5M".utf8))
                try await pane.session.type("after the menu")
                try await pane.expect("after the menu ")
            }
        }

        @Test func `leaving shows the newest output again and types nothing`() async throws {
            try await RecordedPane.with { pane in
                try await pane.session.scroll(5)
                try await pane.session.leaveModes()
                try await pane.session.write(Array("a".utf8))
                try await pane.expect("a")
                #expect(try await pane.mode() == ":")
                #expect(pane.session.isInputDirty)
                try await pane.session.write([0x0D])
                try await pane.expect("\r")
                #expect(!pane.session.isInputDirty)
            }
        }

        /// V3.
        @Test func `a text without words types nothing, and leaves no draft`() async throws {
            try await RecordedPane.with { pane in
                for text in ["", "  ", "\n\t \r"] { try await pane.session.type(text) }
                #expect(!pane.session.isInputDirty)
                try await pane.session.type("words")
                try await pane.expect("words ")
                #expect(pane.session.isInputDirty)
            }
        }

        // MARK: A server without the safe keys

        @Test func `no safe key is sent to a server that was not seen to have them`() async throws {
            try await RecordedPane.with(RecordedPane.Setup(errands: WithoutSafeKeys())) { pane in
                try await pane.session.type("around")
                try await pane.expect("around ")
                for mode in ["copy-mode", "choose-tree", "clock-mode"] {
                    try await pane.tmux.ask(mode, "-t", "=riff:")
                    try await pane.session.write(Array("q\u{1B}[A\u{3}\r".utf8))
                    try await pane.expect("q\u{1B}[A\u{3}\r", mode)
                    #expect(try await pane.mode() == ":")
                }
                try await pane.tmux.ask("command-prompt", "-b", "-t", try await pane.client())
                try await pane.session.type("past the prompt")
                try await pane.expect("past the prompt ")
                try await pane.session.scroll(3)
                let long = String(repeating: "0123456789", count: 300)
                try await pane.session.write(Array(long.utf8))
                try await pane.expect(long)
                try await pane.session.paste(String(repeating: "a line\n", count: 1000))
                try await pane.expect(String(repeating: "a line ", count: 1000))
                #expect(try await pane.tmux.ask("list-buffers").isEmpty)
                // Its own keys reached it as they were: it never had any of ours.
                #expect(!(try await pane.tmux.ask("list-keys")).contains("riff-input"))
            }
        }

        @Test func `a tmux that cannot leave modes by a command gets the keys all the same`() async throws {
            try await RecordedPane.with(RecordedPane.Setup(errands: OldTmux())) { pane in
                try await pane.session.scroll(3)
                try await pane.session.type("old")
                try await pane.expect("old ")
                try await pane.tmux.ask("clock-mode", "-t", "=riff:")
                try await pane.session.write(Array("\u{1B}[A\r".utf8))
                try await pane.expect("\u{1B}[A\r")
                #expect(try await pane.tmux.ask("list-buffers").isEmpty)
            }
        }

        @Test func `where no command can be run either, input is refused and not risked`() async throws {
            let error = await transportError {
                try await RecordedPane.with(RecordedPane.Setup(errands: Nobody())) { pane in
                    try await pane.session.write([0x61])
                }
            }
            #expect(error?.code == .inputNotDelivered)
            #expect(error?.recovery == .retry)
        }

        @Test func `a command that was not heard of again may have given the input, and that is said`() async throws {
            try await RecordedPane.with(RecordedPane.Setup(errands: WithoutAnswers())) { pane in
                let error = await transportError { try await pane.session.write(Array("arrived".utf8)) }
                #expect(error?.code == .inputUncertain)
                #expect(error?.recovery == nil)
                try await pane.expect("arrived")
            }
        }

        @Test func `input that a command is giving is not cut short by a cancellation`() async throws {
            let errands = ErrandsThatCancel()
            try await RecordedPane.with(RecordedPane.Setup(errands: errands)) { pane in
                let writing = Task {
                    _ = try await errands.task.cancellableValue()
                    try await pane.session.write(Array("whole".utf8))
                }
                errands.task.resolve(writing)
                try await writing.value
                try await pane.expect("whole")
            }
        }
    }
}

/// Cannot be reached.
private struct Nobody: TmuxErrands {
    func run(
        _ line: String,
        input: [UInt8],
        onlyWhile isWanted: (@Sendable () -> Bool)?
    ) async -> ManagementReport {
        let error = TransportError(.unreachable, "The test's host cannot be reached.")
        return ManagementReport(outcome: .connect(error), diagnostics: "")
    }

    func runLater(_ line: String) async {}
}

/// Every command runs, but the answer of those that give input is lost.
private struct WithoutAnswers: TmuxErrands {
    func run(
        _ line: String,
        input: [UInt8],
        onlyWhile isWanted: (@Sendable () -> Bool)?
    ) async -> ManagementReport {
        let report = await WithoutSafeKeys().run(line, input: input, onlyWhile: isWanted)
        let isAnswered = !line.contains("paste-buffer") || String(decoding: input, as: UTF8.self).contains("the end")
        return isAnswered ? report : ManagementReport(outcome: .timeout(partial: []), diagnostics: "")
    }

    func runLater(_ line: String) async {}
}

/// Cancels whoever gives input by a command, before the command runs.
private struct ErrandsThatCancel: TmuxErrands {
    let task = EventualValue<Task<Void, any Error>>()

    func run(
        _ line: String,
        input: [UInt8],
        onlyWhile isWanted: (@Sendable () -> Bool)?
    ) async -> ManagementReport {
        if line.contains("paste-buffer") { await task.value().cancel() }
        return await WithoutSafeKeys().run(line, input: input, onlyWhile: isWanted)
    }

    func runLater(_ line: String) async {}
}

/// Every command runs but the one that binds the safe keys.
private struct WithoutSafeKeys: TmuxErrands {
    func run(
        _ line: String,
        input: [UInt8],
        onlyWhile isWanted: (@Sendable () -> Bool)?
    ) async -> ManagementReport {
        if line.contains("bind-key") { return ManagementReport(outcome: .output([], status: 0), diagnostics: "") }
        return await LocalErrands().run(line, input: input, onlyWhile: isWanted)
    }

    func runLater(_ line: String) async { await LocalErrands().runLater(line) }
}

/// A tmux that does not know `copy-mode -q`, as before 3.2.
private struct OldTmux: TmuxErrands {
    func run(
        _ line: String,
        input: [UInt8],
        onlyWhile isWanted: (@Sendable () -> Bool)?
    ) async -> ManagementReport {
        await LocalErrands().run(
            line.replacing("copy-mode -q", with: "copy-mode -Z"),
            input: input,
            onlyWhile: isWanted
        )
    }

    func runLater(_ line: String) async { await LocalErrands().runLater(line) }
}

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

/// One trial after another: something of tmux's stands before the program, and input comes.
struct InputTrials {
    /// What stands before the program, and who put it there.
    enum Obstacle: CaseIterable {
        /// Nothing.
        case none
        /// The person's own wheel.
        case wheel
        /// Another client, or a command.
        case copyMode, viewMode, treeMode, clockMode
        /// In copy mode and in the tree, by a key.
        case search, treeSearch, goToLine
        /// On the terminal's own client, by a command and by keys.
        case commandPrompt, commandPromptByKey, confirmation
    }

    /// What comes.
    enum Input: CaseIterable {
        case keys, text, textAndReturn, paste, arrows, escape
    }

    /// How many are run unless `RIFF_INPUT_TRIALS` says otherwise.
    static let count = ProcessInfo.processInfo.environment["RIFF_INPUT_TRIALS"].flatMap { Int($0) } ?? 120

    let pane: RecordedPane
    var generator: SeededGenerator

    init(_ pane: RecordedPane, seed: UInt64) {
        self.pane = pane
        generator = SeededGenerator(seed: seed)
    }

    /// Runs trials; the pane's program asks for marks around a paste.
    mutating func run(_ count: Int) async throws {
        try await pane.session.type("begin")
        try await pane.expectTyped("begin")
        let client = try await pane.client()
        for index in 0..<count {
            let style = Bool.random(using: &generator) ? "vi" : "emacs"
            try await pane.tmux.ask("set", "-g", "mode-keys", style, ";", "set", "-g", "status-keys", style)
            let obstacle = Obstacle.allCases[index % Obstacle.allCases.count]
            try await put(obstacle, style, client)
            let input = Input.allCases.randomElement(using: &generator) ?? .keys
            let text = "\(index) q jk/:\(UInt16.random(in: .min ... .max, using: &generator)) é"
            try await pane.expect(try await send(input, text), "trial \(index), \(obstacle), \(input), \(style)")
        }
    }

    private mutating func put(_ obstacle: Obstacle, _ style: String, _ client: String) async throws {
        let tmux = pane.tmux
        switch obstacle {
        case .none: break
        case .wheel: try await pane.session.scroll(Int.random(in: 1...9, using: &generator))
        case .copyMode: try await tmux.ask("copy-mode", "-t", "=riff:")
        case .viewMode: try await tmux.ask("run-shell", "-t", "=riff:", "echo one; echo two")
        case .treeMode: try await tmux.ask("choose-tree", "-t", "=riff:")
        case .clockMode: try await tmux.ask("clock-mode", "-t", "=riff:")
        case .search:
            try await tmux.ask("copy-mode", "-t", "=riff:")
            try await pane.session.steer(style == "vi" ? Array("/".utf8) : [0x13])
        case .treeSearch:
            try await tmux.ask("choose-tree", "-t", "=riff:")
            try await pane.session.steer([0x13])
        case .goToLine:
            try await tmux.ask("copy-mode", "-t", "=riff:")
            try await pane.session.steer(Array((style == "vi" ? ":" : "g").utf8))
        case .commandPrompt: try await tmux.ask("command-prompt", "-b", "-t", client)
        case .commandPromptByKey: try await pane.session.steer(Array("\u{2}:".utf8))
        case .confirmation: try await tmux.ask("confirm-before", "-b", "-t", client, "kill-server")
        }
    }

    /// Sends an input, and tells what must arrive.
    private func send(_ input: Input, _ text: String) async throws -> String {
        let session = pane.session
        switch input {
        case .keys:
            for key in text { try await session.write(Array(String(key).utf8)) }
            return text
        case .text:
            try await session.type(text)
            return pane.typed(text)
        case .textAndReturn:
            try await session.type(text)
            try await session.write([0x0D])
            return pane.typed(text) + "\r"
        case .paste:
            try await session.paste("\(text)\n\tsecond\u{1B}[201~ line")
            return "\u{1B}[200~\(text)\n\tsecond line\u{1B}[201~"
        case .arrows:
            try await session.write(Array("\u{1B}[A\u{1B}[1;5C".utf8))
            try await session.write(Array(text.utf8))
            return "\u{1B}[A\u{1B}[1;5C" + text
        case .escape:
            try await session.write([0x1B])
            try await session.write(Array(text.utf8))
            return "\u{1B}" + text
        }
    }
}

extension InTurn {
    @Suite(.enabled(if: TmuxBench.isInstalled), .timeLimit(.minutes(10)))
    struct InputTrialsTests {
        @Test func `whatever tmux shows while output streams, no byte is eaten and none is added`() async throws {
            let setup = RecordedPane.Setup(streams: true, wantsMarks: true)
            try await RecordedPane.with(setup) { pane in
                var trials = InputTrials(pane, seed: 1)
                try await trials.run(InputTrials.count)
            }
        }
    }
}

extension RealServers {
    /// The same over SSH, and what only a connection can do.
    @Suite(.enabled(if: TmuxBench.isInstalled))
    struct SSHInputSafetyTests {
        @Test func `no byte is eaten and none is added over SSH, watched`() async throws {
            try await SSHLab.with { lab in
                var setup = RecordedPane.Setup(streams: true, wantsMarks: true, isWatched: true)
                setup.host = try lab.host()
                try await RecordedPane.with(setup) { pane in
                    var trials = InputTrials(pane, seed: 2)
                    try await trials.run(36)
                    // The terminal, its commands and the watching share one connection.
                    #expect(pane.session.current.isOpen)
                }
                #expect(setup.host?.link.current.connectionCount == 1)
            }
        }

        @Test func `a paste of a megabyte arrives whole and in its place`() async throws {
            try await SSHLab.with { lab in
                var setup = RecordedPane.Setup(streams: true, wantsMarks: true)
                setup.host = try lab.host()
                try await RecordedPane.with(setup) { pane in
                    var generator = SeededGenerator(seed: 3)
                    let lines = (0..<16_384).map {
                        "\($0) \(UInt64.random(in: .min ... .max, using: &generator)) `code` é\n"
                    }
                    let text = String(lines.joined().prefix(1 << 20))
                    try await pane.session.scroll(4)
                    try await pane.session.write(Array("before".utf8))
                    try await pane.session.paste(text)
                    try await pane.session.write(Array("after".utf8))
                    try await pane.expect("before\u{1B}[200~\(text)\u{1B}[201~after")
                    #expect(try await pane.tmux.ask("list-buffers").isEmpty)
                }
            }
        }

        @Test func `while a large paste is on a slow line, other commands get their turns`() async throws {
            try await SSHLab.with { lab in
                var rules = ChaosRules()
                rules.toTarget.bytesPerSecond = 150_000
                let proxy = try await ChaosProxy.start(target: lab.server.port, rules: rules)
                var setup = RecordedPane.Setup(wantsMarks: true)
                let host = try lab.host(port: proxy.port)
                setup.host = host
                try await RecordedPane.with(setup) { pane in
                    let text = String(repeating: "0123456789abcde\n", count: 65_536)
                    try await pane.session.type("begin")
                    try await pane.expectTyped("begin")
                    let configuration = SessionsConfiguration(server: pane.tmux.server)
                    let server = TmuxSessionHost(
                        sessionsLink(of: host),
                        configuration: configuration,
                        clock: ContinuousClock()
                    )
                    let isPasted = Mutex(false)
                    let sent = proxy.counters.bytesToTarget
                    let pasting = Task {
                        try await pane.session.paste(text)
                        isPasted.withLock { $0 = true }
                    }
                    try await proxy.waitUntil { $0.bytesToTarget > sent + 50_000 }
                    // One after another, each behind a piece at most.
                    for _ in 0..<2 { #expect(try await server.sessions().map(\.name) == [.base]) }
                    #expect(!isPasted.withLock { $0 })
                    try await pasting.value
                    try await pane.expect("\u{1B}[200~\(text)\u{1B}[201~")
                }
                // No further connection was made for it.
                #expect(host.link.current.connectionCount <= 1 && proxy.counters.connections == 1)
                await proxy.stop()
            }
        }

        @Test func `after a cut it is safe again on the new connection`() async throws {
            try await SSHLab.with { lab in
                let proxy = try await ChaosProxy.start(target: lab.server.port)
                var setup = RecordedPane.Setup(streams: true, isWatched: true)
                setup.host = try lab.host(port: proxy.port)
                try await RecordedPane.with(setup) { pane in
                    try await pane.session.scroll(5)
                    try await pane.watcher.wait { $0.modes[.base] == "copy-mode" }
                    // Asked for before the cut: it may soon be over.
                    let states = pane.session.updates()
                    try await proxy.cutAll()
                    for await state in states { if case .reconnecting = state { break } }
                    let error = await transportError { try await pane.session.write([0x61]) }
                    #expect(error == nil || error?.code == .notConnected)
                    for await state in pane.session.updates() where state.isOpen { break }
                    if error == nil { try await pane.expect("a") }
                    #expect(try await pane.mode().hasPrefix("copy-mode:"))
                    try await pane.session.type("back")
                    try await pane.expect("back ")
                }
                await proxy.stop()
            }
        }
    }
}

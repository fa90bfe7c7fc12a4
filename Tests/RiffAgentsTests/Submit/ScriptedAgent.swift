// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import RiffCore
import RiffSessions
import RiffTesting
import RiffTransport

/// An agent in memory with Claude Code's composer, hooks and status file, which does at each prompt what it was told
/// to: lose Return, open a dialog, say nothing. It knows what it was really given.
actor ScriptedAgent: TerminalTransport {
    /// What it does with the next prompt.
    enum Manner: CaseIterable, Sendable {
        /// Takes it.
        case plain
        /// A permission question or a picker stands there before the prompt.
        case dialogBefore
        /// A dialog comes up as soon as the text was pasted.
        case dialogAfterText
        /// A dialog comes up at some moment.
        case dialogAtAnyTime
        /// A person's draft stands in the composer.
        case draft
        /// A turn runs.
        case working
        /// The composer shows the text late, or after the sign for a paste.
        case slow, paste
        /// The first Return is lost, or all of them.
        case losesReturn, losesAll
        /// No hook says that it took the prompt; neither hook nor status file does.
        case noHook, silent
    }

    nonisolated let output: TerminalOutput
    nonisolated let live: LiveAgent
    private let inner = InMemoryTerminal()
    private var manner = Manner.plain
    private var composer = ""
    private var isPasteHidden = false
    private var dialog: [String]?
    private var isWorking = false
    private var lostReturns = 0
    private var events: [Task<Void, Never>] = []
    /// The prompts that it took.
    private(set) var taken: [String] = []
    /// How often Return was pressed while a dialog stood there.
    private(set) var returnsIntoDialogs = 0

    init(_ live: LiveAgent) {
        self.live = live
        output = inner.output
    }

    // MARK: The script

    /// Comes to rest, and does so with the next prompt.
    func prepare(_ manner: Manner, _ moment: Duration) async {
        for event in events { event.cancel() }
        for event in events { await event.value }
        events = []
        (self.manner, composer, isPasteHidden, dialog, isWorking, lostReturns) = (manner, "", false, nil, false, 0)
        await rest()
        switch manner {
        case .draft: composer = "half a thought"
        case .dialogBefore: await open()
        case .working: await begin(nil)
        case .dialogAtAnyTime: after(moment) { await $0.open() }
        default: break
        }
        await draw()
    }

    private func after(_ moment: Duration, _ body: @escaping @Sendable (ScriptedAgent) async -> Void) {
        events.append(
            Task {
                // Cancellation is the only error.
                guard (try? await ContinuousClock().sleep(for: moment)) != nil else { return }
                await body(self)
            }
        )
    }

    private func open() async {
        dialog =
            taken.count.isMultiple(of: 2)
            ? [" Select model", "", " ❯ 1. Default", "   2. Other"]
            : [" Bash command", "", "   touch x", "", " Do you want to proceed?", " ❯ 1. Yes", "   2. No"]
        await draw()
    }

    private func rest() async {
        isWorking = false
        await live.take(.statusFile(Array(#"{"status":"idle"}"#.utf8)))
        await hook(#"{"hook_event_name":"Stop","background_tasks":[]}"#)
    }

    private func begin(_ prompt: String?) async {
        isWorking = true
        if manner == .silent { return }
        if let prompt, manner != .noHook {
            let text = JSONValue.string(prompt).bytes()
            await hook(#"{"hook_event_name":"UserPromptSubmit","prompt":\#(String(decoding: text, as: UTF8.self))}"#)
        }
        await live.take(.statusFile(Array(#"{"status":"busy"}"#.utf8)))
    }

    private func hook(_ json: String) async { await live.take(.hook(Array(json.utf8))) }

    private func draw() async {
        let rule = String(repeating: "─", count: 100)
        var rows = [" An agent", ""]
        if let dialog {
            rows += dialog
        } else {
            let shown = isPasteHidden ? "[Pasted text #1 +3 lines]" : composer
            var lines: [String] = []
            var rest = shown[...]
            repeat {
                lines.append(String(rest.prefix(90)))
                rest = rest.dropFirst(90)
            } while !rest.isEmpty
            rows += [rule, "❯\u{A0}" + lines[0]] + lines.dropFirst().map { "  " + $0 } + [rule, "  ? for shortcuts"]
        }
        let frame = "\u{1B}[?2004h\u{1B}[H\u{1B}[2J" + rows.joined(separator: "\r\n")
        await live.take(.terminal(Array(frame.utf8)))
        // A session that is closed takes no more.
        try? await inner.program.send(Array("\u{1B}[?2004h".utf8))
    }

    // MARK: Keys

    func write(_ bytes: [UInt8]) async throws {
        let keys = String(decoding: bytes, as: UTF8.self)
        if keys == "\r" { return await pressReturn() }
        let text = keys.replacing("\u{1B}[200~", with: "").replacing("\u{1B}[201~", with: "")
        // A dialog takes no text.
        guard dialog == nil else { return }
        composer += text
        isPasteHidden = manner == .paste
        switch manner {
        case .slow: after(.milliseconds(Int.random(in: 0...1500))) { await $0.draw() }
        case .dialogAfterText: await open()
        default: await draw()
        }
    }

    private func pressReturn() async {
        if dialog != nil {
            returnsIntoDialogs += 1
            return
        }
        guard !composer.isEmpty else { return }
        if manner == .losesAll || manner == .losesReturn && lostReturns == 0 {
            lostReturns += 1
            return
        }
        let prompt = composer
        taken.append(prompt)
        composer = ""
        isPasteHidden = false
        await draw()
        await begin(prompt)
        after(.milliseconds(Int.random(in: 5...100))) { await $0.rest() }
    }

    // MARK: Terminal

    func connect(size: TerminalSize) async throws {
        try await inner.connect(size: size)
        await draw()
    }
    func resize(to size: TerminalSize) async throws { try await inner.resize(to: size) }
    func disconnect() async {
        for event in events { event.cancel() }
        await inner.disconnect()
    }
    func closure() async -> TerminalClosure { await inner.closure() }
}

/// The way to one transport, which is not lost.
struct SteadyLink: TerminalLink {
    let output = BytePipe()
    let transport: any TerminalTransport

    func makeTransport(_ entry: TerminalEntry) -> any TerminalTransport { transport }
    func waitUntilConnected() async throws {}
    func waitAfterFailure(_ clock: any Clock<Duration>) async throws {}
}

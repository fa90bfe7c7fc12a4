// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import RiffCore
import Testing

/// What others reported about programs that tell an agent's state, tried here.
@Suite struct FieldReportsTests {
    private static let rule = String(repeating: "─", count: 60)

    /// An observer of a Claude at rest.
    private static func claude() -> AgentObserver {
        var observer = AgentObserver(agent: .claude, size: TerminalSize(columns: 60, rows: 12))
        observer.take(.started, at: .zero)
        status("idle", 1_000, &observer)
        show(["● Hello", ""] + composer(), 1_000, &observer)
        return observer
    }

    private static func composer(footer: String = "  ? for shortcuts") -> [String] { [rule, "❯\u{A0}", rule, footer] }

    private static func show(_ rows: [String], _ time: Int, _ observer: inout AgentObserver) {
        let text = "\u{1B}[2J\u{1B}[H" + rows.joined(separator: "\r\n")
        observer.take(.terminal(Array(text.utf8)), at: .milliseconds(time))
        observer.advance(to: .milliseconds(time))
    }

    private static func status(_ word: String, _ time: Int, _ observer: inout AgentObserver) {
        observer.take(.statusFile(Array(#"{"status": "\#(word)"}"#.utf8)), at: .milliseconds(time))
        observer.advance(to: .milliseconds(time))
    }

    private static func hook(_ name: String, _ time: Int, _ observer: inout AgentObserver, more: String = "") {
        let text = #"{"hook_event_name": "\#(name)"\#(more)}"#
        observer.take(.hook(Array(text.utf8)), at: .milliseconds(time))
        observer.advance(to: .milliseconds(time))
    }

    // https://github.com/kbwo/ccmanager/issues/227, https://github.com/Ark0N/Codeman/pull/246
    @Test func `a composer that is always drawn and no known sign of work are not rest`() {
        var observer = Self.claude()
        Self.status("busy", 5_000, &observer)
        for second in 6..<120 {
            Self.show(["✳ Simplifying… (\(second)s)", ""] + Self.composer(), second * 1_000, &observer)
            #expect(observer.report.state == .working)
        }
    }

    // https://github.com/agent-of-empires/agent-of-empires/pull/414
    @Test func `a call that takes hours is working all the time`() {
        var observer = Self.claude()
        Self.status("busy", 5_000, &observer)
        Self.hook("PreToolUse", 5_100, &observer, more: #", "tool_name": "mcp__slow""#)
        observer.advance(to: .seconds(6 * 3_600))
        #expect(observer.report.state == .working)
        #expect(observer.deadline == nil)
    }

    // https://github.com/kbwo/ccmanager/pull/322, https://github.com/herdrdev/herdr/issues/4275
    @Test func `a question in words that nobody knows is not idle`() {
        let rows = [
            " Claude in Chrome wants to create a window and read tabs", "", " ❯ 1. Allow", "   2. Deny (esc)",
        ]
        var observer = Self.claude()
        Self.show(rows, 5_000, &observer)
        #expect(observer.report.state.name == "unknown")
        observer.take(
            .statusFile(Array(#"{"status": "waiting", "waitingFor": "permission prompt"}"#.utf8)),
            at: .seconds(6)
        )
        observer.advance(to: .seconds(6))
        #expect(observer.report.state.name == "waiting")
    }

    // https://github.com/anthropics/claude-code/issues/58965
    @Test func `a question on the screen is one while the agent calls itself busy`() {
        var observer = Self.claude()
        Self.status("busy", 5_000, &observer)
        let rows = [Self.rule, " Read file", " Do you want to proceed?", " ❯ 1. Yes", "   2. No", " Esc to cancel"]
        Self.show(rows, 5_100, &observer)
        #expect(observer.report.state.name == "waiting")
        #expect(observer.report.state.subject == "Read")
    }

    // https://github.com/jayminwest/overstory/issues/87
    @Test func `a warning about a mode is no composer in that mode`() {
        var observer = AgentObserver(agent: .claude, size: TerminalSize(columns: 60, rows: 12))
        observer.take(.started, at: .zero)
        let rows = [
            " WARNING: Claude Code running in Bypass Permissions mode", "", " ❯ 1. No, exit", "   2. Yes, I accept", "",
            "   bypass permissions on (shift+tab to cycle)",
        ]
        Self.show(rows, 1_000, &observer)
        Self.status("idle", 1_100, &observer)
        observer.advance(to: .seconds(3))
        #expect(observer.report.state.name == "unknown")
    }

    // https://github.com/agent-of-empires/agent-of-empires/pull/2449, https://github.com/gnachman/iTerm2/pull/758
    @Test func `Escape runs no hook, and is seen all the same`() {
        var observer = Self.claude()
        Self.hook("UserPromptSubmit", 5_000, &observer)
        Self.status("busy", 5_050, &observer)
        Self.status("idle", 8_000, &observer)
        Self.show(["  ⎿  Interrupted · What should Claude do instead?"] + Self.composer(), 8_050, &observer)
        #expect(observer.report.state == .interrupted)
    }

    // https://github.com/horang-labs/tessera/pull/369, https://github.com/stablyai/orca/pull/14372
    @Test func `a tool's result that comes after the interruption does not wake the turn`() {
        var observer = AgentObserver(agent: .codex)
        observer.take(.started, at: .zero)
        let idle = Array("\u{1B}]7501;state=idle:app=codex\u{07}".utf8)
        func line(_ event: String, _ time: Int) {
            let text = #"{"type": "event_msg", "payload": {"type": "\#(event)"}}"#
            observer.take(.recordLine(Array(text.utf8), file: "r"), at: .milliseconds(time))
        }
        line("task_started", 2_000)
        line("turn_aborted", 5_000)
        observer.take(.terminal(idle), at: .milliseconds(5_010))
        Self.hook("PostToolUse", 5_400, &observer, more: #", "tool_name": "Bash""#)
        observer.advance(to: .seconds(60))
        #expect(observer.report.state == .interrupted)
    }

    // https://github.com/agent-of-empires/agent-of-empires/pull/1125
    @Test func `an answer about the key that interrupts is no sign of work`() {
        var observer = Self.claude()
        Self.show(["● Press esc to interrupt a turn.", ""] + Self.composer(), 5_000, &observer)
        #expect(observer.report.state == .ready)
        Self.show(["● Hello", ""] + Self.composer(footer: "  auto mode on · esc to interrupt"), 6_000, &observer)
        #expect(observer.report.state.name == "unknown")
    }

    // https://github.com/signalridge/dotfiles/pull/550
    @Test func `the end of a helper is not the end of the turn`() {
        var observer = Self.claude()
        Self.hook("UserPromptSubmit", 5_000, &observer)
        Self.status("busy", 5_050, &observer)
        Self.hook("SubagentStart", 6_000, &observer, more: #", "agent_id": "a""#)
        Self.hook("SubagentStop", 9_000, &observer, more: #", "agent_id": "a""#)
        observer.advance(to: .seconds(30))
        #expect(observer.report.state == .working)
        #expect(observer.report.background.isEmpty)
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffSessions
import Testing

struct TmuxWatchMachineTests {
    private typealias Machine = TmuxWatchMachine

    private static let server = TmuxServer()
    private static let toBase: [Machine.Effect] = [.open(server.watch(.base)), .startTimer(Machine.attachPatience)]
    private static let toAny: [Machine.Effect] = [.open(server.watch(nil)), .startTimer(Machine.attachPatience)]
    private static let read: [Machine.Effect] = [.send(TmuxReading.line), .startTimer(Machine.freshness)]
    private static let rest: [Machine.Effect] = [.startTimer(Machine.rest)]

    private static func reply(_ output: String = "", isOwn: Bool = true, isError: Bool = false) -> Machine.Event {
        var reply = ControlModeReply(number: 1, isOwn: isOwn)
        reply.output = Array(output.utf8)
        reply.isError = isError
        return .received(.reply(reply))
    }

    private static func notification(_ name: String) -> Machine.Event {
        .received(.notification(name: name, arguments: ""))
    }

    private static let answer = [
        reply("$0:100:2:1:riff\n$1:200:1:2:riff-2\n"), reply("1:$0\n0:$0\n0:$1\n"),
        reply("$0:1:1:\n$1:0:1:clock-mode\n$1:1:0:view-mode\n$1:1:1:copy-mode\n"),
    ]

    /// A machine that has read once, and what it did last.
    private func makeFollowing() -> Machine {
        var machine = Machine(Self.server, base: .base)
        for event in [.linkUp, Self.reply(isOwn: false)] + Self.answer + [.timerFired] { _ = machine.handle(event) }
        return machine
    }

    @Test func `it attaches to base, reads, and tells what it read`() throws {
        var machine = Machine(Self.server, base: .base)
        #expect(machine.state == TmuxServerState())
        #expect(machine.handle(.linkUp) == Self.toBase)
        #expect(machine.handle(.linkUp) == [])
        #expect(machine.handle(Self.reply(isOwn: false)) == Self.read)
        #expect(machine.handle(Self.answer[0]) == [])
        #expect(machine.handle(Self.answer[1]) == [])
        #expect(machine.state.status == .starting)
        #expect(machine.handle(Self.answer[2]) == Self.rest)
        let second = try SessionName("riff-2")
        #expect(
            machine.state
                == TmuxServerState(
                    status: .live,
                    sessions: [
                        LiveSession(name: .base, id: "$0", created: 100, clients: 1, windows: 1),
                        LiveSession(name: second, id: "$1", created: 200, clients: 1, windows: 2),
                    ],
                    modes: [second: "copy-mode"]
                )
        )
        #expect(machine.handle(.timerFired) == [])
    }

    @Test(arguments: [
        ("sessions-changed", true), ("session-renamed", true), ("pane-mode-changed", true),
        ("unlinked-window-close", true), ("client-detached", true), ("window-pane-changed", true),
        ("layout-change", false), ("unlinked-window-renamed", false), ("never-heard-of", false),
    ])
    func `what can matter is read again, and nothing else`(_ name: String, _ matters: Bool) {
        var machine = makeFollowing()
        #expect(machine.handle(Self.notification(name)) == (matters ? Self.read : []))
    }

    @Test func `a burst of changes costs one read more`() {
        var machine = makeFollowing()
        #expect(machine.handle(Self.notification("sessions-changed")) == Self.read)
        for _ in 0..<100 { #expect(machine.handle(Self.notification("pane-mode-changed")) == []) }
        _ = machine.handle(Self.answer[0])
        _ = machine.handle(Self.answer[1])
        #expect(machine.handle(Self.answer[2]) == Self.rest)
        for _ in 0..<100 { #expect(machine.handle(Self.notification("sessions-changed")) == []) }
        #expect(machine.handle(.timerFired) == Self.read)
        for event in Self.answer { _ = machine.handle(event) }
        #expect(machine.handle(.timerFired) == [])
        #expect(machine.handle(.nudged) == Self.read)
    }

    @Test func `an answer that does not come makes the state old, then ends the channel`() {
        var machine = makeFollowing()
        _ = machine.handle(Self.notification("sessions-changed"))
        #expect(machine.state.isLive)
        #expect(machine.handle(.timerFired) == [.startTimer(Machine.patience - Machine.freshness)])
        #expect(machine.state.status == .starting)
        var late = machine
        for event in Self.answer { _ = late.handle(event) }
        #expect(late.state.isLive)
        #expect(machine.handle(.timerFired) == [.cancelTimer, .close])
        #expect(machine.handle(.ended(diagnostics: "")) == [.startTimer(.seconds(1))])
        #expect(machine.state.status == .unavailable("tmux did not answer in time."))
        #expect(machine.handle(.timerFired) == Self.toBase)
        // The same where it does not even attach.
        #expect(machine.handle(.timerFired) == [.cancelTimer, .close])
    }

    @Test func `it attaches elsewhere when its session dies, and when base is not there`() {
        var machine = makeFollowing()
        _ = machine.handle(Self.notification("sessions-changed"))
        _ = machine.handle(.received(.exit(reason: nil)))
        #expect(machine.handle(.ended(diagnostics: "")) == Self.toBase)
        #expect(machine.state.status == .starting)
        #expect(machine.handle(Self.reply("can't find session: riff\n", isOwn: false, isError: true)) == [])
        #expect(machine.handle(.ended(diagnostics: "")) == Self.toAny)
        #expect(machine.handle(Self.reply(isOwn: false)) == Self.read)
        // A session that ends before anything was read is no reason to try for ever.
        #expect(machine.handle(.ended(diagnostics: "")) == [.startTimer(.seconds(1))])
    }

    @Test(arguments: [
        ("no server running on /tmp/tmux-1/riff\n", "There is no tmux server on the host.", 1),
        ("error connecting to /tmp/x (No such file or directory)", "There is no tmux server on the host.", 1),
        ("no sessions\n", "There is no tmux server on the host.", 1),
        (
            "tmux: unknown option -- N\nusage: tmux [-2CluvV]\n",
            "tmux on the host is older than 3.2, which cannot be watched.", 600
        ),
        ("bash: line 1: tmux: command not found", "tmux is not installed on the host, or not on its PATH.", 1),
        (
            "\n__RIFF_UNSUPPORTED_SHELL__ /bin/csh\n",
            UnsupportedShell(path: "/bin/csh").error(host: "the host").message, 1
        ),
        ("open terminal failed:\n\u{1B}[1mx", "tmux on the host: open terminal failed: [1mx", 1),
        ("", "tmux ended the watching without a word.", 1),
    ])
    func `a server that cannot be watched says why, and is asked again later`(
        _ words: String,
        _ reason: String,
        _ seconds: Int
    ) {
        var machine = Machine(Self.server, base: .base)
        _ = machine.handle(.linkUp)
        #expect(machine.handle(.ended(diagnostics: words)) == [.startTimer(.seconds(seconds))])
        #expect(machine.state == TmuxServerState(status: .unavailable(reason)))
        #expect(machine.handle(.timerFired) == Self.toBase)
    }

    @Test func `the waits grow, a nudge ends one, and a server that came starts them anew`() {
        var machine = Machine(Self.server, base: .base)
        _ = machine.handle(.linkUp)
        for seconds in [1, 2, 4, 8, 15, 30, 30] {
            #expect(machine.handle(.ended(diagnostics: "no sessions")) == [.startTimer(.seconds(seconds))])
            #expect(machine.handle(.timerFired) == Self.toBase)
        }
        _ = machine.handle(.ended(diagnostics: "no sessions"))
        #expect(machine.handle(.nudged) == Self.toBase)
        for event in [Self.reply(isOwn: false)] + Self.answer { _ = machine.handle(event) }
        #expect(machine.state.isLive)
        #expect(machine.handle(.ended(diagnostics: "")) == Self.toBase)
        #expect(machine.handle(.ended(diagnostics: "no sessions")) == [.startTimer(.seconds(1))])
        #expect(machine.state.sessions.isEmpty)
    }

    /// On a bad network several are, one after another, and the server is as it was.
    @Test func `a channel that was lost is not waited for as long as a server that is not there`() {
        var machine = Machine(Self.server, base: .base)
        _ = machine.handle(.linkUp)
        for seconds in [1, 2, 4, 4, 4] {
            #expect(machine.handle(.ended(diagnostics: "")) == [.startTimer(.seconds(seconds))])
            _ = machine.handle(.timerFired)
        }
        let refused = "The server closed the connection."
        #expect(machine.handle(.ended(diagnostics: refused, isLost: true)) == [.startTimer(.seconds(4))])
        _ = machine.handle(.timerFired)
        #expect(machine.handle(.ended(diagnostics: "no sessions")) == [.startTimer(.seconds(30))])
    }

    @Test func `an answer that cannot be read ends the channel`() {
        let wrong = [
            [Self.reply("no sessions\n", isError: true)],
            [Self.reply("nonsense\n"), Self.answer[1], Self.answer[2]],
            [Self.answer[0], Self.reply("1\n"), Self.answer[2]],
            [Self.answer[0], Self.answer[1], Self.reply("$0:1\n")],
        ]
        for answer in wrong {
            var machine = makeFollowing()
            _ = machine.handle(.nudged)
            #expect(answer.map { machine.handle($0) }.last == [.cancelTimer, .close])
            #expect(!machine.state.isLive)
            #expect(machine.handle(Self.notification("sessions-changed")) == [])
            #expect(machine.handle(.ended(diagnostics: "")) == [.startTimer(.seconds(1))])
        }
    }

    @Test func `a lost link is waited for in every phase`() {
        var machines = [makeFollowing(), makeFollowing(), makeFollowing()]
        _ = machines[1].handle(.nudged)
        _ = machines[2].handle(.ended(diagnostics: ""))
        for var machine in machines {
            #expect(machine.handle(.linkDown) == [.cancelTimer])
            #expect(machine.state.status == .starting)
            #expect(machine.state.sessions.count == 2)
            for event in [.ended(diagnostics: ""), .timerFired, .nudged] + Self.answer {
                #expect(machine.handle(event) == [])
            }
            #expect(machine.handle(.linkUp) == Self.toBase)
        }
    }

    @Test func `the call is what was tried by hand`() throws {
        let line = try Self.server.watch(.base).line()
        #expect(line == "tmux -u -N -C -L riff attach-session -f ignore-size,no-output -t '=riff'")
        #expect(try Self.server.watch(nil).line().hasSuffix(" attach-session -f ignore-size,no-output"))
    }
}

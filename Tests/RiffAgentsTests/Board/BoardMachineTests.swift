// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import RiffCore
import Testing

@Suite struct BoardMachineTests {
    /// Answers a refresh with rows by the beginning of each request.
    private static func refresh(
        _ machine: inout BoardMachine,
        at seconds: Int,
        _ answers: [String: [String]]
    ) -> [String] {
        var asked: [String] = []
        var isLooked = false
        machine.begin()
        while let request = machine.next() {
            asked.append(request.line)
            let verb = request.line.split(separator: " ").first.map(String.init) ?? ""
            var lines = answers[request.line] ?? answers[verb] ?? []
            if verb == "look" {
                if isLooked { lines = answers["look2"] ?? [] }
                isLooked = true
            }
            let rows = lines.compactMap { BoardRow(line: Array($0.utf8)[...], mark: "M") }
            machine.take(rows, to: request, at: .seconds(seconds))
        }
        machine.advance(to: .seconds(seconds))
        return asked
    }

    private static func pane(
        _ id: String,
        pid: Int,
        terminal: String,
        command: String,
        activity: Int = 1,
        dead: String = "0\t",
        directory: String = "/src",
        title: String = "t"
    ) -> String {
        "M +P\(id)\t\(pid)\t/dev/\(terminal)\t\(dead)\t80\t24\t\(activity)\tmain\t\(command)\t\(directory)\t\(title)"
    }

    private static func process(_ pid: Int, _ terminal: String, _ program: String, parent: Int = 1, began: Int = 100)
        -> String
    {
        "M F\(pid)\t\(parent)\t\(terminal)\t\(began)\t\(program)\t0"
    }

    private static func state(_ pid: Int, _ status: String, more: String = "") -> String {
        #"M +S\#(pid).json\#t{"pid":\#(pid),"sessionId":"s\#(pid)","cwd":"/src","status":"\#(status)"\#(more)}"#
    }

    private static let rule = "|" + String(repeating: "─", count: 80)
    private static let composer = [rule, "|❯\u{A0}", rule]

    private static func claude() -> BoardMachine { BoardMachine(host: "box", adapters: [.claude, .codex]) }

    @Test func `an agent in a pane is ready by its state file and its screen`() throws {
        var machine = Self.claude()
        let asked = Self.refresh(
            &machine,
            at: 1,
            [
                "look": [Self.pane("%1", pid: 9, terminal: "pts/1", command: "claude"), Self.state(10, "idle")],
                "find": [Self.process(10, "pts/1", "claude", parent: 9)],
                "show": ["M V%1"] + Self.composer,
            ]
        )
        #expect(asked == ["look", "find claude codex 10", "show %1"])
        let agent = try #require(machine.listings.first)
        #expect(agent.report.state == .ready)
        #expect(agent.place == .pane(session: "main", id: "%1"))
        #expect(agent.conversation == "s10" && agent.pid == 10 && agent.directory == "/src" && agent.id == "box/p10")
        // Once more, because a second's drawing is not over; then nothing but the look.
        #expect(Self.refresh(&machine, at: 2, ["show": ["M V%1"] + Self.composer]) == ["look", "show %1"])
        #expect(Self.refresh(&machine, at: 3, [:]) == ["look"])
        #expect(machine.isAtRest)
    }

    @Test func `a state file without a screen makes nothing ready in a pane`() throws {
        var machine = Self.claude()
        _ = Self.refresh(
            &machine,
            at: 1,
            [
                "look": [Self.pane("%1", pid: 9, terminal: "pts/1", command: "claude"), Self.state(9, "idle")],
                "find": [Self.process(9, "pts/1", "claude")],
                "show": ["M V%1", "|no composer"],
            ]
        )
        let state = try #require(machine.listings.first?.report.state)
        #expect(state.name == "unknown" || state.name == "starting", "\(state)")
    }

    @Test func `what a desktop program started has no pane, and is judged by its own word`() throws {
        var machine = Self.claude()
        let more = #","kind":"bg","jobId":"j1","name":"a job""#
        _ = Self.refresh(
            &machine,
            at: 1,
            [
                "look": [Self.state(20, "busy"), Self.state(21, "busy", more: more)],
                "find": [Self.process(20, "?", "claude"), Self.process(21, "?", "2.1.331")],
            ]
        )
        #expect(machine.listings.map(\.place) == [.process, .job("j1")])
        #expect(machine.listings.map(\.report.state) == [.working, .working])
        #expect(machine.listings[1].title == "a job" && machine.listings[1].directory == "/src")
        #expect(!machine.isAtRest)
        let left = ["look": ["M -S20.json", Self.state(21, "idle")], "find": [Self.process(21, "?", "2.1.331")]]
        _ = Self.refresh(&machine, at: 2, left)
        #expect(machine.listings.map(\.pid) == [21])
        #expect(machine.listings.first?.report.state == .done)
    }

    @Test func `a state file of another process with the same number is void`() throws {
        var machine = Self.claude()
        _ = Self.refresh(
            &machine,
            at: 1,
            [
                "look": [
                    Self.pane("%1", pid: 30, terminal: "pts/1", command: "claude"),
                    Self.state(30, "busy", more: #","startedAt":50000"#),
                    Self.state(31, "busy", more: #","startedAt":50000"#),
                ],
                "find": [
                    Self.process(30, "pts/1", "claude", began: 100), Self.process(31, "pts/2", "vi", began: 100),
                ],
            ]
        )
        #expect(machine.listings.map(\.pid) == [30], "a number that another program has now is no agent")
        #expect(machine.listings.first?.report.state == .starting)
    }

    @Test func `helpers and servers of an agent are none`() {
        var machine = Self.claude()
        _ = Self.refresh(
            &machine,
            at: 1,
            [
                "look": [Self.pane("%1", pid: 40, terminal: "pts/1", command: "codex")],
                "find": [
                    Self.process(40, "pts/1", "codex"), Self.process(41, "pts/1", "codex", parent: 40),
                    "M F42\t1\t?\t100\tcodex\t1", Self.process(43, "?", "claude"),
                ],
            ]
        )
        #expect(machine.listings.map(\.pid) == [40])
    }

    private static func meta(_ id: String, source: String = "user", directory: String = "/src") -> String {
        let payload = #"{"id":"\#(id)","cwd":"\#(directory)","source":"cli","thread_source":"\#(source)"}"#
        return #"|{"type":"session_meta","payload":\#(payload)}"#
    }

    private static func event(_ type: String, more: String = "") -> String {
        #"|{"type":"event_msg","payload":{"type":"\#(type)"\#(more)}}"#
    }

    @Test func `Codex's turn is in the record of its folder, and a title's thread is none`() throws {
        var machine = Self.claude()
        let look = [Self.pane("%1", pid: 50, terminal: "pts/1", command: "codex")]
        let asked = Self.refresh(
            &machine,
            at: 1,
            [
                "look": look, "find": [Self.process(50, "pts/1", "codex")],
                "look2": [
                    "M +R2026/11/28/rollout-a.jsonl\t200\t1000", "M +R2026/11/28/rollout-b.jsonl\t201\t500",
                    "M +R2026/11/28/rollout-old.jsonl\t50\t500",
                ],
                "tail 1 262144 2026/11/28/rollout-a.jsonl": [Self.meta("t1"), Self.event("task_started"), "|"],
                "tail 1 262144 2026/11/28/rollout-b.jsonl": [
                    Self.meta("t2", source: "thread_title"), Self.event("task_complete"), "|",
                ],
            ]
        )
        #expect(!asked.contains { $0.contains("old") })
        #expect(machine.listings.map(\.report.state) == [.working])
        #expect(machine.listings.first?.conversation == "t1")
    }

    @Test func `a title says that Codex waits, where its question is in words that are not known`() throws {
        var machine = Self.claude()
        let pane = { (title: String, activity: Int) in
            Self.pane("%1", pid: 50, terminal: "pts/1", command: "codex", activity: activity, title: title)
        }
        let show = ["M V%1", "|a new kind of question", "|  yes   no"]
        _ = Self.refresh(
            &machine,
            at: 1,
            [
                "look": [pane("[ ! ] Action Required | src", 1)], "find": [Self.process(50, "pts/1", "codex")],
                "look2": ["M +Ra/rollout-a.jsonl\t200\t1000"],
                "tail": [Self.meta("t1"), Self.event("task_started"), "|"], "show": show,
            ]
        )
        #expect(machine.listings.first?.report.state == .waiting(nil))
        _ = Self.refresh(&machine, at: 2, ["look": [pane("⠧ src", 2)], "show": show])
        #expect(machine.listings.first?.report.state == .working)
    }

    @Test func `what is drawn and written in one second is seen, however often it is looked at within it`() throws {
        var machine = Self.claude()
        let look = [Self.pane("%1", pid: 50, terminal: "pts/1", command: "codex")]
        let find = [Self.process(50, "pts/1", "codex")]
        _ = Self.refresh(&machine, at: 1, ["look": look, "find": find])
        for _ in 0..<5 { _ = Self.refresh(&machine, at: 1, ["find": find]) }
        #expect(!machine.isAtRest)
        // The record came, and tmux tells nothing new.
        let answers = [
            "find": find, "look2": ["M +Ra/rollout-a.jsonl\t200\t1000"],
            "tail": [Self.meta("t1"), Self.event("task_started"), "|"],
        ]
        _ = Self.refresh(&machine, at: 2, answers)
        #expect(machine.listings.first?.report.state == .working)
    }

    @Test func `a record whose first line is written in this moment is read when it is whole`() throws {
        var machine = Self.claude()
        let look = [Self.pane("%1", pid: 50, terminal: "pts/1", command: "codex")]
        let find = [Self.process(50, "pts/1", "codex")]
        let part = ["M +Ra/rollout-a.jsonl\t200\t20"]
        _ = Self.refresh(&machine, at: 1, ["look": look, "find": find, "look2": part, "tail": [#"|{"type":"sess"#]])
        #expect(machine.listings.first?.conversation == nil)
        let whole = ["M +Ra/rollout-a.jsonl\t200\t1000"]
        let lines = [Self.meta("t1"), Self.event("task_started"), "|"]
        _ = Self.refresh(&machine, at: 2, ["look": whole, "find": find, "tail": lines])
        #expect(machine.listings.first?.report.state == .working)
    }

    @Test func `two Codexes in one folder have no record`() {
        var machine = Self.claude()
        _ = Self.refresh(
            &machine,
            at: 1,
            [
                "look": [
                    Self.pane("%1", pid: 60, terminal: "pts/1", command: "codex"),
                    Self.pane("%2", pid: 61, terminal: "pts/2", command: "codex"),
                ],
                "find": [Self.process(60, "pts/1", "codex"), Self.process(61, "pts/2", "codex")],
                "look2": ["M +Ra/rollout-a.jsonl\t200\t1000"],
                "tail": [Self.meta("t1"), Self.event("task_started"), "|"],
            ]
        )
        #expect(machine.listings.map(\.conversation) == [nil, nil])
        #expect(machine.listings.map(\.report.state) == [.starting, .starting])
    }

    @Test func `a thread that only a server keeps is an agent without a terminal`() throws {
        var machine = Self.claude()
        _ = Self.refresh(
            &machine,
            at: 1,
            [
                "find": ["M F70\t1\t?\t100\tcodex\t1"],
                "look2": ["M +Ra/rollout-a.jsonl\t200\t1000"],
                "tail": [
                    Self.meta("t1"), Self.event("task_started"),
                    Self.event("task_complete", more: #","error":{"message":"no credit"}"#), "|",
                ],
            ]
        )
        let agent = try #require(machine.listings.first)
        #expect(agent.place == .thread && agent.conversation == "t1" && agent.pid == nil)
        #expect(agent.report.state == .failed("no credit"))
        // The record grows: only what is new is asked for.
        let asked = Self.refresh(
            &machine,
            at: 2,
            ["look": ["M +Ra/rollout-a.jsonl\t210\t2000"], "tail": [Self.event("task_started"), "|half a li"]]
        )
        let tails = asked.filter { $0.hasPrefix("tail") }
        #expect(tails.first?.hasPrefix("tail 1 ") == false)
        #expect(machine.listings.first?.report.state == .working)
    }

    @Test(arguments: [
        "M", "M ", "M +", "M +P", "M +Pno\t1", "M +P%1\t1", "M +Sx.json\t{}", "M +R../x.jsonl\t1\t1",
        "M +R-x.jsonl\t1\t1",
        "M +Rx y.jsonl\t1\t1", "M +Rx.jsonl\t1\t-1", "M F1\t1\t?\tx\ty\t0", "M F-1\t1\t?\t1\ty\t0", "M V%", "M V%1;x",
        "+P%1\t1\t/dev/pts/1\t0\t\t80\t24\t1\ts\tclaude\t/\tt", "M .", "M +S99999999999999999999.json\t{}",
        "M +P%1\t1\t/dev/pts/1\t0\t\t99999\t24\t1\ts\tclaude\t/\tt",
    ])
    func `rows that are none are left out`(line: String) {
        #expect(BoardRow(line: Array(line.utf8)[...], mark: "M") == nil)
    }

    @Test func `a host that tells endlessly is kept within bounds`() {
        var machine = Self.claude()
        let panes = (0..<5000).map {
            Self.pane("%\($0)", pid: $0 + 1, terminal: "pts/\($0)", command: "claude", title: "\u{1B}[2J\u{202E}x")
        }
        let found = (0..<5000).map { Self.process($0 + 1, "pts/\($0)", "claude") }
        let asked = Self.refresh(&machine, at: 1, ["look": panes, "find": found])
        #expect(machine.listings.count <= 64)
        #expect(asked.count < 300)
        #expect(machine.listings.allSatisfy { $0.title?.unicodeScalars.contains { $0 == "\u{1B}" } == false })
    }

    @Test func `a pane that stays after its program tells how that ended`() {
        var machine = Self.claude()
        let find = [Self.process(9, "pts/1", "claude")]
        let look = [Self.pane("%1", pid: 9, terminal: "pts/1", command: "claude"), Self.state(9, "busy")]
        _ = Self.refresh(&machine, at: 1, ["look": look, "find": find])
        #expect(machine.listings.first?.report.state == .working)
        let over = Self.pane("%1", pid: 9, terminal: "pts/1", command: "claude", dead: "1\t143")
        _ = Self.refresh(&machine, at: 2, ["look": [over, "M -S9.json"]])
        #expect(machine.listings.map(\.report.state) == [.exited(.status(143))])
        _ = Self.refresh(&machine, at: 3, ["look": ["M -P%1"]])
        #expect(machine.listings.isEmpty)
    }

    @Test func `a tmux that does not tell of drawing is looked at each time`() {
        var machine = Self.claude()
        let pane = "M +P%1\t9\t/dev/pts/1\t0\t\t80\t24\t\tmain\tclaude\t/src\tt"
        let answers = ["find": [Self.process(9, "pts/1", "claude")], "show": ["M V%1"] + Self.composer]
        _ = Self.refresh(&machine, at: 1, answers.merging(["look": [pane]]) { $1 })
        for time in 2...4 { #expect(Self.refresh(&machine, at: time, answers) == ["look", "show %1"]) }
    }

    @Test func `a picture that does not come changes nothing`() {
        var machine = Self.claude()
        let look = [Self.pane("%1", pid: 9, terminal: "pts/1", command: "claude"), Self.state(9, "idle")]
        let find = [Self.process(9, "pts/1", "claude")]
        _ = Self.refresh(&machine, at: 1, ["look": look, "find": find, "show": ["M V%1"] + Self.composer])
        #expect(machine.listings.first?.report.state == .ready)
        _ = Self.refresh(&machine, at: 2, ["show": ["M V%1"]])
        _ = Self.refresh(&machine, at: 9, ["show": []])
        #expect(machine.listings.first?.report.state == .ready)
    }

    @Test func `what a host lacks is told`() {
        var machine = Self.claude()
        _ = Self.refresh(&machine, at: 1, ["look": ["M +!no tmux"]])
        #expect(machine.lacks == ["no tmux"])
    }
}

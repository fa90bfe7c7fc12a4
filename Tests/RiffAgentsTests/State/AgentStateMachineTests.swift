// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import RiffTesting
import Testing

/// The rules, one a test: what a state needs, and what takes it back.
@Suite struct AgentStateMachineTests {
    /// A machine with a running process, and a clock in milliseconds.
    struct Run {
        var machine = AgentStateMachine(hasTerminal: true)

        init() { machine.start(at: .zero) }

        mutating func see(_ kind: AgentEvidenceKind, _ fact: AgentFact, _ time: Int, source: String = "") {
            machine.handle(AgentEvidence(kind, source: source, at: .milliseconds(time), fact))
        }

        mutating func show(_ time: Int, _ change: (inout ScreenReading) -> Void) {
            var reading = ScreenReading()
            change(&reading)
            machine.handle(reading, at: .milliseconds(time))
        }

        mutating func state(_ time: Int) -> String { machine.evaluate(at: .milliseconds(time)).name }

        /// An agent at rest before its first prompt.
        static func ready() -> Run {
            var run = Run()
            run.see(.file, .idle, 100)
            run.show(110) { $0.composer = .empty }
            _ = run.state(120)
            return run
        }

        /// An agent in the middle of a turn.
        static func working() -> Run {
            var run = ready()
            run.see(.file, .working(isPrompt: false), 200)
            run.see(.hook, .working(isPrompt: true), 200)
            _ = run.state(200)
            return run
        }
    }

    static let question = AgentQuestion(kind: .permission, tool: "Bash", subject: "ls", id: "1")

    // MARK: At rest

    @Test func `ready needs the file and the screen`() {
        var run = Run()
        #expect(run.state(0) == "starting")
        run.show(50) { $0.composer = .empty }
        #expect(run.state(60) == "starting")
        run.see(.file, .idle, 100)
        #expect(run.state(100) == "ready")
    }

    @Test func `an idle file without a composer is unknown after a moment`() {
        var run = Run()
        #expect(run.state(0) == "starting")
        run.see(.file, .idle, 100)
        #expect(run.state(100) == "starting")
        #expect(run.machine.deadline == .milliseconds(900))
        #expect(run.state(900) == "unknown")
    }

    @Test(arguments: [AgentEvidenceKind.hook, .record, .program])
    func `no other kind makes an agent done, with the screen`(kind: AgentEvidenceKind) {
        var run = Run()
        run.show(10) { $0.composer = .empty }
        run.see(kind, .working(isPrompt: true), 50)
        run.see(kind, .ended(.completed), 2_000)
        #expect(!["ready", "done"].contains(run.state(2_010)))
        #expect(run.state(9_000) == "unknown")
    }

    @Test func `hook and record together do not make an agent done`() {
        var run = Run()
        run.show(10) { $0.composer = .empty }
        run.see(.hook, .working(isPrompt: true), 50)
        run.see(.hook, .ended(.completed), 2_000)
        run.see(.record, .ended(.completed), 2_000)
        #expect(run.state(5_000) == "unknown")
    }

    @Test func `two sources of one kind count once`() {
        var run = Run()
        run.see(.file, .idle, 50, source: "status")
        run.see(.file, .idle, 50, source: "server")
        #expect(run.state(2_000) == "unknown")
    }

    @Test func `before its first prompt Codex has no file, and a report with the composer is enough`() {
        var run = Run()
        run.see(.program, .idle, 100)
        run.show(110) { $0.composer = .empty }
        #expect(run.state(120) == "ready")
        run.see(.program, .working(isPrompt: false), 200)
        run.see(.hook, .working(isPrompt: true), 200)
        #expect(run.state(210) == "working")
        // The file never came.
        run.see(.program, .idle, 3_000)
        run.see(.hook, .ended(.completed), 3_000)
        _ = run.state(3_010)
        #expect(run.state(4_000) == "unknown")
    }

    @Test func `a report that was seen once has to agree`() {
        var run = Run()
        run.see(.program, .working(isPrompt: false), 90)
        run.see(.file, .idle, 100)
        run.show(110) { $0.composer = .empty }
        _ = run.state(120)
        #expect(run.state(2_000) == "unknown")
        run.see(.program, .idle, 2_100)
        #expect(["ready", "done"].contains(run.state(2_100)))
    }

    @Test func `an agent whose report still says working has a terminal in the background if the screen says so`() {
        var run = Run.working()
        run.see(.program, .working(isPrompt: false), 210)
        run.see(.file, .ended(.completed), 3_000)
        run.see(.hook, .ended(.completed), 3_000)
        run.show(3_010) {
            $0.composer = .empty
            $0.background = ["terminal"]
        }
        #expect(run.state(3_020) == "done")
        #expect(run.machine.report.background == ["terminal"])
    }

    @Test func `helpers that keep the file busy are background`() {
        var run = Run.working()
        run.see(.hook, .ended(.completed), 3_000)
        run.see(.hook, .background(["subagent"]), 3_000)
        #expect(run.state(3_010) == "done")
        #expect(run.machine.report.background == ["subagent"])
        run.see(.file, .working(isPrompt: false), 4_000)
        #expect(run.state(4_000) == "working")
    }

    @Test(arguments: [(600, "ready"), (1_400, "unknown")])
    func `a draft after a frame that was half drawn keeps what was proved, and not after a long one`(
        back: Int,
        state: String
    ) {
        var run = Run.ready()
        run.show(500) { $0.composer = .absent }
        #expect(run.state(500) == "unknown")
        run.show(back) { $0.composer = .draft }
        #expect(run.state(back) == state)
        #expect(run.state(back + 2_000) == state)
    }

    @Test func `a draft keeps what was proved and proves nothing`() {
        var run = Run.ready()
        run.show(500) { $0.composer = .draft }
        #expect(run.state(500) == "ready")
        #expect(run.machine.report.hasDraft == true)
        var other = Run.working()
        other.show(500) { $0.composer = .draft }
        other.see(.file, .idle, 3_000)
        _ = other.state(3_000)
        #expect(other.state(4_000) == "unknown")
    }

    @Test func `a screen that shows a turn is not at rest`() {
        var run = Run.ready()
        run.show(500) {
            $0.composer = .empty
            $0.isWorking = true
        }
        #expect(run.state(510) == "unknown")
    }

    @Test func `a record that goes on after an idle file is a contradiction`() {
        var run = Run.ready()
        run.see(.record, .working(isPrompt: true), 500)
        #expect(run.state(500) == "ready")
        #expect(run.machine.deadline == .milliseconds(1_300))
        #expect(run.state(1_300) == "unknown")
    }

    // MARK: Working

    @Test(arguments: [AgentEvidenceKind.file, .hook, .program])
    func `one of file, hook and report is enough for working`(kind: AgentEvidenceKind) {
        var run = Run.ready()
        run.see(kind, .working(isPrompt: kind == .hook), 500)
        #expect(run.state(500) == "working")
    }

    @Test func `a record or a screen alone never says working`() {
        var run = Run()
        run.see(.record, .working(isPrompt: true), 100)
        run.show(100) { $0.isWorking = true }
        #expect(run.state(200) == "starting")
    }

    @Test func `an idle word that is newer ends working`() {
        var run = Run.working()
        run.see(.hook, .ended(.completed), 3_000)
        #expect(run.state(3_000) == "working")
        #expect(run.state(3_900) == "unknown")
        run.see(.file, .idle, 4_000)
        #expect(run.state(4_000) == "done")
    }

    @Test func `older news does not change newer`() {
        var run = Run.working()
        run.see(.file, .idle, 150)
        #expect(run.state(300) == "working")
    }

    @Test func `hooks of another conversation say nothing`() {
        var run = Run.ready()
        run.see(.file, .session("a"), 300)
        run.see(.hook, .session("b"), 400)
        run.see(.hook, .working(isPrompt: true), 400)
        #expect(run.state(400) == "ready")
        run.see(.hook, .session("a"), 500)
        run.see(.hook, .working(isPrompt: true), 500)
        #expect(run.state(500) == "working")
    }

    @Test func `a new conversation voids the old one's hooks`() {
        var run = Run.working()
        run.see(.file, .session("a"), 250)
        run.see(.file, .session("b"), 300)
        run.see(.file, .idle, 310)
        #expect(run.state(310) == "ready")
    }

    // MARK: Waiting

    @Test func `a hook's question stands until the file is newer`() {
        var run = Run.working()
        run.see(.hook, .waiting(Self.question), 500)
        #expect(run.machine.evaluate(at: .milliseconds(500)) == .waiting(Self.question))
        // Escape runs no hook.
        run.see(.file, .idle, 5_000)
        #expect(run.state(5_000) == "done")
    }

    @Test func `a hook's question stands until the report was newer for a moment`() {
        var run = Run.working()
        run.see(.hook, .waiting(Self.question), 500)
        run.see(.program, .working(isPrompt: false), 550)
        #expect(run.state(600) == "waiting")
        #expect(run.state(1_750) == "working")
    }

    @Test func `of two questions one stays`() {
        var run = Run.working()
        let other = AgentQuestion(kind: .permission, tool: "Bash", subject: "pwd")
        run.see(.hook, .waiting(Self.question), 500)
        run.see(.hook, .waiting(other), 510)
        run.see(.hook, .result(other), 900)
        #expect(run.machine.evaluate(at: .milliseconds(900)) == .waiting(Self.question))
        run.see(.hook, .result(Self.question), 950)
        #expect(run.state(950) == "working")
    }

    @Test func `a request that is resolved is over`() {
        var run = Run.working()
        run.see(.file, .waiting(Self.question), 500, source: AgentStateMachine.serverName)
        #expect(run.state(500) == "waiting")
        run.see(.file, .resolved("1"), 600, source: AgentStateMachine.serverName)
        #expect(run.state(600) == "working")
    }

    @Test func `a plan is asked about by the screen alone`() {
        var run = Run.working()
        run.see(.file, .ended(.completed), 3_000)
        run.see(.hook, .ended(.completed), 3_000)
        run.show(3_010) { $0.question = AgentQuestion(kind: .plan, tool: "plan", subject: "") }
        #expect(run.state(3_020) == "waiting")
    }

    @Test func `a dialog in the middle of a call is a question, and one between turns is not`() {
        var run = Run.working()
        run.see(.hook, .call(Self.question), 500)
        run.see(.file, .dialog, 600)
        #expect(run.machine.evaluate(at: .milliseconds(600)) == .waiting(Self.question))
        var other = Run.ready()
        other.see(.file, .dialog, 600)
        #expect(other.state(600) == "dialog")
    }

    @Test func `options that are not known are unknown`() {
        for var run in [Run.ready(), Run.working()] {
            run.show(500) { $0.hasOptions = true }
            _ = run.state(500)
            #expect(run.state(1_400) == "unknown")
        }
    }

    // MARK: Ends

    @Test(arguments: [
        (AgentTurnEnd.completed, "done"), (.interrupted, "interrupted"), (.failed("429"), "failed"),
    ])
    func `a turn's end is told`(end: AgentTurnEnd, state: String) {
        var run = Run.working()
        run.see(.file, .ended(end), 3_000)
        #expect(run.state(3_000) == state)
        run.see(.hook, .ended(.completed), 3_050)
        #expect(run.state(3_050) == state)
        run.see(.file, .working(isPrompt: true), 4_000)
        run.see(.file, .ended(.completed), 5_000)
        #expect(run.state(5_000) == "done")
    }

    @Test func `a process that is over is over, whatever was said`() {
        var run = Run.working()
        run.machine.exit(.signal(9), at: .milliseconds(1_000))
        #expect(run.machine.evaluate(at: .milliseconds(1_000)) == .exited(.signal(9)))
        run.see(.hook, .working(isPrompt: true), 2_000)
        run.see(.file, .idle, 2_000)
        #expect(run.state(2_000) == "exited")
        // Nothing of the one before counts.
        run.machine.start(at: .milliseconds(3_000))
        #expect(run.state(3_000) == "starting")
        #expect(run.state(13_000) == "unknown")
    }

    @Test func `a server outlives the terminal's program`() {
        var run = Run.working()
        run.machine.exit(.signal(9), at: .milliseconds(1_000))
        run.see(.file, .working(isPrompt: true), 2_000, source: AgentStateMachine.serverName)
        #expect(run.state(2_000) == "working")
    }

    @Test func `a thread without a terminal is judged by its server alone`() {
        var machine = AgentStateMachine(hasTerminal: false)
        #expect(machine.evaluate(at: .zero).name == "unknown")
        let server = AgentStateMachine.serverName
        machine.handle(AgentEvidence(.file, source: server, at: .zero, .idle))
        #expect(machine.evaluate(at: .zero) == .ready)
        machine.handle(AgentEvidence(.file, source: server, at: .seconds(1), .working(isPrompt: true)))
        machine.handle(AgentEvidence(.file, source: server, at: .seconds(2), .idle))
        #expect(machine.evaluate(at: .seconds(2)) == .done)
    }

    @Test func `a file without a terminal is not enough`() {
        var machine = AgentStateMachine(hasTerminal: false)
        machine.handle(AgentEvidence(.file, source: "status", at: .zero, .idle))
        _ = machine.evaluate(at: .zero)
        #expect(machine.evaluate(at: .seconds(2)).name == "unknown")
    }

    // MARK: Words that are not known

    @Test func `a new word in the file is unknown, unless others say that it works`() {
        var run = Run.ready()
        run.see(.file, .unrecognized("resting"), 500)
        #expect(run.machine.evaluate(at: .milliseconds(500)) == .unknown("it reports resting, which is not known"))
        run.see(.hook, .working(isPrompt: true), 600)
        #expect(run.state(600) == "working")
    }

    @Test func `an agent that draws its composer and says nothing is unknown after a while`() {
        var run = Run()
        run.show(100) { $0.composer = .empty }
        #expect(run.state(200) == "starting")
        #expect(run.machine.deadline == .milliseconds(2_100))
        #expect(run.state(2_100) == "unknown")
    }

    @Test func `an agent that does not reach its server is unknown`() {
        var run = Run.working()
        run.show(500) { $0.hasTrouble = true }
        #expect(run.state(500) == "unknown")
    }

    @Test func `sources and questions are bounded`() {
        var run = Run.working()
        for index in 0..<1_000 {
            let question = AgentQuestion(kind: .permission, tool: "Bash", subject: "\(index)")
            run.see(.hook, .waiting(question), 500 + index)
            run.see(.file, .idle, 100, source: "\(index)")
            run.see(.hook, .child(id: "\(index)", kind: "k\(index)"), 500)
        }
        #expect(run.machine.evaluate(at: .seconds(2)).subject == "Bash 999")
        #expect(run.machine.report.background.count <= 64)
        #expect(run.machine.report.evidence.count <= AgentEvidenceKind.allCases.count)
    }

    // MARK: Any order

    private static let anyFacts: [AgentFact] = [
        .idle, .working(isPrompt: true), .working(isPrompt: false), .call(question), .result(question),
        .waiting(question),
        .waiting(nil), .resolved("1"), .dialog, .ended(.completed), .ended(.interrupted), .ended(.failed("x")),
        .unrecognized("x"), .gone, .background(["shell"]), .background([]), .session("a"), .session("b"),
        .child(id: "c", kind: "subagent"), .child(id: "c", kind: nil),
    ]

    @Test(arguments: 0..<40)
    func `no order of evidence makes an agent ready without its file and its screen`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var run = Run()
        for step in 0..<2_000 {
            let time = step * 37
            switch Int.random(in: 0..<10, using: &random) {
            case 0: run.machine.start(at: .milliseconds(time))
            case 1: run.machine.exit(.unknown, at: .milliseconds(time))
            case 2, 3:
                run.show(time) {
                    $0.composer = [.absent, .empty, .draft, .commands].randomElement(using: &random) ?? .absent
                    $0.isWorking = Bool.random(using: &random)
                    $0.hasOptions = Int.random(in: 0..<5, using: &random) == 0
                }
            default:
                let kind = [AgentEvidenceKind.file, .program, .hook, .record].randomElement(using: &random) ?? .file
                let fact = Self.anyFacts.randomElement(using: &random) ?? .idle
                run.see(kind, fact, time - Int.random(in: 0..<200, using: &random))
            }
            let state = run.state(time)
            if state == "ready" || state == "done" { Self.checkProof(run, seed, step) }
        }
    }

    private static func checkProof(_ run: Run, _ seed: UInt64, _ step: Int) {
        let says = Dictionary(run.machine.report.evidence.map { ($0.kind, $0.says) }) { first, _ in first }
        let isFileIdle = says[.file] == "idle"
        // Codex before its first prompt, and an agent whose helpers work.
        let isExcepted = says[.file] == nil && says[.program] == "idle" || !run.machine.report.background.isEmpty
        #expect(isFileIdle || isExcepted, "seed \(seed), step \(step): \(says)")
        #expect(says[.screen] == "composer" || says[.screen] == "draft", "seed \(seed), step \(step): \(says)")
        #expect(says[.process] == "running", "seed \(seed), step \(step): \(says)")
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffAgents
import RiffCore
import Testing

/// The rules about a prompt's writes, one a row.
@Suite struct SubmitMachineTests {
    static let text = "explain this repository"
    static let question = AgentQuestion(kind: .permission, tool: "Bash", subject: "rm -r build")
    private static let mine = SubmitSight.Composer.text(SqueezedText(text))
    private static let other = SubmitSight.Composer.text(SqueezedText("half a thought"))

    private static func decide(_ step: SubmitStep, _ sights: SubmitSight..., isLast: Bool = true) -> SubmitDecision? {
        var machine = SubmitMachine(text)
        for sight in sights.dropLast() { _ = machine.decide(after: .typed, seeing: sight, isLast: false) }
        return machine.decide(after: step, seeing: sights[sights.count - 1], isLast: isLast)
    }

    // MARK: Before the text

    @Test(arguments: [AgentState.ready, .done, .interrupted, .failed("overloaded")])
    func `a state that takes a prompt has the text typed into an empty composer`(state: AgentState) {
        #expect(Self.decide(.untyped, SubmitSight(state: state, composer: .empty), isLast: false) == .proceed)
    }

    @Test(arguments: [SubmitSight.Composer.text(SqueezedText("half a thought")), .paste])
    func `a person's draft is not typed over, and is waited for`(composer: SubmitSight.Composer) {
        let sight = SubmitSight(state: .done, composer: composer)
        #expect(Self.decide(.untyped, sight, isLast: false) == nil)
        #expect(Self.decide(.untyped, sight) == .refuse(SubmitRefusal(.draft)))
    }

    @Test(arguments: [
        (AgentState.starting, SubmitRefusal(.starting)), (.working, SubmitRefusal(.working)),
        (
            .unknown("a dialog stands there that is not known"),
            SubmitRefusal(.unknown, name: "a dialog stands there that is not known")
        ),
    ])
    func `what passes by itself is waited for, and then refused`(state: AgentState, refusal: SubmitRefusal) {
        let sight = SubmitSight(state: state, composer: .empty)
        #expect(Self.decide(.untyped, sight, isLast: false) == nil)
        #expect(Self.decide(.untyped, sight) == .refuse(refusal))
    }

    @Test(arguments: [
        (AgentState.dialog("trust"), SubmitRefusal(.dialog, name: "trust")),
        (.waiting(question), SubmitRefusal(.question, name: "Bash rm -r build")),
        (.waiting(nil), SubmitRefusal(.question)), (.exited(.status(1)), SubmitRefusal(.exited, name: "status 1")),
    ])
    func `a dialog, a question and an end are refused at once, before the text and before Return`(
        state: AgentState,
        refusal: SubmitRefusal
    ) {
        let sight = SubmitSight(state: state, composer: .empty)
        #expect(Self.decide(.untyped, sight, isLast: false) == .refuse(refusal))
        #expect(Self.decide(.typed, sight, isLast: false) == .refuse(refusal))
    }

    // MARK: Before Return

    @Test(arguments: [
        mine, .paste, .text(SqueezedText("explain  this\nrepository")),
        .text(SqueezedText("explain this\u{A0}repository ")),
    ])
    func `Return is pressed if the composer shows the text, however it wraps it`(composer: SubmitSight.Composer) {
        #expect(Self.decide(.typed, SubmitSight(state: .done, composer: composer), isLast: false) == .proceed)
    }

    @Test func `Return is not pressed into another text, an empty composer or none`() {
        for (composer, refusal) in [
            (Self.other, SubmitRefusal.Reason.draft), (.empty, .notShown), (.absent, .notShown),
        ] {
            let sight = SubmitSight(state: .done, composer: composer)
            #expect(Self.decide(.typed, sight, isLast: false) == nil)
            #expect(Self.decide(.typed, sight) == .refuse(SubmitRefusal(refusal)))
        }
        // Glued to a draft that came in the same moment.
        let glued = SubmitSight(state: .done, composer: .text(SqueezedText("half a thought" + Self.text)))
        #expect(Self.decide(.typed, glued) == .refuse(SubmitRefusal(.draft)))
    }

    @Test func `its own text in the composer leaves the agent as ready as an empty one, and another text does not`() {
        let doubt = AgentState.unknown("text stands in the composer")
        let own = SubmitSight(state: doubt, ownState: .done, composer: Self.mine)
        #expect(Self.decide(.typed, own, isLast: false) == .proceed)
        let foreign = SubmitSight(state: doubt, ownState: .done, composer: Self.other)
        #expect(Self.decide(.typed, foreign) == .refuse(SubmitRefusal(.unknown, name: "text stands in the composer")))
        #expect(Self.decide(.untyped, own) == .refuse(SubmitRefusal(.unknown, name: "text stands in the composer")))
        let busy = SubmitSight(state: doubt, ownState: .working, composer: Self.mine)
        #expect(Self.decide(.typed, busy) == .refuse(SubmitRefusal(.working)))
    }

    @Test func `a text that came before the turn's last report is known for its own`() {
        var observer = AgentObserver(agent: .claude, size: TerminalSize(columns: 40, rows: 10))
        let rule = String(repeating: "─", count: 40)
        func frame(_ text: String) -> [UInt8] {
            Array("\u{1B}[H\u{1B}[2JHello\r\n\(rule)\r\n❯\u{A0}\(text)\r\n\(rule)\r\n  ? for shortcuts".utf8)
        }
        observer.take(.started, at: .zero)
        observer.take(.statusFile(Array(#"{"status":"busy"}"#.utf8)), at: .seconds(1))
        observer.take(.terminal(frame("go on")), at: .seconds(2))
        observer.advance(to: .seconds(2))
        #expect(observer.submitSight.ownState == .working)
        observer.take(.statusFile(Array(#"{"status":"idle"}"#.utf8)), at: .seconds(3))
        observer.advance(to: .seconds(3))
        observer.advance(to: .seconds(5))
        #expect(observer.submitSight.state == .unknown("text stands in the composer"))
        #expect(observer.submitSight.ownState == .done)
        #expect(observer.submitSight.composer == .text(SqueezedText("go on")))
    }

    @Test func `a turn that began behind the text holds Return back`() {
        let sight = SubmitSight(state: .working, composer: Self.mine)
        #expect(Self.decide(.typed, sight, isLast: false) == nil)
        #expect(Self.decide(.typed, sight) == .refuse(SubmitRefusal(.working)))
    }

    // MARK: After Return

    private static let typed = SubmitSight(state: .done, composer: mine, busySigns: [.hook: .seconds(1)])

    @Test func `the prompt's own text in a hook or a record is the receipt`() throws {
        var observer = AgentObserver(agent: .claude)
        let hook = #"{"hook_event_name":"UserPromptSubmit","prompt":"explain this repository"}"#
        observer.take(.hook(Array(hook.utf8)), at: .seconds(2))
        let sight = SubmitSight(state: .done, composer: .empty, receipts: observer.submitSight.receipts)
        #expect(Self.decide(.pressed(1), Self.typed, sight, isLast: false) == .submitted)
        // One from before Return is another prompt's, also if it has the same words.
        var before = Self.typed
        before.receipts = sight.receipts
        #expect(Self.decide(.pressed(1), before, sight, isLast: false) == nil)
    }

    @Test func `a turn that began since Return is the receipt of a text that is gone`() {
        var sight = SubmitSight(state: .working, composer: .empty, busySigns: [.file: .seconds(2), .hook: .seconds(1)])
        #expect(Self.decide(.pressed(1), Self.typed, sight, isLast: false) == .submitted)
        sight.composer = Self.mine
        #expect(Self.decide(.pressed(1), Self.typed, sight, isLast: false) == nil)
        sight.composer = .empty
        sight.busySigns = Self.typed.busySigns
        #expect(Self.decide(.pressed(1), Self.typed, sight, isLast: false) == nil)
    }

    @Test func `a text that still stands there has Return pressed once more and no more`() {
        #expect(Self.decide(.pressed(1), Self.typed, Self.typed, isLast: false) == nil)
        #expect(Self.decide(.pressed(1), Self.typed, Self.typed) == .proceed)
        #expect(Self.decide(.pressed(2), Self.typed, Self.typed) == .refuse(SubmitRefusal(.notTaken)))
    }

    @Test func `a text that still stands there is not pressed into a dialog that came up`() {
        let sight = SubmitSight(state: .dialog("modelPicker"), composer: Self.mine)
        #expect(Self.decide(.pressed(1), Self.typed, sight) == .refuse(SubmitRefusal(.dialog, name: "modelPicker")))
    }

    @Test func `an empty composer without a word of the agent is uncertain`() {
        for composer in [SubmitSight.Composer.empty, .absent, Self.other] {
            let sight = SubmitSight(state: .done, composer: composer, busySigns: Self.typed.busySigns)
            #expect(Self.decide(.pressed(1), Self.typed, sight, isLast: false) == nil)
            guard case .uncertain = Self.decide(.pressed(1), Self.typed, sight) else {
                Issue.record("not uncertain with \(composer)")
                continue
            }
        }
    }

    @Test func `a command of the composer is taken if it opens a menu`() {
        var machine = SubmitMachine("/model")
        let typed = SubmitSight(state: .done, composer: .text(SqueezedText("/model")))
        #expect(machine.decide(after: .typed, seeing: typed, isLast: false) == .proceed)
        let sight = SubmitSight(state: .dialog("modelPicker"))
        #expect(machine.decide(after: .pressed(1), seeing: sight, isLast: false) == .submitted)
        // A prompt is not.
        #expect(Self.decide(.pressed(1), Self.typed, sight, isLast: false) == nil)
    }

    @Test func `a last question is always answered`() {
        let states: [AgentState] = [
            .starting, .dialog("x"), .ready, .working, .waiting(nil), .done, .interrupted, .failed("x"),
            .exited(.unknown), .unknown("x"),
        ]
        for state in states {
            for composer in [SubmitSight.Composer.absent, .empty, .paste, Self.mine, Self.other] {
                for step in [SubmitStep.untyped, .typed, .pressed(1), .pressed(2), .pressed(.max)] {
                    let sight = SubmitSight(state: state, composer: composer)
                    let decision = Self.decide(step, sight)
                    #expect(decision != nil)
                    // Return never goes out but at rest, and with the text in the composer.
                    guard step != .untyped, decision == .proceed else { continue }
                    #expect(["ready", "done", "interrupted", "failed"].contains(state.name))
                    #expect(composer == Self.mine || composer == .paste)
                }
            }
        }
    }
}

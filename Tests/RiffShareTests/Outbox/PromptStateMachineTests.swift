// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffShare
import Testing

struct PromptStateMachineTests {
    private static let states: [PromptState] = [
        .draft, .queued, .waitingForAgent("busy"), .handedOver, .received(turn: "t"), .uncertain("why"),
        .refused("no"), .cancelled,
    ]
    private static let events: [(name: String, event: PromptStateMachine.Event)] = [
        ("edit", .edit), ("queue", .queue), ("cancel", .cancel), ("wait", .wait("w")), ("begin", .begin(mark: "m")),
        ("commit", .commit), ("notSent", .notSent("n")), ("receive", .receive(turn: "r")), ("doubt", .doubt("d")),
        ("refuse", .refuse("f")), ("abandon", .abandon), ("sendAgain", .sendAgain),
    ]
    /// What each event makes of a state that was never handed over before and is not committed; all others are
    /// forbidden.
    private static let table: [String: PromptState] = [
        "draft edit": .draft, "queued edit": .queued, "waitingForAgent edit": .waitingForAgent("busy"),
        "draft queue": .queued, "queued queue": .queued,
        "draft cancel": .cancelled, "queued cancel": .cancelled, "waitingForAgent cancel": .cancelled,
        "queued wait": .waitingForAgent("w"), "waitingForAgent wait": .waitingForAgent("w"),
        "queued refuse": .refused("f"), "waitingForAgent refuse": .refused("f"),
        "queued begin": .handedOver, "waitingForAgent begin": .handedOver,
        "handedOver commit": .handedOver, "handedOver notSent": .waitingForAgent("n"),
        "handedOver receive": .received(turn: "r"), "handedOver doubt": .uncertain("d"),
        "handedOver refuse": .refused("f"),
        "handedOver abandon": .waitingForAgent("The app ended before the prompt was submitted."),
        "uncertain receive": .received(turn: "r"), "uncertain doubt": .uncertain("d"),
        "uncertain sendAgain": .queued, "refused sendAgain": .queued,
    ]

    @Test(arguments: states)
    func `every state, each event, is as the table says`(state: PromptState) {
        for (name, event) in Self.events {
            var machine = PromptStateMachine(state: state)
            let expected = Self.table["\(state.name) \(name)"]
            let isAllowed = machine.handle(event)
            #expect(isAllowed == (expected != nil), "\(state.name) \(name)")
            #expect(machine.state == expected ?? state, "\(state.name) \(name)")
        }
    }

    /// Takes events that are all allowed.
    private static func machine(_ events: PromptStateMachine.Event...) -> PromptStateMachine {
        var machine = PromptStateMachine(state: .queued)
        for event in events {
            let isAllowed = machine.handle(event)
            #expect(isAllowed, "\(event)")
        }
        return machine
    }

    @Test func `an abandoned hand-over is uncertain after its commitment only`() {
        #expect(Self.machine(.begin(mark: "1"), .abandon).state.name == "waitingForAgent")
        let machine = Self.machine(.begin(mark: "1"), .abandon, .begin(mark: "2"), .commit, .abandon)
        #expect(machine.state == .uncertain("The app ended while the prompt was handed over."))
        #expect(machine.mark == "1", "a receipt of the first attempt counts")
        #expect(machine.attempts == 2)
    }

    @Test func `a second attempt is not committed by the first one`() {
        let machine = Self.machine(.begin(mark: "1"), .commit, .doubt("d"), .sendAgain, .begin(mark: "2"), .abandon)
        #expect(machine.state.name == "waitingForAgent")
    }

    @Test func `a receipt ends a prompt that waits for a second attempt, and none for a first`() {
        var first = PromptStateMachine(state: .queued)
        let isAllowed = first.handle(.receive(turn: "t"))
        #expect(!isAllowed)
        #expect(
            Self.machine(.begin(mark: "1"), .notSent("n"), .receive(turn: "t")).state == .received(turn: "t")
        )
    }

    /// Walks all events from `uncertain` that no user makes, to any depth: the states that follow are few.
    @Test func `nothing but the user's word leads from uncertain to another hand-over`() {
        var seen: Set<PromptStateMachine> = []
        var open = [PromptStateMachine(state: .uncertain("why"), isCommitted: true, mark: "m", attempts: 1)]
        while let machine = open.popLast() {
            guard seen.insert(machine).inserted else { continue }
            #expect(machine.state != .handedOver && !["queued", "waitingForAgent"].contains(machine.state.name))
            for (name, event) in Self.events where name != "sendAgain" {
                var next = machine
                if next.handle(event) { open.append(next) }
            }
        }
        #expect(seen.count > 2)
    }

    @Test(arguments: states)
    func `a state is read back from its name and its words`(state: PromptState) {
        #expect(PromptState(name: state.name, detail: state.detail ?? "") == state)
        #expect(PromptState(name: state.name + "2", detail: "") == nil)
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

import Foundation
import RiffCore
import RiffShare
import RiffTesting
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(10)))
    struct PromptDeliveryTests {
        private typealias Fault = ScriptedPromptAgent.Fault

        private struct Lab {
            let outbox: PromptOutbox
            let agent: ScriptedPromptAgent
            let delivery: PromptDelivery

            func run() async {
                await delivery.wake()
                await delivery.finished()
            }

            func states() async throws -> [PromptState] { try await outbox.refresh().prompts.map(\.state) }
        }

        private static func with(
            _ agent: ScriptedPromptAgent = ScriptedPromptAgent(),
            _ body: (Lab) async throws -> Void
        ) async throws {
            try await KeyTool.withFolder { folder in
                let outbox = PromptOutbox(directory: "\(folder)/outbox")
                try await body(Lab(outbox: outbox, agent: agent, delivery: PromptDelivery(outbox, to: "a", by: agent)))
            }
        }

        @Test(arguments: PromptCarrierConformance.all)
        func `the scripted agent keeps the rules of a carrier`(
            check: ConformanceCheck<PromptCarrierConformance>
        ) async throws {
            try await check.run(
                PromptCarrierConformance {
                    let agent = ScriptedPromptAgent()
                    return .init(agent) { await agent.taken.map(\.text) }
                }
            )
        }

        @Test func `prompts are handed over in their order, and another agent's are not`() async throws {
            try await Self.with { lab in
                let one = try await lab.outbox.add("1", to: "a")
                try await lab.outbox.add("other", to: "b")
                let two = try await lab.outbox.add("2", to: "a")
                try await lab.outbox.add("draft", to: "a", isDraft: true)
                try await lab.outbox.move(two.id, before: one.id)
                await lab.run()
                #expect(await lab.agent.taken.map(\.id) == [two.id, one.id])
                #expect(
                    try await lab.states() == [
                        .received(turn: "turn-\(two.id)"), .received(turn: "turn-\(one.id)"), .queued, .draft,
                    ]
                )
                #expect(lab.delivery.current.problem == nil && !lab.delivery.current.isDelivering)
            }
        }

        @Test(arguments: [
            (PromptReadiness.working, Prompt.Delivery.nextTurn, true, "waitingForAgent"),
            (.working, .thisTurn, true, "received"), (.working, .thisTurn, false, "waitingForAgent"),
            (.notNow("A dialog is open."), .thisTurn, true, "waitingForAgent"),
            (.never("It has no prompt."), .nextTurn, true, "refused"), (.ready, .thisTurn, false, "received"),
        ])
        func `what an agent does decides whether a prompt is handed over`(
            readiness: PromptReadiness,
            delivery: Prompt.Delivery,
            takesThisTurn: Bool,
            expected: String
        ) async throws {
            try await Self.with(ScriptedPromptAgent(takesThisTurn: takesThisTurn)) { lab in
                await lab.agent.set(readiness)
                try await lab.outbox.add("1", to: "a", delivery: delivery)
                await lab.run()
                #expect(try await lab.states().map(\.name) == [expected])
                #expect(await lab.agent.taken.count == (expected == "received" ? 1 : 0))
                await lab.agent.set(.ready)
                await lab.run()
                #expect(await lab.agent.taken.count == (expected == "refused" ? 0 : 1))
            }
        }

        @Test(arguments: [
            (Fault.cutBefore, "waitingForAgent", 0), (.cutDuring, "uncertain", 0), (.cutAfter, "received", 1),
            (.receiptLate, "received", 1), (.lost, "uncertain", 0), (.dialog, "waitingForAgent", 0),
            (.refuse, "refused", 0), (.crashAfter, "received", 1),
        ])
        func `each fault ends in the state that is true`(
            fault: ScriptedPromptAgent.Fault,
            expected: String,
            taken: Int
        ) async throws {
            try await Self.with { lab in
                try await lab.outbox.add("1", to: "a")
                await lab.agent.fail([fault])
                await lab.run()
                await lab.agent.connect(true)
                await lab.agent.set(.notNow("Later."))
                await lab.run()
                #expect(try await lab.states().map(\.name) == [expected])
                #expect(await lab.agent.taken.count == taken)
                // However often it runs, what is uncertain stays, and holds up the next one.
                await lab.agent.set(.ready)
                try await lab.outbox.add("2", to: "a")
                for _ in 0..<3 { await lab.run() }
                let isHeld = expected == "uncertain"
                #expect(await lab.agent.taken.count == (isHeld ? 0 : expected == "refused" ? 1 : 2))
            }
        }

        @Test func `the user sends an uncertain one again, or forgets it`() async throws {
            try await Self.with { lab in
                let one = try await lab.outbox.add("1", to: "a")
                await lab.agent.fail([.lost, .lost])
                await lab.run()
                try await lab.outbox.sendAgain(one.id)
                await lab.run()
                #expect(try await lab.states().map(\.name) == ["uncertain"])
                try await lab.outbox.forget(one.id)
                let two = try await lab.outbox.add("2", to: "a")
                await lab.agent.fail([.lost])
                await lab.run()
                try await lab.outbox.sendAgain(two.id)
                await lab.run()
                #expect(await lab.agent.taken.map(\.id) == [two.id])
            }
        }

        @Test func `one that is to be sent again is looked for first`() async throws {
            try await Self.with { lab in
                let one = try await lab.outbox.add("1", to: "a")
                await lab.agent.fail([.receiptLate])
                await lab.run()
                #expect(try await lab.states().map(\.name) == ["uncertain"])
                try await lab.outbox.sendAgain(one.id)
                // While the record cannot be read, it is not sent.
                await lab.run()
                #expect(try await lab.states() == [.queued])
                #expect(lab.delivery.current.problem != nil)
                await lab.agent.connect(true)
                await lab.run()
                #expect(try await lab.states() == [.received(turn: "turn-\(one.id)")])
                #expect(await lab.agent.taken.count == 1)
            }
        }

        @Test func `of two deliveries with one queue one hands over`() async throws {
            try await Self.with { lab in
                let others = (0..<4).map { _ in
                    PromptDelivery(PromptOutbox(directory: lab.outbox.directory), to: "a", by: lab.agent)
                }
                for number in 0..<50 { try await lab.outbox.add("\(number)", to: "a") }
                await withTaskGroup(of: Void.self) { group in
                    for delivery in others + [lab.delivery] {
                        group.addTask {
                            for _ in 0..<10 {
                                await delivery.wake()
                                await delivery.finished()
                            }
                        }
                    }
                }
                await lab.run()
                let ids = try await lab.outbox.refresh().prompts.map(\.id)
                #expect(await lab.agent.taken.map(\.id) == ids)
            }
        }

        /// A person's last word comes between the delivery's look at the queue and the hand-over.
        @Test(arguments: ["edit", "cancel", "forget"])
        func `what the user does at the last moment counts, and after it is refused`(act: String) async throws {
            struct LateUser: PromptCarrier {
                let agent: ScriptedPromptAgent
                let outbox: PromptOutbox
                let act: String
                var takesThisTurn: Bool { false }
                var worksWithoutClient: Bool { false }
                func readiness() async throws -> PromptReadiness { try await agent.readiness() }
                func mark() async throws -> String {
                    for prompt in outbox.current.prompts where prompt.state.isChangeable {
                        switch act {
                        case "edit": try await outbox.edit(prompt.id, text: "edited")
                        case "cancel": try await outbox.cancel(prompt.id)
                        default: try await outbox.forget(prompt.id)
                        }
                    }
                    return try await agent.mark()
                }
                func handOver(
                    _ prompt: OutgoingPrompt,
                    commit: @escaping @Sendable () async throws -> Void
                ) async throws -> PromptVerdict {
                    await #expect(throws: CoreError.self) { try await outbox.edit(prompt.id, text: "too late") }
                    return try await agent.handOver(prompt, commit: commit)
                }
                func look(for prompt: OutgoingPrompt, since mark: String) async throws -> PromptLook {
                    try await agent.look(for: prompt, since: mark)
                }
            }
            try await Self.with { lab in
                try await lab.outbox.add("1", to: "a")
                let user = LateUser(agent: lab.agent, outbox: lab.outbox, act: act)
                let delivery = PromptDelivery(lab.outbox, to: "a", by: user)
                await delivery.wake()
                await delivery.finished()
                #expect(await lab.agent.taken.map(\.text) == (act == "edit" ? ["edited"] : []))
                let states = try await lab.states().map(\.name)
                #expect(states == (act == "edit" ? ["received"] : act == "cancel" ? ["cancelled"] : []))
            }
        }

        @Test func `a delivery that goes to sleep lets go of the queue`() async throws {
            try await Self.with { lab in
                try await lab.outbox.add("1", to: "a")
                await lab.delivery.background()
                await lab.run()
                #expect(await lab.agent.taken.isEmpty)
                #expect(try await lab.outbox.lease(of: "a") != nil)
                await lab.delivery.foreground()
                await lab.delivery.finished()
                #expect(await lab.agent.taken.count == 1)
            }
        }

        /// `RIFF_OUTBOX_AGENT_TRIALS` sets the number; 100 by default.
        @Test func `a scripted agent, whatever goes wrong, takes nothing twice and loses nothing without a word`()
            async throws
        {
            let wanted = ProcessInfo.processInfo.environment["RIFF_OUTBOX_AGENT_TRIALS"].flatMap { Int($0) } ?? 100
            var generator = SeededGenerator(seed: 30)
            try await Self.with(ScriptedPromptAgent(takesThisTurn: true)) { lab in
                var ends: [String: Int] = [:]
                for _ in 0..<wanted {
                    let prompt = try await lab.outbox.add(
                        "p",
                        to: "a",
                        delivery: Bool.random(using: &generator) ? .thisTurn : .nextTurn
                    )
                    for _ in 0..<Int.random(in: 1...4, using: &generator) {
                        await lab.agent.set(
                            [.ready, .ready, .working, .notNow("A dialog.")].randomElement(using: &generator)!
                        )
                        if Bool.random(using: &generator), let fault = Fault.allCases.randomElement(using: &generator) {
                            await lab.agent.fail([fault])
                        }
                        await lab.run()
                        await lab.agent.connect(true)
                    }
                    await lab.agent.set(.ready)
                    for _ in 0..<20 {
                        await lab.run()
                        await lab.agent.connect(true)
                        let state = try #require(lab.outbox.current.prompts.first { $0.id == prompt.id }).state
                        if case .received = state { break }
                        if ["uncertain", "refused"].contains(state.name) { try await lab.outbox.sendAgain(prompt.id) }
                    }
                    let state = try #require(lab.outbox.current.prompts.first { $0.id == prompt.id }).state
                    ends[state.name, default: 0] += 1
                    #expect(await lab.agent.taken.count { $0.id == prompt.id } == 1)
                    try await lab.outbox.forget(prompt.id)
                }
                print("scripted agent: \(wanted) trials, ends \(ends)")
                #expect(ends == ["received": wanted])
                #expect(await lab.agent.taken.count == wanted)
            }
        }
    }
}

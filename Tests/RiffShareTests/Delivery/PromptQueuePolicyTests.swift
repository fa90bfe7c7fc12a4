// Riff
// SPDX-License-Identifier: Apache-2.0

import RiffCore
import RiffShare
import TestSupport
import Testing

extension InTurn {
    @Suite(.timeLimit(.minutes(2)))
    struct PromptQueuePolicyTests {
        /// Brings a prompt into a state by the ways that lead there.
        private static func make(_ state: String, in outbox: PromptOutbox) async throws {
            let prompt = try await outbox.add(state, to: "a", isDraft: state == "draft")
            let events: [PromptStateMachine.Event] =
                switch state {
                case "waitingForAgent": [.wait("w")]
                case "handedOver": [.begin(mark: "m")]
                case "received": [.begin(mark: "m"), .receive(turn: "t")]
                case "uncertain": [.begin(mark: "m"), .doubt("d")]
                case "refused": [.refuse("r")]
                case "cancelled": [.cancel]
                default: []
                }
            for event in events { try await outbox.apply(event, to: prompt.id) }
        }

        @Test(arguments: [
            ("", "none"), ("draft", "none"), ("received refused cancelled draft", "none"), ("queued", "handOver 0"),
            ("received waitingForAgent queued", "handOver 1"), ("refused queued", "handOver 1"),
            ("uncertain queued", "look 0"), ("draft uncertain queued", "look 1"), ("queued uncertain", "handOver 0"),
            ("queued handedOver", "settle 1"), ("uncertain handedOver", "settle 1"),
        ])
        func `the next step, by the states of the prompts`(states: String, expected: String) async throws {
            try await KeyTool.withFolder { folder in
                let outbox = PromptOutbox(directory: "\(folder)/outbox")
                for state in states.split(separator: " ") { try await Self.make(String(state), in: outbox) }
                let prompts = outbox.current.prompts
                var policy = PromptQueuePolicy()
                #expect(Self.name(policy.step(prompts), prompts) == expected)
                // What was looked at holds the others up, and is not looked at again.
                policy.lookedAt = Set(prompts.map(\.id))
                let held = expected.replacing("look", with: "held")
                #expect(Self.name(policy.step(prompts), prompts) == held)
            }
        }

        private static func name(_ step: PromptQueuePolicy.Step, _ prompts: [Prompt]) -> String {
            func place(_ prompt: Prompt) -> String { prompts.firstIndex { $0.id == prompt.id }.map { "\($0)" } ?? "?" }
            return switch step {
            case .settle(let prompt): "settle \(place(prompt))"
            case .look(let prompt): "look \(place(prompt))"
            case .handOver(let prompt): "handOver \(place(prompt))"
            case .held(let prompt): "held \(place(prompt))"
            case .none: "none"
            }
        }
    }
}

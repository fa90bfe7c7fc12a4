// Riff
// SPDX-License-Identifier: Apache-2.0

/// What is to be done next about the prompts of one agent. A value; it does nothing itself.
package struct PromptQueuePolicy: Sendable, Hashable {
    /// The next step.
    package enum Step: Sendable, Hashable {
        /// Look whether the agent has this one, which was handed over by a process that is gone.
        case settle(Prompt)
        /// Look whether the agent has this one after all. It is not sent.
        case look(Prompt)
        /// Hand this one over.
        case handOver(Prompt)
        /// Nothing can be done: this one has to be decided by the user first.
        case held(by: Prompt)
        /// Nothing waits.
        case none
    }

    /// Prompts that are uncertain and were looked at already.
    package var lookedAt: Set<Prompt.ID> = []

    /// Creates a policy that has looked at nothing.
    package init() {}

    /// The next step.
    ///
    /// A prompt that is uncertain holds up those behind it: they may need it, and its text may still stand in the
    /// agent's composer. One that was refused holds up none.
    ///
    /// - Parameter prompts: The agent's prompts, in their order.
    /// - Returns: The step.
    package func step(_ prompts: [Prompt]) -> Step {
        if let left = prompts.first(where: { $0.state == .handedOver }) { return .settle(left) }
        for prompt in prompts {
            switch prompt.state {
            case .draft, .received, .refused, .cancelled, .handedOver: continue
            case .uncertain: return lookedAt.contains(prompt.id) ? .held(by: prompt) : .look(prompt)
            case .queued, .waitingForAgent: return .handOver(prompt)
            }
        }
        return .none
    }

    /// The meaning of an agent's readiness for a prompt.
    ///
    /// - Returns: `nil` if it is handed over now; else the change of its state.
    package static func objection(
        to prompt: Prompt,
        _ readiness: PromptReadiness,
        takesThisTurn: Bool
    ) -> PromptStateMachine.Event? {
        switch readiness {
        case .ready: nil
        case .working where prompt.delivery == .thisTurn && takesThisTurn: nil
        case .working: .wait("The agent works.")
        case .notNow(let reason): .wait(reason)
        case .never(let reason): .refuse(reason)
        }
    }
}

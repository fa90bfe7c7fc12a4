// Riff
// SPDX-License-Identifier: Apache-2.0

/// The rules by which a prompt's state changes. Every change of a stored prompt goes through it, under the outbox's
/// lock.
///
/// Nothing but ``Event/sendAgain`` leads back from `uncertain` to the queue, and that one is the user's.
package struct PromptStateMachine: Sendable, Hashable {
    /// A change of the prompt's state.
    package enum Event: Sendable, Hashable {
        /// The user changes its words or its place.
        case edit
        /// The user releases it.
        case queue
        /// The user takes it back.
        case cancel
        /// Its agent does not take it now, for this reason.
        case wait(String)
        /// Its hand-over begins; a receipt counts from this mark of the agent's record on.
        case begin(mark: String)
        /// The step that submits it begins.
        case commit
        /// It is proved that nothing of it was submitted.
        case notSent(String)
        /// The agent's record has it.
        case receive(turn: String)
        /// It is not known whether the agent has the prompt.
        case doubt(String)
        /// The agent does not take it, and nothing was submitted.
        case refuse(String)
        /// The owner of the hand-over is gone.
        case abandon
        /// The user wants it to be sent again.
        case sendAgain
    }

    /// The state of the prompt.
    package private(set) var state: PromptState
    /// Whether the step that submits it was begun.
    package private(set) var isCommitted: Bool
    /// The mark of the first attempt.
    package private(set) var mark: String?
    /// The number of times that its hand-over was begun.
    package private(set) var attempts: Int

    /// Creates a machine in a state.
    package init(state: PromptState, isCommitted: Bool = false, mark: String? = nil, attempts: Int = 0) {
        self.state = state
        self.isCommitted = isCommitted
        self.mark = mark
        self.attempts = attempts
    }

    /// Takes a change.
    ///
    /// - Parameter event: The change.
    /// - Returns: Whether it is allowed in this state; if not, nothing changed.
    package mutating func handle(_ event: Event) -> Bool {
        switch (state, event) {
        case (.draft, .edit), (.queued, .edit), (.waitingForAgent, .edit): break
        case (.draft, .queue), (.queued, .queue): state = .queued
        case (.draft, .cancel), (.queued, .cancel), (.waitingForAgent, .cancel): state = .cancelled
        case (.queued, .wait(let reason)), (.waitingForAgent, .wait(let reason)): state = .waitingForAgent(reason)
        case (.queued, .refuse(let reason)), (.waitingForAgent, .refuse(let reason)): state = .refused(reason)
        case (.queued, .begin(let mark)), (.waitingForAgent, .begin(let mark)): begin(mark)
        // A look before another attempt found it.
        case (.queued, .receive(let turn)), (.waitingForAgent, .receive(let turn)):
            guard attempts > 0 else { return false }
            state = .received(turn: turn)
        case (.handedOver, _): return handleHandedOver(event)
        case (.uncertain, .receive(let turn)): state = .received(turn: turn)
        case (.uncertain, .doubt(let evidence)): state = .uncertain(evidence)
        case (.uncertain, .sendAgain), (.refused, .sendAgain):
            isCommitted = false
            state = .queued
        default: return false
        }
        return true
    }

    private mutating func begin(_ mark: String) {
        attempts += 1
        isCommitted = false
        // A receipt of an earlier attempt counts as well.
        self.mark = self.mark ?? mark
        state = .handedOver
    }

    private mutating func handleHandedOver(_ event: Event) -> Bool {
        switch event {
        case .commit: isCommitted = true
        case .notSent(let reason):
            isCommitted = false
            state = .waitingForAgent(reason)
        case .receive(let turn): state = .received(turn: turn)
        case .doubt(let evidence): state = .uncertain(evidence)
        case .refuse(let reason): state = .refused(reason)
        case .abandon where isCommitted:
            state = .uncertain("The app ended while the prompt was handed over.")
        case .abandon:
            state = .waitingForAgent("The app ended before the prompt was submitted.")
        case .edit, .queue, .cancel, .wait, .begin, .sendAgain: return false
        }
        return true
    }
}

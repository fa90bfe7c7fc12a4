// Riff
// SPDX-License-Identifier: Apache-2.0

/// The state of a prompt on its way to an agent.
///
/// A prompt that is ``uncertain(_:)`` is never sent again by itself: the agent may have it.
public enum PromptState: Sendable, Hashable {
    /// It is being written; it is not sent before ``PromptOutbox/queue(_:)``.
    case draft
    /// It waits for its turn.
    case queued
    /// It is the next one, and its agent does not take it now; the reason is one sentence.
    case waitingForAgent(String)
    /// It is being handed over. It can no longer be changed.
    case handedOver
    /// The agent's own record has it. The turn is the agent's id of it, empty if it tells none.
    case received(turn: String)
    /// The agent may have it or not; the evidence is one sentence. The user looks, sends it again or forgets it.
    case uncertain(String)
    /// It was not taken, and nothing of it was submitted; the reason is one sentence.
    case refused(String)
    /// The user took it back before it was handed over.
    case cancelled

    /// The state's name in one word, such as `queued`.
    public var name: String {
        switch self {
        case .draft: "draft"
        case .queued: "queued"
        case .waitingForAgent: "waitingForAgent"
        case .handedOver: "handedOver"
        case .received: "received"
        case .uncertain: "uncertain"
        case .refused: "refused"
        case .cancelled: "cancelled"
        }
    }

    /// Whether the prompt can still be edited, moved and cancelled.
    public var isChangeable: Bool {
        switch self {
        case .draft, .queued, .waitingForAgent: true
        case .handedOver, .received, .uncertain, .refused, .cancelled: false
        }
    }

    /// Whether nothing more happens to it, whatever the user does.
    package var isOver: Bool {
        switch self {
        case .received, .cancelled: true
        case .draft, .queued, .waitingForAgent, .handedOver, .uncertain, .refused: false
        }
    }

    /// The words that go with it; `nil` if it has none.
    package var detail: String? {
        switch self {
        case .draft, .queued, .handedOver, .cancelled: nil
        case .waitingForAgent(let text), .received(let text), .uncertain(let text), .refused(let text): text
        }
    }

    /// Reads a state as ``name`` and ``detail`` tell it; `nil` for a name of a later version.
    package init?(name: String, detail: String) {
        switch name {
        case "draft": self = .draft
        case "queued": self = .queued
        case "waitingForAgent": self = .waitingForAgent(detail)
        case "handedOver": self = .handedOver
        case "received": self = .received(turn: detail)
        case "uncertain": self = .uncertain(detail)
        case "refused": self = .refused(detail)
        case "cancelled": self = .cancelled
        default: return nil
        }
    }
}

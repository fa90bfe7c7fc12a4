// Riff
// SPDX-License-Identifier: Apache-2.0

package import RiffCore

/// The prompts that were handed on lately, or are being handed on, by the ids that their devices gave them. A value
/// without clock and lock; who has to wait for another's prompt waits outside.
package struct RecentPrompts: Sendable {
    /// A device's own id of a prompt: one device's ids mean nothing for another's.
    package struct Key: Sendable, Hashable {
        package let device: String
        package let messageID: String

        package init(device: String, messageID: String) {
            self.device = device
            self.messageID = messageID
        }
    }

    /// What became of a prompt.
    package enum Outcome: Sendable, Hashable {
        /// The agent has it; the server's id of it.
        case handedOn(String)
        /// The sink did not take it.
        case failed
        /// Its client went away before the sink had it.
        case abandoned
    }

    /// What to do with a prompt.
    package enum Claim: Sendable {
        /// Hand it on, and then tell ``RecentPrompts/settle(_:_:)``.
        case first
        /// Wait for what becomes of the one that came before.
        case repeated(EventualValue<Outcome>)
    }

    private let limit: Int
    private var outcomes: [Key: EventualValue<Outcome>] = [:]
    /// The keys of what was handed on, the oldest first.
    private var handedOn: [Key] = []

    package init(limit: Int) { self.limit = max(1, limit) }

    /// Looks a prompt up, and notes it where it is new.
    package mutating func claim(_ key: Key) -> Claim {
        if let outcome = outcomes[key] { return .repeated(outcome) }
        outcomes[key] = EventualValue()
        return .first
    }

    /// Says what became of a prompt; only one that was handed on is remembered.
    ///
    /// - Returns: What to tell those who wait.
    package mutating func settle(_ key: Key, _ outcome: Outcome) -> EventualValue<Outcome>? {
        guard case .handedOn = outcome else { return outcomes.removeValue(forKey: key) }
        handedOn.append(key)
        if handedOn.count > limit { outcomes[handedOn.removeFirst()] = nil }
        return outcomes[key]
    }
}

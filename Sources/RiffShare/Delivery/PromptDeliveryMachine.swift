// Riff
// SPDX-License-Identifier: Apache-2.0

/// When the prompts of an agent are looked after. Events in, effects out; it does nothing itself.
package struct PromptDeliveryMachine: Sendable, Hashable {
    /// Something that happened.
    package enum Event: Sendable, Hashable {
        /// Prompts or the agent may have changed.
        case changed
        /// The app came to the foreground.
        case foregrounded
        /// The app goes to sleep.
        case suspended
        /// The run under way is over.
        case ended
    }

    /// An effect of the machine.
    package enum Effect: Sendable, Hashable {
        /// Begin a run; report ``Event/ended``.
        case run
        /// Cut the run short; report its end all the same.
        case cancel
    }

    private var isAwake = true
    private var isWanted = false
    /// Whether a run is under way.
    package private(set) var isRunning = false

    /// Before anything happened.
    package init() {}

    /// Takes an event.
    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .changed: isWanted = true
        case .foregrounded:
            isAwake = true
            isWanted = true
        case .suspended:
            isAwake = false
            return isRunning ? [.cancel] : []
        case .ended: isRunning = false
        }
        guard isWanted, isAwake, !isRunning else { return [] }
        isWanted = false
        isRunning = true
        return [.run]
    }
}

// Riff
// SPDX-License-Identifier: Apache-2.0

/// When the inbox is drained. Events in, effects out; it does nothing itself.
///
/// Nothing is drained before there is a session that takes keys and that is known to be the right one: what was shared
/// while the app was not running waits in the inbox until then.
package struct ShareDrainMachine: Sendable, Hashable {
    package typealias Event = ShareDrain.Event

    /// An effect for the caller to carry out.
    package enum Effect: Sendable, Hashable {
        /// Bring over what waits; report ``Event/drainEnded``.
        case drain
        /// Cut the drain short; report its end all the same.
        case cancel
    }

    private var isAwake = true
    private var isBootstrapped = false
    private var isConnected = false
    /// Something happened since the last drain began that it may have missed.
    private var isWanted = false
    /// Whether a drain is under way.
    package private(set) var isDraining = false

    /// Before anything happened.
    package init() {}

    /// Takes an event.
    ///
    /// - Parameter event: What happened.
    /// - Returns: What to do.
    package mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .bootstrapped:
            isBootstrapped = true
            isWanted = true
        case .foregrounded, .noticeTapped:
            isAwake = true
            isWanted = true
        case .deposited:
            isWanted = true
        case .connected:
            isWanted = isWanted || !isConnected
            isConnected = true
        case .disconnected:
            isConnected = false
        case .suspended:
            isAwake = false
            return isDraining ? [.cancel] : []
        case .drainEnded:
            isDraining = false
        }
        guard isWanted, isAwake, isBootstrapped, isConnected, !isDraining else { return [] }
        isWanted = false
        isDraining = true
        return [.drain]
    }
}

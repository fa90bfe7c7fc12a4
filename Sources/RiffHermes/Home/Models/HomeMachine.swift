// Riff
// SPDX-License-Identifier: Apache-2.0

/// The rules of one screen over a home: events in, effects out, and a snapshot to show. Pure, so that tables test it.
public protocol HomeMachine: Sendable {
    /// What happens: a person did something, or an effect ended.
    associatedtype Event: Sendable
    /// What is to be done.
    associatedtype Effect: Sendable
    /// What is shown.
    associatedtype Snapshot: Sendable

    /// What is shown now.
    var snapshot: Snapshot { get }

    /// Takes an event.
    ///
    /// - Returns: What is to be done now, in order.
    mutating func take(_ event: Event) -> [Effect]
}
